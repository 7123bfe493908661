import type { Clock } from '#web/platform/time/clock.ts';

/** A time that runs out, and can be paused. */
export type Countdown = {
  /** Starts again from the beginning, also while it runs. */
  start(): void;
  /** Pauses. */
  hold(): void;
  /** Resumes with the remaining time. */
  release(): void;
  cancel(): void;
};

/** @param whenOver called once for each start that is not cancelled */
export function createCountdown(clock: Clock, milliseconds: number, whenOver: () => void): Countdown {
  let left = 0;
  /** When it was started or resumed; null while it is paused. */
  let since: number | null = null;
  let stopTimer = () => {};

  function stop(): void {
    stopTimer();
    since = null;
  }

  function run(): void {
    since = clock.now();
    stopTimer = clock.after(left, () => {
      left = 0;
      since = null;
      whenOver();
    });
  }

  return {
    start() {
      stop();
      left = milliseconds;
      run();
    },
    hold() {
      if (since === null) return;
      left = Math.max(0, left - (clock.now() - since));
      stop();
    },
    release() {
      if (since === null && left > 0) run();
    },
    cancel() {
      stop();
      left = 0;
    },
  };
}
