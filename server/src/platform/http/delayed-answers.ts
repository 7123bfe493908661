export type DelayedAnswers = {
  /** Writes an answer a little later; false if too many are waiting already. */
  delay(write: () => void): boolean;
};

/** Milliseconds that an answer is delayed. */
const delayMs = 100;
/** At most so many are written every `everyMs`, so that a burst does not block other work. */
const mostAtOnce = 25;
const everyMs = 5;
const mostWaiting = 2_000;

/**
 * Delays answers to clients that send too much. A client waits for an answer before it sends again on the
 * same connection, so the delay limits how much processor time a flood can take.
 */
export function createDelayedAnswers(now: () => number = () => performance.now()): DelayedAnswers {
  const waiting: { due: number; write: () => void }[] = [];
  let next = 0;
  let timer: NodeJS.Timeout | undefined;

  function writeDue(): void {
    const at = now();
    const last = Math.min(waiting.length, next + mostAtOnce);
    for (; next < last; next += 1) {
      const { due, write } = waiting[next] as (typeof waiting)[number];
      if (due > at) break;
      write();
    }
    // Written entries are removed in batches, since removing from the front copies the array.
    if (next === waiting.length || next >= mostWaiting) {
      waiting.splice(0, next);
      next = 0;
    }
    timer = waiting.length > 0 ? setTimeout(writeDue, everyMs) : undefined;
  }

  return {
    delay(write) {
      if (waiting.length - next >= mostWaiting) return false;
      waiting.push({ due: now() + delayMs, write });
      timer ??= setTimeout(writeDue, delayMs);
      return true;
    },
  };
}
