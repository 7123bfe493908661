import type { Core } from '#server/core.ts';

/** What is limited apart from the rest. */
export type Category = 'error' | 'feedback' | 'other';

/**
 * What SDKs call what belongs to a category (their "data categories"). Attachments are in none: a limit of
 * theirs would make SDKs send feedback without its picture.
 */
const namesOf: Record<Category, string> = {
  error: 'error',
  feedback: 'feedback;user_report',
  other:
    'default;session;transaction;transaction_indexed;span;profile;profile_chunk;replay;monitor;log_item;metric;metric_bucket;statsd;security',
};

/** Calls, but errors also by their size: one token for each so many bytes. */
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
  /** The seconds to wait, without taking anything. */
  secondsUntil(category: Category, from: LimitedSender, cost?: number): number;
  /** Whether the network of an address may make one more group of errors today. */
  admitsGroup(address: string): boolean;
  /** Counts what was stored of an address to the share of its network; answers whether some of it is left. */
  countStored(address: string, bytes: number): boolean;
};

/**
 * Limits for each category, by key and by address. They are apart, so that a flood of errors never delays
 * feedback, and each is answered so that an SDK stops sending that category alone.
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
  // No refusal is thrown: of a flood there are thousands a second, and an error with its stack costs more than
  // all else about them.
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

/** The header `X-Sentry-Rate-Limits`: for how many seconds which categories are not to be sent. */
export function rateLimitsHeader(refused: ReadonlyMap<Category, number>): string {
  return [...refused].map(([category, seconds]) => `${seconds}:${namesOf[category]}:key`).join(', ');
}
