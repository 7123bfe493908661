import { useEffect, useRef, useState } from 'react';
import type { ServerClock } from '#web/platform/time/server-clock.ts';
import { announcedMinutes, untilNextText } from './countdown.ts';

/** Timers stand still while a computer sleeps. */
const longestWait = 30_000;

export type RunningCountdown = {
  /** Milliseconds since the epoch by the server. */
  now: number;
  /** Milliseconds that are left; negative once it is over. */
  left: number;
  /** The minutes to announce now, or null. */
  spoken: number | null;
};

/** Counts down to a time of the server, second by second. */
export function useCountdown(to: number, clock: Pick<ServerClock, 'now'>): RunningCountdown {
  const [now, setNow] = useState(clock.now);
  const [spoken, setSpoken] = useState<number | null>(null);
  const before = useRef(0);
  const left = to - now;

  useEffect(() => {
    const crossed = announcedMinutes(before.current, left);
    before.current = left;
    if (crossed !== null) setSpoken(crossed);
    const timer = setTimeout(() => setNow(clock.now()), untilNextText(left));
    return () => clearTimeout(timer);
  }, [clock, left]);

  return { now, left, spoken: left > 0 ? spoken : null };
}

/** Whether a time of the server has passed, live; null: never. */
export function usePassed(at: number | null, clock: Pick<ServerClock, 'now'>): boolean {
  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    if (at === null || at <= now) return undefined;
    const timer = setTimeout(() => setNow(clock.now()), Math.min(at - now, longestWait));
    return () => clearTimeout(timer);
  }, [clock, at, now]);
  return at !== null && at <= now;
}
