import * as z from 'zod/mini';
import { route } from '#contract/route.ts';

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
