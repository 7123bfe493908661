import type { Outcome } from './webhooks.store.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long to wait after the first try, the second, … After the last of them it is given up. */
const waits = [5 * second, 30 * second, 2 * minute, 10 * minute, hour, 4 * hour, 12 * hour];
const longestRetryAfter = 12 * hour;

/** One try, as far as it decides what follows. */
export type Tried = {
  ok: boolean;
  status: number | null;
  /** Milliseconds for which the receiver asks to be left alone, or null. */
  retryAfter: number | null;
};

/**
 * What follows a try.
 *
 * @param tries how often it had been tried before
 * @param random 0 to 1: spreads what failed together by a fifth to either side
 */
export function afterTry(tried: Tried, tries: number, now: number, random: number): Outcome {
  if (tried.ok) return { state: 'delivered', nextTryAt: null };
  const wait = waits[tries];
  if (wait === undefined || tried.status === 410) return { state: 'failed', nextTryAt: null };
  const asked =
    tried.status === 429 || tried.status === 503 ? Math.min(tried.retryAfter ?? 0, longestRetryAfter) : 0;
  return { state: 'waiting', nextTryAt: now + Math.max(Math.round(wait * (0.8 + 0.4 * random)), asked) };
}

/** Milliseconds of a `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3); null where it is neither. */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
