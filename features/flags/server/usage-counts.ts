import type { Core } from '#server/core.ts';
import type { Evaluator } from './evaluate.ts';
import type { ConnectedClients } from './live-flags.ts';
import { addUsage, minuteStep, type UsageCount, type UsageKind } from './usage.store.ts';

/** So often counts are written, which is what a killed process loses (FLAG-16). */
const everyMs = 60_000;
const mostInTransaction = 250;
/** Rows that wait for a database that does not answer; what is counted beyond them is lost. */
const mostWaiting = 100_000;

/** Counts that need no row until they are written. */
type KeyCounts = { of: Evaluator | null; bulk: Uint32Array; whole: number };

export type UsageCounts = ReturnType<typeof createUsageCounts>;

/**
 * Counts what is evaluated and reported, in memory: an evaluation adds one to a number for each flag. Once a
 * minute, and at the end, the numbers are added to the database.
 */
export function createUsageCounts({
  database,
  clock,
  logger,
  connected,
}: Pick<Core, 'database' | 'clock' | 'logger'> & {
  /** Clients that hold a stream, which count as readers each minute: a stream brings each change. */
  connected(): ConnectedClients;
}) {
  const keys = new Map<string, KeyCounts>();
  let waiting = new Map<string, UsageCount>();
  let writing: Promise<void> | null = null;

  function countsOf(clientKey: string): KeyCounts {
    let counts = keys.get(clientKey);
    if (counts === undefined) keys.set(clientKey, (counts = { of: null, bulk: new Uint32Array(), whole: 0 }));
    return counts;
  }

  function note(clientKey: string, kind: UsageKind, flagKey = '', value = '', count = 1): void {
    const at = clock.now();
    // Rows of five minutes, so that what waits for the database stays where it belongs.
    const key = JSON.stringify([Math.floor(at / minuteStep), clientKey, kind, flagKey, value]);
    const known = waiting.get(key);
    if (known !== undefined) {
      known.count += count;
      known.at = Math.max(known.at, at);
    } else if (waiting.size < mostWaiting) waiting.set(key, { flagKey, clientKey, kind, value, at, count });
  }

  function takeBulk(clientKey: string, { of, bulk }: KeyCounts): void {
    bulk.forEach((count, place) => {
      const slot = of?.slots.all[place];
      if (count > 0 && slot !== undefined) note(clientKey, 'bulk', slot.flagKey, slot.value, count);
    });
    bulk.fill(0);
  }

  function takeAll(): void {
    for (const [clientKey, counts] of keys) {
      takeBulk(clientKey, counts);
      if (counts.whole > 0) note(clientKey, 'whole', '', '', counts.whole);
      counts.whole = 0;
    }
    for (const [clientKey, clients] of Object.entries(connected()))
      note(clientKey, 'stream', '', '', clients);
  }

  async function write(): Promise<void> {
    takeAll();
    const rows = [...waiting];
    waiting = new Map();
    for (let from = 0; from < rows.length; from += mostInTransaction) {
      const some = rows.slice(from, from + mostInTransaction).map(([, row]) => row);
      try {
        await database.transaction((tx) => addUsage(tx, some));
      } catch (error) {
        logger.warn({ err: error }, 'the use of flags could not be written; it is tried again');
        for (const [key, row] of rows.slice(from)) {
          const newer = waiting.get(key);
          waiting.set(key, newer === undefined ? row : { ...newer, count: newer.count + row.count });
        }
        return;
      }
    }
  }

  function flush(): Promise<void> {
    return (writing ??= write().finally(() => (writing = null)));
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    /** Where evaluations of all flags with this key are counted, by slot. */
    bulk(clientKey: string, evaluator: Evaluator): Uint32Array {
      const counts = countsOf(clientKey);
      if (counts.of !== evaluator) {
        takeBulk(clientKey, counts);
        counts.of = evaluator;
        counts.bulk = new Uint32Array(evaluator.slots.all.length);
      }
      return counts.bulk;
    },
    /** All flags were read with this key. */
    whole(clientKey: string): void {
      countsOf(clientKey).whole += 1;
    },
    note,
    async close(): Promise<void> {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
}
