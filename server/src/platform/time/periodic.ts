import type { Database, Writer } from '../database/database.ts';
import type { Logger } from '../log/logger.ts';

export type Periodic = {
  /** Runs every task once, one after the other; joins a run that is under way. Never rejects. */
  run(): Promise<void>;
  /** No more runs; waits for the one under way. */
  stop(): Promise<void>;
};

/** Runs tasks at intervals; a failure is logged and tried again. The timer keeps no process alive. */
export function createPeriodic(
  logger: Logger,
  everyMs: number,
  tasks: Record<string, () => Promise<unknown>>,
): Periodic {
  let underWay: Promise<void> | null = null;

  async function runAll(): Promise<void> {
    for (const [task, work] of Object.entries(tasks)) {
      try {
        await work();
      } catch (error) {
        logger.error({ err: error, task }, 'a periodic task failed; it runs again later');
      }
    }
  }

  function run(): Promise<void> {
    underWay ??= runAll().finally(() => (underWay = null));
    return underWay;
  }

  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return {
    run,
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}

const batch = 500;

/**
 * Removes what has expired in small transactions, so that other writes never wait long behind one.
 *
 * @param sweep removes up to `most` rows and answers how many were removed
 */
export async function sweepInBatches(
  database: Database,
  sweep: (tx: Writer, most: number) => Promise<number>,
): Promise<void> {
  for (let removed = batch; removed >= batch;) removed = await database.transaction((tx) => sweep(tx, batch));
}
