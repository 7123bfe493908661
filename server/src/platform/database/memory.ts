import type { Logger } from '../log/logger.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Topic } from './database.ts';

/** A value that is held in memory, and read again after each change of it. */
export type Memory<V> = {
  current(): V;
  /** Reads the value again, after a change that none of its topics publishes. */
  readAgain(): void;
  /** Resolves when the changes before this call have been read, or a reading has failed. */
  caughtUp(): Promise<void>;
  close(): void;
};

const retryMs = 1_000;

/**
 * Reads a value and holds it. One read runs at a time, so that an older result never replaces a newer one; the next
 * read covers all changes during the current one. A read that fails leaves the value as it is and is repeated after
 * a second.
 *
 * @throws what the first reading throws
 */
export async function memoryOf<V>(parts: {
  read: () => Promise<V>;
  feed: Pick<ChangeFeed, 'on'>;
  /** A change of any of these is a reason to read again. */
  topics: readonly Topic[];
  logger: Logger;
  /** The log line for a reading that failed. */
  failure: string;
  /** Called after each later reading. */
  onRead?: (value: V) => void;
}): Promise<Memory<V>> {
  let stale = false;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;
  // Not null during the first read: a change during that read is read after it.
  let running: Promise<void> | null = Promise.resolve();

  function readAgain(): void {
    if (closed) return;
    clearTimeout(retry);
    stale = true;
    running ??= readWhileStale();
  }

  async function readWhileStale(): Promise<void> {
    while (stale) {
      stale = false;
      try {
        const next = await parts.read();
        if (closed) break;
        value = next;
        parts.onRead?.(next);
      } catch (error) {
        if (closed) break;
        parts.logger.error({ err: error }, parts.failure);
        retry = setTimeout(readAgain, retryMs);
        break;
      }
    }
    // In one step with the last look at `stale`: a change between the two would be lost.
    running = null;
  }

  for (const topic of parts.topics) parts.feed.on(topic, readAgain);
  let value = await parts.read();
  running = null;
  if (stale) readAgain();

  return {
    current: () => value,
    readAgain,
    caughtUp: () => running ?? Promise.resolve(),
    close() {
      closed = true;
      clearTimeout(retry);
    },
  };
}
