import * as z from 'zod/mini';
import { route } from '#contract/route.ts';
import { rightName } from '#features/permissions/contract/administration.ts';

/** A path of an application and its access. */
export const pathRule = z.object({
  path: z.string(),
  access: z.enum(['session', 'public', 'token', 'session-or-token']),
  right: z.nullable(z.string()),
  /** Whether the right is in the catalogue, so that someone can hold it. */
  rightIsKnown: z.boolean(),
  whileClosed: z.boolean(),
  /** Whether a POST passes read-only maintenance, since it changes nothing. */
  postReads: z.boolean(),
  /** Whether preflights (CORS) are sent on unchecked. */
  passPreflight: z.boolean(),
  /** The header, in addition to `Authorization`, that may hold the token. */
  tokenHeader: z.string(),
  /** Whether a client without a token is asked to send one as a password. */
  askPassword: z.boolean(),
});

/** An application behind the gateway, as `UPSTREAM_URL` or `UPSTREAMS_FILE` describe it. */
export const application = z.object({
  name: z.string(),
  /** Where Portico reaches it. */
  url: z.string(),
  /** Where browsers reach it; null: at any host. */
  host: z.nullable(z.string()),
  path: z.string(),
  /** Whether it receives paths without `path` in front. */
  stripPath: z.boolean(),
  keepHost: z.boolean(),
  audience: z.string(),
  timeoutSeconds: z.number(),
  /** The application's own names for headers that name the caller, and what each of them holds. */
  identityHeaders: z.record(z.string(), z.string()),
  /** Headers that name a caller and that the application nevertheless accepts from its clients. */
  clientHeaders: z.array(z.string()),
  rules: z.array(pathRule),
});
export type Application = z.infer<typeof application>;

export const listApplications = route({
  method: 'GET',
  path: '/v1/applications',
  summary: 'The applications behind the gateway and their rules, as the configuration holds them (GATE-1)',
  access: { right: 'SETTINGS_WRITE' },
  answer: z.object({
    applications: z.array(application),
    /** WebSockets, event streams and what takes longer than five seconds, open through this process now. */
    openStreams: z.number(),
  }),
});

/** What the gateway's page may report. Each name is also its region's name and, in capitals, its text key. */
export const gatewayCases = [
  'right',
  'refused',
  'signed-out',
  'read-only',
  'closed',
  'down',
  'slow',
  'malformed',
  'unknown',
] as const;
export type GatewayCase = (typeof gatewayCases)[number];

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
