import { LRUCache } from 'lru-cache';
import type { Clock } from '../time/clock.ts';
import { HttpProblem } from './http-problem.ts';
import { networkOf, sitesRoom } from './network.ts';

/** A bucket: `burst` calls at once, refilled by `perSecond`. */
export type Limit = { burst: number; perSecond: number };

export type RateLimit = {
  /** Takes one call, or `cost`, from the bucket of `key`; throws TOO_MANY_REQUESTS with the wait. */
  take(key: string, cost?: number): void;
  /** Seconds until the bucket of `key` holds so much; 0 where it does. */
  secondsUntil(key: string, cost?: number): number;
  /** How much the bucket of `key` holds now. */
  left(key: string): number;
};

/**
 * Token buckets in memory, at most 50,000 of them, the least used dropped first. Each replica counts for
 * itself: these slow callers down and are no exact count; what guards a password is stored in the database
 * (SES-3).
 *
 * @param scale multiplies both figures (RATE_LIMIT_SCALE)
 */
export function createRateLimit(limit: Limit, clock: Clock, scale: number): RateLimit {
  // A bucket that cannot hold one call would refuse for ever.
  const burst = Math.max(1, limit.burst * scale);
  const perMs = (limit.perSecond * scale) / 1000;
  // With the option `max` the cache would allocate megabytes at once, for callers who never come.
  const buckets = new LRUCache<string, { left: number; at: number }>({
    maxSize: 50_000,
    sizeCalculation: () => 1,
  });
  function bucketOf(key: string): { left: number; at: number } {
    const now = clock.now();
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { left: burst, at: now };
      buckets.set(key, bucket);
    }
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    return bucket;
  }

  const wait = (bucket: { left: number }, cost: number): number =>
    bucket.left < cost ? Math.ceil((cost - bucket.left) / perMs / 1000) : 0;

  return {
    take(key, cost = 1) {
      const bucket = bucketOf(key);
      if (bucket.left < cost) throw new HttpProblem('TOO_MANY_REQUESTS', { retryAfter: wait(bucket, cost) });
      bucket.left -= cost;
    },
    secondsUntil: (key, cost = 1) => wait(bucketOf(key), cost),
    left: (key) => bucketOf(key).left,
  };
}

/**
 * A limit whose keys are addresses, counted by network: an IPv4 address, or the /64 of an IPv6 address. Its /48 has
 * a limit of its own with four times the room, so that a site of many networks has no room without end.
 *
 * @param scale multiplies all figures (RATE_LIMIT_SCALE)
 */
export function createAddressLimit(limit: Limit, clock: Clock, scale: number): RateLimit {
  const networks = createRateLimit(limit, clock, scale);
  const { burst, perSecond } = limit;
  const sites = createRateLimit({ burst: burst * sitesRoom, perSecond: perSecond * sitesRoom }, clock, scale);
  return {
    take(address, cost) {
      const { network, site } = networkOf(address);
      // Nothing is taken from one of the two where the other refuses.
      if (site !== null && networks.secondsUntil(network, cost) === 0) sites.take(site, cost);
      networks.take(network, cost);
    },
    secondsUntil(address, cost) {
      const { network, site } = networkOf(address);
      const seconds = networks.secondsUntil(network, cost);
      return site === null ? seconds : Math.max(seconds, sites.secondsUntil(site, cost));
    },
    left(address) {
      const { network, site } = networkOf(address);
      return site === null ? networks.left(network) : Math.min(networks.left(network), sites.left(site));
    },
  };
}
