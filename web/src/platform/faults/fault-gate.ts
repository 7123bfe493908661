import type { Boot } from '#contract/boot.ts';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { Profile } from '#features/profile/contract/profile.ts';
import type { Clock } from '../time/clock.ts';
import type { Api } from '../calls/call.ts';
import type { ErrorRecord } from '../record-error.ts';
import type { Readable } from '../state/store.ts';

export type FaultGate<T> = {
  /** @param key equal for repetitions of the same error */
  offer(key: string, fault: T): void;
  /** Sends the waiting repetitions at once, because the page is closing. */
  flush(): void;
};

/** Milliseconds until the same error is sent again. */
export const repeatedAfter = 30_000;
/** How many errors one page sends at most. */
export const mostOfAPage = 100;

/**
 * Sends an error at once, and of its repetitions only the last one every 30 seconds, since a report may name the
 * id of the last one. A page sends at most 100 errors.
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

/** The parts of the page that reporting errors needs. */
export type FaultDependencies = {
  boot: Pick<Boot, 'faults' | 'release' | 'production'>;
  api: Pick<Api, 'onProblem'>;
  errors: Pick<ErrorRecord, 'recorded'>;
  clock: Clock;
  /** The path of the screen, parameters by their names. */
  screen: () => string;
  /** Returns the scrubbed steps before the error. */
  breadcrumbs: () => readonly Breadcrumb[];
  /** Minutes east of UTC; null: not known yet. */
  timeOffset: () => number | null;
  /** The person whose name is removed from messages. */
  currentUser: Readable<Profile | null>;
};
