import { systemClock, type Clock } from '../platform/time/clock.ts';

export type MovableClock = Clock & {
  /** Moves the time, also back; milliseconds. */
  move(milliseconds: number): void;
};

/** A clock that stands still until it is moved; it starts now, or at the time given. */
export function movableClock(start: number = systemClock.now()): MovableClock {
  let time = start;
  return {
    now: () => time,
    move(milliseconds) {
      time += milliseconds;
    },
  };
}
