import type { Logger } from '#server/platform/log/logger.ts';

const retryMs = 1_000;
/** How long followers wait for a phase change to be recorded, so that they are notified once. */
const timeoutMs = 500;

/**
 * Writes down what has happened to maintenance: one write at a time, and not again at once after one that
 * failed.
 *
 * @param write may fail; `written` follows it, which may as well
 * @param onFailure called after each failure
 */
export function createRecorder(
  { write, written, onFailure }: { write(): Promise<void>; written(): Promise<void>; onFailure(): void },
  logger: Logger,
) {
  let underWay: Promise<void> | null = null;
  let since = 0;
  let nextTry = 0;
  let inTrouble = false;
  let closed = false;

  async function recordNow(): Promise<void> {
    since = performance.now();
    try {
      await write();
      if (inTrouble) logger.info('changes of maintenance are recorded again');
      inTrouble = false;
      await written();
    } catch (error) {
      nextTry = performance.now() + retryMs;
      if (!inTrouble && !closed)
        logger.error(
          { err: error },
          'a change of maintenance cannot be recorded; it is in force, and it is tried again',
        );
      inTrouble = true;
      onFailure();
    }
  }

  return {
    /** Joins a write that is under way. */
    record() {
      underWay ??= recordNow().finally(() => (underWay = null));
      return underWay;
    },
    isUnderWay: () => underWay !== null,
    /** False for a while after a write that failed. */
    mayTry: () => performance.now() >= nextTry,
    /** Whether a write has been under way for so long that others need not wait for it. */
    isSlow: () => performance.now() - since > timeoutMs,
    /** Records nothing more; resolves when nothing is under way. */
    async close() {
      closed = true;
      await underWay;
    },
  };
}
