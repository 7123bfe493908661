import { HttpProblem } from '#server/platform/http/http-problem.ts';

export type BodyBudgetOptions = {
  /** Bytes of all bodies that are held at once. */
  bytes: number;
  /** Bytes of one sender's bodies that are held at once. */
  bytesEach: number;
  /** How long a body waits for its place, milliseconds. */
  timeoutMs: number;
};

/** A place for a body. */
export type Place = {
  /** Resolves once the bytes are free; rejects with UNAVAILABLE after the timeout. */
  entered: Promise<void>;
  /** Releases the bytes, or the place in the queue. */
  leave(): void;
};

type Waiting = { sender: string; bytes: number; admit: () => void };

/**
 * Bounds the memory that large bodies take: each gets its place before it is read, first come, first served.
 * A sender who sends several at once, or slowly, delays no other sender.
 */
export function createBodyBudget({ bytes: all, bytesEach, timeoutMs }: BodyBudgetOptions) {
  const inside = new Map<string, number>();
  const queue: Waiting[] = [];
  let taken = 0;

  function admitWaiting(): void {
    for (let index = 0; index < queue.length;) {
      const next = queue[index];
      if (next === undefined || taken + next.bytes > all) return;
      const own = inside.get(next.sender) ?? 0;
      if (own + next.bytes > bytesEach) {
        index += 1;
        continue;
      }
      queue.splice(index, 1);
      inside.set(next.sender, own + next.bytes);
      taken += next.bytes;
      next.admit();
    }
  }

  function release(sender: string, bytes: number): void {
    const own = (inside.get(sender) ?? 0) - bytes;
    if (own > 0) inside.set(sender, own);
    else inside.delete(sender);
    taken -= bytes;
    admitWaiting();
  }

  return {
    /** @param wanted the most bytes that the body may have */
    enter(sender: string, wanted: number): Place {
      const bytes = Math.min(wanted, bytesEach, all);
      let state: 'waiting' | 'inside' | 'gone' = 'waiting';
      let leave = (): void => undefined;
      const entered = new Promise<void>((done, fail) => {
        const waiting: Waiting = {
          sender,
          bytes,
          admit() {
            clearTimeout(timeout);
            state = 'inside';
            done();
          },
        };
        leave = () => {
          clearTimeout(timeout);
          if (state === 'inside') release(sender, bytes);
          if (state === 'waiting') {
            queue.splice(queue.indexOf(waiting), 1);
            fail(new HttpProblem('UNAVAILABLE', { retryAfter: 5, detail: 'Too many large bodies at once.' }));
          }
          state = 'gone';
          admitWaiting();
        };
        const timeout = setTimeout(() => leave(), timeoutMs);
        queue.push(waiting);
        admitWaiting();
      });
      return { entered, leave };
    },
  };
}
