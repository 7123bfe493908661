import type { Clock } from '../platform/time/clock.ts';

export type ManualClock = Clock & {
  /** Lets so many milliseconds pass; due timers run in order, each with the promises that it settles. */
  pass(milliseconds: number): Promise<void>;
  /** Lets the computer sleep for so many milliseconds: the time moves, and timers stand still. */
  sleep(milliseconds: number): void;
};

/** A clock that the test moves. */
export function createManualClock(start = Date.UTC(2026, 10, 21, 12)): ManualClock {
  let now = start;
  const waiting = new Set<{ at: number; work: () => void }>();
  return {
    now: () => now,
    sleep(milliseconds) {
      now += milliseconds;
      for (const entry of waiting) entry.at += milliseconds;
    },
    after(milliseconds, work) {
      const entry = { at: now + milliseconds, work };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    async pass(milliseconds) {
      const until = now + milliseconds;
      await settled();
      for (;;) {
        const [next] = [...waiting].filter((entry) => entry.at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        waiting.delete(next);
        now = next.at;
        next.work();
        await settled();
      }
      now = until;
    },
  };
}

/** Lets every promise that can settle without time or input do so. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await nextTask();
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
