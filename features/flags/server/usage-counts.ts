import type { Core } from '#server/core.ts';
import type { Evaluator } from './evaluate.ts';
import type { ConnectedClients } from './live-flags.ts';
import { addUsage, minuteStep, type UsageCount, type UsageKind } from './usage.store.ts';

/** How often counts are written; a killed process loses the counts of at most this time (FLAG-16). */
const everyMs = 60_000;
const mostInTransaction = 250;
/** The limit for rows that wait for a database that does not answer; counts for further rows are lost. */
const mostWaiting = 100_000;

/** Counts of one client key that become rows only when they are written. */
type KeyCounts = { of: Evaluator | null; bulk: Uint32Array; whole: number };

export type UsageCounts = ReturnType<typeof createUsageCounts>;

/**
 * Counts evaluations and reports in memory: an evaluation adds one to a number for each flag. Once a minute, and
 * when the process ends, the numbers are added to the database.
 */
export function createUsageCounts({
  database,
  clock,
  logger,
  connected,
}: Pick<Core, 'database' | 'clock' | 'logger'> & {
  /** Clients that hold a stream; they count as readers each minute, since a stream delivers each change. */
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
    // Each row covers five minutes, so counts that wait for the database keep their time.
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
    /** The array, by slot, in which evaluations of all flags with this key are counted. */
    bulk(clientKey: string, evaluator: Evaluator): Uint32Array {
      const counts = countsOf(clientKey);
      if (counts.of !== evaluator) {
        takeBulk(clientKey, counts);
        counts.of = evaluator;
        counts.bulk = new Uint32Array(evaluator.slots.all.length);
      }
      return counts.bulk;
    },
    /** Counts a read of all flags with this key. */
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
