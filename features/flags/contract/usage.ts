import * as z from 'zod/mini';
import { instant } from '#contract/text.ts';
import { route } from '#contract/route.ts';

/** So long a flag is not read before it counts as unread. */
export const unreadAfterMs = 14 * 86_400_000;

/**
 * Whether code reads a flag: `read` by its name within 14 days, `unread` since, or `not-known`: it is too new, counting
 * is, or clients that receive all flags do not report which they use.
 */
export const flagVerdict = z.enum(['read', 'unread', 'not-known']);

/** What is known of the use of a flag (FLAG-16). */
export const flagUseSummary = z.object({
  key: z.string(),
  verdict: flagVerdict,
  /** When a client asked for it by name, or an SDK reported that it used its value; at most 30 days ago. */
  lastRead: z.nullable(instant),
  /** Unread, the same for everyone, and no other flag depends on it. */
  safeToRemove: z.boolean(),
});
export type FlagUseSummary = z.infer<typeof flagUseSummary>;

/** Evaluations by the server, and results that SDKs reported, each once for several evaluations. */
const counted = { evaluations: z.number(), seen: z.number() };

const flagUsage = z.object({
  ...flagUseSummary.shape,
  /** Since when it is counted, at most 30 days; null: nothing has been counted. */
  countedSince: z.nullable(instant),
  /** The clients that receive all flags and report nothing: names of client keys, or `portico.js`. */
  silent: z.array(z.string()),
  /** The last 30 days in UTC, and the last 24 hours, the present one last. */
  days: z.array(z.object({ at: instant, ...counted })),
  hours: z.array(z.object({ at: instant, ...counted })),
  /** Of 30 days; `value` is JSON, of a long one its beginning, and empty for any other value. */
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

/** How a client key fared in the last 30 days. */
export const keyHealth = z.object({
  key: z.string(),
  /** When flags were last read with it, or a client was last connected. */
  lastRead: z.nullable(instant),
  /** Requests that were refused: bodies that do not fit, and what is not for this kind of key. */
  refused: z.number(),
  lastRefused: z.nullable(instant),
  /** Variations of people that could not be kept (FLAG-21). */
  unkept: z.number(),
  /** Reported uses of flags that there are not. */
  unknownFlags: z.number(),
  /** The SDKs that reported, such as `js 1.8.0`, the latest first. */
  sdks: z.array(z.string()),
});
export type KeyHealth = z.infer<typeof keyHealth>;

/** What GrowthBook's tracking plugin sends: here what is read of it, none of which is about the person. */
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
