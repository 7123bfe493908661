/** Time and timers, so that tests can move them. */
export type Clock = {
  /** Milliseconds since the epoch by this computer's clock, which may be wrong: see `server-clock.ts`. */
  now(): number;
  /** Runs `work` once after so many milliseconds; returns a function that cancels it. */
  after(milliseconds: number, work: () => void): () => void;
};

// Browsers treat a longer delay as 0.
const longestDelay = 2_147_483_647;

export const browserClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, Math.min(milliseconds, longestDelay));
    return () => clearTimeout(timer);
  },
};
