import type { Core } from '#server/core.ts';

/** The categories of what is sent; each category has its own limits. */
export type Category = 'error' | 'feedback' | 'other';

/**
 * The SDKs' "data categories" that belong to each category. Attachments belong to none: a limit for attachments
 * would make SDKs send feedback without its picture.
 */
const namesOf: Record<Category, string> = {
  error: 'error',
  feedback: 'feedback;user_report',
  other:
    'default;session;transaction;transaction_indexed;span;profile;profile_chunk;replay;monitor;log_item;metric;metric_bucket;statsd;security',
};

/** A call costs one token; an error costs one token for each of this many bytes. */
export const bytesOfToken = 32 * 1024;

const limits = {
  error: { key: { burst: 2_000, perSecond: 100 }, address: { burst: 1_000, perSecond: 50 } },
  feedback: { key: { burst: 200, perSecond: 2 }, address: { burst: 20, perSecond: 1 / 6 } },
  other: { key: { burst: 4_000, perSecond: 400 }, address: { burst: 2_000, perSecond: 200 } },
} as const;

/** What strangers of one network may have stored in a day: bytes, and new kinds of errors. */
const shares = { bytes: 128 * 1024 * 1024, groups: 500 } as const;
const daySeconds = 86_400;

export type LimitedSender = { key: string; address: string };

export type IntakeLimits = {
  /** Takes `cost` from the buckets of the key and of the address; answers the seconds to wait, or 0. */
  take(category: Category, from: LimitedSender, cost: number): number;
  /** The seconds to wait; takes nothing from the buckets. */
  secondsUntil(category: Category, from: LimitedSender, cost?: number): number;
  /** Whether the network of an address may make one more group of errors today. */
  admitsGroup(address: string): boolean;
  /** Counts stored bytes of an address against its network's daily share; returns whether any of it is left. */
  countStored(address: string, bytes: number): boolean;
};

/**
 * Limits for each category, by key and by address. Each category has its own limits, so that a flood of errors
 * never delays feedback, and an answer names the limited category, so that an SDK stops sending only that one.
 */
export function createIntakeLimits({
  rateLimit,
  addressLimit,
}: Pick<Core, 'rateLimit' | 'addressLimit'>): IntakeLimits {
  const buckets = Object.fromEntries(
    Object.entries(limits).map(([category, { key, address }]) => [
      category,
      { key: rateLimit(key), address: addressLimit(address) },
    ]),
  ) as Record<Category, Record<'key' | 'address', ReturnType<Core['rateLimit']>>>;
  const stored = addressLimit({ burst: shares.bytes, perSecond: shares.bytes / daySeconds });
  const groups = addressLimit({ burst: shares.groups, perSecond: shares.groups / daySeconds });
  // Refusals are not thrown: a flood causes thousands a second, and an error with its stack costs more than the
  // rest of a refusal.
  const secondsUntil: IntakeLimits['secondsUntil'] = (category, { key, address }, cost = 1) =>
    Math.max(
      buckets[category].address.secondsUntil(address, cost),
      buckets[category].key.secondsUntil(key, cost),
      category === 'error' ? stored.secondsUntil(address, 1) : 0,
    );
  return {
    admitsGroup(address) {
      if (groups.left(address) < 1) return false;
      groups.take(address);
      return true;
    },
    countStored(address, bytes) {
      stored.take(address, Math.min(bytes, Math.floor(stored.left(address))));
      return stored.left(address) >= 1;
    },
    secondsUntil,
    take(category, from, cost) {
      const seconds = secondsUntil(category, from, cost);
      if (seconds === 0) {
        buckets[category].address.take(from.address, cost);
        buckets[category].key.take(from.key, cost);
      }
      return seconds;
    },
  };
}

/** The header `X-Sentry-Rate-Limits`: the categories that must not be sent, each with its seconds. */
export function rateLimitsHeader(refused: ReadonlyMap<Category, number>): string {
  return [...refused].map(([category, seconds]) => `${seconds}:${namesOf[category]}:key`).join(', ');
}
