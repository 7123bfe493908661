import * as z from 'zod/mini';
import { route } from './route.ts';
import { instant } from './text.ts';

/** The header that every call on the session cookie carries; its value is `1`. No cross-site form can send it (SES-2). */
export const sessionHeader = 'x-portico';

export const login = route({
  method: 'GET',
  path: '/auth/login',
  summary: 'Starts a sign-in at the provider; `returnTo` is a same-origin path or ignored (SES-1)',
  access: 'public',
  closed: 'open',
  query: z.object({
    // Whatever it is, it stops nobody from signing in.
    returnTo: z.catch(z.optional(z.string()), undefined),
    /** Present on the second try, which is the last. */
    again: z.optional(z.literal('1')),
    /** Present once the browser was sent from another host name to that of PUBLIC_URL. */
    moved: z.optional(z.literal('1')),
  }),
  answer: { raw: 'redirect' },
});

export const callback = route({
  method: 'GET',
  path: '/auth/callback',
  summary: 'Where the provider sends the browser back to (SES-1)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'redirect' },
});

export const accessToken = z.object({ accessToken: z.string(), expiresAt: instant, serverTime: instant });

export const renewToken = route({
  method: 'POST',
  path: '/auth/token',
  summary: 'A fresh access token for the session of the cookie (SES-2)',
  access: 'session',
  closed: 'open',
  answer: accessToken,
});

export const signOut = route({
  method: 'POST',
  path: '/auth/logout',
  summary:
    "Ends the session; answers the provider's end-session address, where the browser goes next (SES-7)",
  access: 'session',
  closed: 'open',
  answer: z.object({ next: z.string() }),
});

export const setMapCookie = route({
  method: 'POST',
  path: '/cookies/token',
  summary: 'Sets the cookie that opens the map services (SES-5)',
  access: 'signed-in',
  closed: 'open',
  answer: 'nothing',
});

export const removeMapCookie = route({
  method: 'DELETE',
  path: '/cookies/token',
  summary: 'Removes the map cookie; idempotent, also with an expired or missing bearer (SES-5)',
  access: 'public',
  closed: 'open',
  answer: 'nothing',
});

export const jwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  summary: 'The public keys of the access tokens (RFC 7517)',
  access: 'public',
  closed: 'open',
  answer: { raw: 'application/json' },
});
