import * as z from 'zod/mini';
import { route } from '#contract/route.ts';

/** A secret of 256 bits, or its SHA-256, in base64url. */
const secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));
const place = z.string().check(z.maxLength(4096));

export const handOver = route({
  method: 'GET',
  path: '/auth/hand-over',
  summary:
    'Sends a browser that is signed in, after a sign-in where it is not, to the host of an application, with a code that is accepted there once (GATE-6)',
  access: 'public',
  closed: 'open',
  query: z.object({
    /** The host of an application in UPSTREAMS_FILE. */
    host: z.string().check(z.maxLength(253)),
    /** The SHA-256 of the verifier that the browser has in a cookie of that host. */
    challenge: secret,
    /** A path of that host. */
    returnTo: place,
  }),
  answer: { raw: 'redirect' },
});

export const arrive = route({
  method: 'GET',
  path: '/auth/arrive',
  summary:
    'At the host of an application: begins the session there by the code of a hand-over, and goes to `returnTo`, a path of that host (GATE-6)',
  access: 'public',
  closed: 'open',
  query: z.object({
    code: z.catch(secret, ''),
    returnTo: z.catch(z.optional(place), undefined),
  }),
  answer: { raw: 'redirect' },
});
