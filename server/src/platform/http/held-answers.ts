export type HeldAnswers = {
  /** Writes an answer a little later; false where so many wait that this one cannot. */
  hold(write: () => void): boolean;
};

/** So long answers are held, milliseconds. */
const heldMs = 100;
/** So many at once are written each few milliseconds, so that many that came together hold up nothing else. */
const mostAtOnce = 25;
const everyMs = 5;
const mostHeld = 2_000;

/**
 * Answers to those who send too much, each held for a moment: a sender waits for its answer before it sends on
 * the same connection again, so a flood takes no more of the processor than its connections can ask in that time.
 */
export function createHeldAnswers(now: () => number = () => performance.now()): HeldAnswers {
  const held: { due: number; write: () => void }[] = [];
  let next = 0;
  let timer: NodeJS.Timeout | undefined;

  function writeDue(): void {
    const at = now();
    const last = Math.min(held.length, next + mostAtOnce);
    for (; next < last; next += 1) {
      const { due, write } = held[next] as (typeof held)[number];
      if (due > at) break;
      write();
    }
    // What was written is let go of now and then, not each time.
    if (next === held.length || next >= mostHeld) {
      held.splice(0, next);
      next = 0;
    }
    timer = held.length > 0 ? setTimeout(writeDue, everyMs) : undefined;
  }

  return {
    hold(write) {
      if (held.length - next >= mostHeld) return false;
      held.push({ due: now() + heldMs, write });
      timer ??= setTimeout(writeDue, heldMs);
      return true;
    },
  };
}
