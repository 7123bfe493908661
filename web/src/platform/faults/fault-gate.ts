import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import type { Clock } from '../time/clock.ts';
import type { Api } from '../calls/call.ts';
import type { ErrorRecord } from '../record-error.ts';
import type { Readable } from '../state/store.ts';

export type FaultGate<T> = {
  /** @param key the same for repetitions of one error */
  offer(key: string, fault: T): void;
  /** Sends what waits, because the page is closing. */
  flush(): void;
};

/** Milliseconds until the same error is sent again. */
export const repeatedAfter = 30_000;
/** Errors of one page, in all. */
export const mostOfAPage = 100;

/**
 * Sends an error at once, and its repetitions at most once in 30 seconds: the last of them, whose id a report
 * may name. A page sends at most 100.
 */
export function createFaultGate<T>(clock: Clock, send: (fault: T, repeated: number) => void): FaultGate<T> {
  const waiting = new Map<string, { last: T | null; repeated: number }>();
  let left = mostOfAPage;

  function sendOne(fault: T, repeated: number): void {
    if (left <= 0) return;
    left -= 1;
    send(fault, repeated);
  }

  function waitFor(key: string): void {
    waiting.set(key, { last: null, repeated: 0 });
    clock.after(repeatedAfter, () => {
      const { last = null, repeated = 0 } = waiting.get(key) ?? {};
      waiting.delete(key);
      if (last === null) return;
      waitFor(key);
      sendOne(last, repeated);
    });
  }

  return {
    offer(key, fault) {
      const repetition = waiting.get(key);
      if (repetition !== undefined) {
        repetition.last = fault;
        repetition.repeated += 1;
        return;
      }
      if (left <= 0) return;
      waitFor(key);
      sendOne(fault, 1);
    },
    flush() {
      for (const repetition of waiting.values()) {
        if (repetition.last !== null) sendOne(repetition.last, repetition.repeated);
        repetition.last = null;
        repetition.repeated = 0;
      }
    },
  };
}

/** What reporting errors needs of its page. */
export type FaultDependencies = {
  boot: Pick<Boot, 'faults' | 'release' | 'production'>;
  api: Pick<Api, 'onProblem'>;
  errors: Pick<ErrorRecord, 'recorded'>;
  clock: Clock;
  /** The path of the screen, parameters by their names. */
  screen: () => string;
  /** What happened before, scrubbed. */
  breadcrumbs: () => readonly Breadcrumb[];
  /** Minutes east of UTC; null: not known yet. */
  timeOffset: () => number | null;
  /** Whose name is removed from messages. */
  currentUser: Readable<Profile | null>;
};
