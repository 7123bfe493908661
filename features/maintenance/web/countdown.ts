import { useEffect, useRef, useState } from 'react';
import type { ServerClock } from '#web/platform/time/server-clock.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Minutes before the end at which the time left is announced: every second would drown everything else. */
const spokenAt = [60, 15, 5, 1] as const;

/**
 * The time left as a clock: `12:04`, `1:12:04`. Whole seconds, rounded up, so that it shows 0:00 only when
 * the time is over. Null for a day and more, where seconds do not matter.
 */
export function countdownText(milliseconds: number): string | null {
  if (milliseconds >= day) return null;
  const seconds = Math.max(0, Math.ceil(milliseconds / second));
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return `${hours === 0 ? minutes : `${hours}:${two(minutes)}`}:${two(seconds % 60)}`;
}

/**
 * Milliseconds until `countdownText` changes, but at most a minute, so that a clock that was set in between is
 * noticed.
 */
export function untilNextText(milliseconds: number): number {
  if (milliseconds > day) return Math.min(milliseconds - day, minute);
  return ((milliseconds % second) + second) % second || second;
}

/**
 * The minutes to announce when the time left went from `before` to `left` milliseconds; null: none. They are the
 * minutes left, not the threshold, since a sleep or a new plan may have passed several thresholds. A postponed
 * end announces nothing.
 */
export function announcedMinutes(before: number, left: number): number | null {
  if (left <= 0) return null;
  const crossed = spokenAt.some((minutes) => left <= minutes * minute && before > minutes * minute);
  return crossed ? Math.max(1, Math.round(left / minute)) : null;
}

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
