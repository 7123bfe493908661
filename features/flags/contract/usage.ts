import * as z from 'zod/mini';
import { instant } from '#contract/text.ts';
import { route } from '#contract/route.ts';

/** A flag that is not read for this long counts as unread. */
export const unreadAfterMs = 14 * 86_400_000;

/**
 * Whether code reads a flag. `read`: by its name within 14 days. `unread`: not in that time. `not-known`: the flag
 * or the counting is too new, or clients that receive all flags do not report which ones they use.
 */
export const flagVerdict = z.enum(['read', 'unread', 'not-known']);

/** A summary of the use of a flag (FLAG-16). */
export const flagUseSummary = z.object({
  key: z.string(),
  verdict: flagVerdict,
  /** When a client last asked for the flag by name, or an SDK reported its use; at most 30 days ago. */
  lastRead: z.nullable(instant),
  /** True: the flag is unread and the same for everyone, and no other flag depends on it. */
  safeToRemove: z.boolean(),
});
export type FlagUseSummary = z.infer<typeof flagUseSummary>;

/** `evaluations`: by the server; `seen`: results that SDKs reported, each once for several evaluations. */
const counted = { evaluations: z.number(), seen: z.number() };

const flagUsage = z.object({
  ...flagUseSummary.shape,
  /** When counting began, at most 30 days ago; null: nothing has been counted. */
  countedSince: z.nullable(instant),
  /** The clients that receive all flags and report nothing: names of client keys, or `portico.js`. */
  silent: z.array(z.string()),
  /** `days`: the last 30 days in UTC; `hours`: the last 24 hours; the current day or hour comes last. */
  days: z.array(z.object({ at: instant, ...counted })),
  hours: z.array(z.object({ at: instant, ...counted })),
  /** Counts of 30 days; `value` is JSON (the beginning of a long one), or empty for all other values. */
  values: z.array(z.object({ value: z.string(), ...counted })),
  keys: z.array(
    z.object({
      name: z.string(),
      ...counted,
      lastAt: instant,
      /** The SDKs that reported with the key, such as `js 1.8.0`, the latest first. */
      sdks: z.array(z.string()),
    }),
  ),
});
export type FlagUsage = z.infer<typeof flagUsage>;

export const getFlagUsage = route({
  method: 'GET',
  path: '/v1/flags/:flagKey/usage',
  summary: 'How often a flag was evaluated and its results seen, and whether code still reads it (FLAG-16)',
  access: { right: 'FLAGS_READ' },
  params: z.object({ flagKey: z.string().check(z.maxLength(101)) }),
  answer: flagUsage,
});

/** How a client key was used in the last 30 days: reads, refused requests and reports. */
export const keyHealth = z.object({
  key: z.string(),
  /** When flags were last read with the key, or a client was last connected. */
  lastRead: z.nullable(instant),
  /** Refused requests: the body was invalid, or the request is not for this kind of key. */
  refused: z.number(),
  lastRefused: z.nullable(instant),
  /** Variations of people that could not be stored (FLAG-21). */
  unkept: z.number(),
  /** Reported uses of flags that do not exist. */
  unknownFlags: z.number(),
  /** The SDKs that reported, such as `js 1.8.0`, the latest first. */
  sdks: z.array(z.string()),
});
export type KeyHealth = z.infer<typeof keyHealth>;

/** The members that Portico reads of a report of GrowthBook's tracking plugin; none is about the person. */
export const trackedEvents = z
  .array(
    z.object({
      event_name: z.string(),
      properties_json: z.optional(
        z.object({ feature: z.optional(z.unknown()), value: z.optional(z.unknown()) }),
      ),
      sdk_language: z.optional(z.string()),
      sdk_version: z.optional(z.string()),
    }),
  )
  .check(z.maxLength(500));

export const trackEvents = route({
  method: 'POST',
  path: '/track',
  summary:
    "Events of GrowthBook's tracking plugin, which count as results seen of flags; the client key as `client_key` (FLAG-16)",
  access: 'client-key',
  closed: 'open',
  bytes: true,
  answer: 'nothing',
});
