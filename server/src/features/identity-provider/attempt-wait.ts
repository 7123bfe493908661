/** Wrong passwords without a wait: people mistype. */
const free = 4;
const longestMs = 15 * 60_000;
/** Failed attempts are no longer counted a day after the last one. */
export const attemptMemoryMs = 24 * 3_600_000;

/**
 * Milliseconds that the next attempt has to wait after so many in a row: none at first, then doubling from a
 * second to 15 minutes.
 */
export function waitAfter(attempts: number): number {
  return attempts <= free ? 0 : Math.min(longestMs, 1000 * 2 ** (attempts - free - 1));
}

/**
 * Milliseconds that the next request for a new password has to wait after so many: a minute, then doubling to
 * an hour.
 */
export function waitAfterRequest(requests: number): number {
  return Math.min(3_600_000, 60_000 * 2 ** (requests - 1));
}
