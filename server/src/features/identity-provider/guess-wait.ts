/** Wrong passwords that cost nothing: people mistype. */
const free = 4;
const longestMs = 15 * 60_000;
/** Guesses are forgotten a day after the last one. */
export const guessMemoryMs = 24 * 3_600_000;

/**
 * How long after that many guesses in a row the next one waits: nothing at first, then doubling from a second
 * to 15 minutes.
 */
export function waitAfter(guesses: number): number {
  return guesses <= free ? 0 : Math.min(longestMs, 1000 * 2 ** (guesses - free - 1));
}

/**
 * How long after that many wishes for a new password the next one waits: a minute, then doubling to an hour.
 */
export function waitAfterWish(wishes: number): number {
  return Math.min(3_600_000, 60_000 * 2 ** (wishes - 1));
}
