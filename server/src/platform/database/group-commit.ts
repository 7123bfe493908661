import type { Database, Writer } from './database.ts';
import { isStorageFailure } from './storage-failure.ts';

/** Bounds a batch, since on SQLite the event loop waits for a transaction. */
const mostTogether = 50;

type Work = (tx: Writer) => Promise<unknown>;
type Waiting = { work: Work; done: () => void; fail: (error: unknown) => void };

/**
 * Returns a function that runs small writes that notify no subscriber. Writes that come while others are written
 * share the next transaction, and so wait for the disk once. No write is acknowledged before its commit. Where one
 * of them fails, each runs alone.
 */
export function createGroupCommit(database: Pick<Database, 'transaction'>): (work: Work) => Promise<void> {
  const waiting: Waiting[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await write(waiting.splice(0, mostTogether));
    writing = false;
  }

  async function write(group: readonly Waiting[]): Promise<void> {
    try {
      await database.transaction(async (tx) => {
        for (const { work } of group) await work(tx);
      });
      for (const { done } of group) done();
    } catch (error) {
      // A database that is full or does not answer takes none of them.
      if (group.length === 1 || isStorageFailure(error)) for (const { fail } of group) fail(error);
      else for (const one of group) await write([one]);
    }
  }

  return (work) =>
    new Promise((done, fail) => {
      waiting.push({ work, done, fail });
      if (!writing) void writeAll();
    });
}
