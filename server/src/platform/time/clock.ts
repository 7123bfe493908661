/** The time as everything here asks for it, so that a test can move it. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };
