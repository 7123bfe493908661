import * as z from 'zod/mini';
import { rightName } from '#features/permissions/contract/administration.ts';
import { route } from '#contract/route.ts';

/**
 * Where a reverse proxy asks whether a request may pass (GATE-5). What the query holds is part of the proxy's
 * configuration, and never comes from its client. The proxy shows `AUTH_CHECK_SECRET` (GATE-9).
 */
export const authCheck = route({
  method: 'GET',
  path: '/auth/check',
  // A proxy calls Portico by another name than its client; the host of its request is checked instead.
  anyHost: true,
  summary:
    'Whether the request that a proxy received may pass (GATE-5): 204 with identity headers, 401 with the address of the sign-in, 403 by right, 503 during maintenance',
  access: 'public',
  closed: 'open',
  query: z.strictObject({
    /** The name of an application of UPSTREAMS_FILE, whose rules by path and audience are used. */
    upstream: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,60}$/))),
    /** Who the assertion is for, where no upstream is named; default `application`. */
    audience: z.optional(
      z
        .string()
        .check(
          z.regex(/^[\w.:/-]{1,200}$/),
          z.regex(/^(?!(?:portico|map-server)$)/, 'is the audience of access tokens, or of the map'),
        ),
    ),
    right: z.optional(rightName),
    access: z.optional(z.enum(['session', 'public', 'token', 'session-or-token'])),
    /** Lets the request through during maintenance. */
    whileClosed: z.optional(z.literal('1')),
    /** Lets a POST through while maintenance is read-only. */
    postReads: z.optional(z.literal('1')),
    /** Lets preflights (CORS) through unchecked. */
    passPreflight: z.optional(z.literal('1')),
    /** The header, in addition to `Authorization`, that may hold the token. */
    tokenHeader: z.optional(z.string().check(z.maxLength(100))),
    /** Asks a client without a token to send one as a password. */
    askPassword: z.optional(z.literal('1')),
    /** The answer goes to the client itself, after the proxy has refused its request because of an earlier check. */
    refused: z.optional(z.literal('1')),
  }),
  status: 204,
  answer: { raw: 'application/problem+json' },
});
