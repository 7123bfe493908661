/** Wrong passwords that cost nothing: people mistype. */
const free = 4;
const longestMs = 15 * 60_000;
/** Guesses are forgotten a day after the last one. */
export const guessMemoryMs = 24 * 3_600_000;

/**
 * How long the next guess has to wait after that many in a row: nothing at first, then doubling from a second
 * to 15 minutes.
 */
export function waitAfter(guesses: number): number {
  return guesses <= free ? 0 : Math.min(longestMs, 1000 * 2 ** (guesses - free - 1));
}

/**
 * How long the next request for a new password has to wait after that many: a minute, then doubling to an
 * hour.
 */
export function waitAfterWish(wishes: number): number {
  return Math.min(3_600_000, 60_000 * 2 ** (wishes - 1));
}
