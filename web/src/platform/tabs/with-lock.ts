import type { Clock } from '../time/clock.ts';

/** Web Locks, which all tabs of an origin share. */
export type Locks = Pick<LockManager, 'request'>;

/**
 * Does the work while no other tab does work of that name. A frozen tab that holds the lock must not stop the
 * others: after `timeout` milliseconds the work is done without the lock, as it is where there are no locks.
 */
export async function withLock<T>(
  locks: Locks | undefined,
  clock: Clock,
  name: string,
  timeout: number,
  work: () => Promise<T>,
): Promise<T> {
  if (locks === undefined) return work();
  const waiting = new AbortController();
  const cancel = clock.after(timeout, () => waiting.abort());
  let begun = false;
  try {
    return await locks.request(name, { signal: waiting.signal }, () => {
      begun = true;
      cancel();
      return work();
    });
  } catch (error) {
    if (begun) throw error;
    return await work();
  } finally {
    cancel();
  }
}
