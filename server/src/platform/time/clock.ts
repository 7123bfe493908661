/** The clock that all code asks for the time, so that a test can move it. */
export type Clock = {
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };

/** Callers at the same time share one run of `work`, so that what does not answer is not asked hundreds of times. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => (underWay ??= work().finally(() => (underWay = null)));
}

/**
 * What `answer` becomes, or `otherwise` where that takes more than `ms` milliseconds. An answer that lies ready
 * counts, although this process stood still for longer.
 */
export async function within<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const late = Promise.withResolvers<T>();
  const timer = setTimeout(() => setImmediate(late.resolve, otherwise), ms);
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}
