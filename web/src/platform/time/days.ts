import { dayStart } from './wall-times.ts';

/** The starts of so many days in a zone, the last of them the day of `now`, and then the start of the next day. */
export function daysUntil(now: number, days: number, timeZone: string): number[] {
  return dayStarts(now, timeZone, 1 - days, 2);
}

/** The starts of so many days in a zone, the first of them the day of `now`, and then the start of the next day. */
export function daysFrom(now: number, days: number, timeZone: string): number[] {
  return dayStarts(now, timeZone, 0, days + 1);
}

function dayStarts(now: number, timeZone: string, from: number, until: number): number[] {
  const today = Date.parse(`${dayOf(now, timeZone)}T00:00Z`);
  return Array.from({ length: until - from }, (_, index) => {
    // A calendar day, counted in UTC, where each has 24 hours.
    const day = new Date(today + (from + index) * 86_400_000).toISOString().slice(0, 10);
    return dayStart(day, timeZone) ?? Date.parse(`${day}T00:00Z`);
  });
}

/** The day in a zone, as `2026-11-23`. */
function dayOf(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return parts.format(at);
}

/**
 * Sums the counts that fall on each day.
 *
 * @param counted counts with their times
 * @param starts the starts of the days, and then the start of the day after them
 */
export function countsByDay(
  counted: readonly (readonly [at: number, count: number])[],
  starts: readonly number[],
): number[] {
  return starts.slice(0, -1).map((start, index) => {
    const end = starts[index + 1] ?? start;
    return counted.reduce((sum, [at, count]) => (at >= start && at < end ? sum + count : sum), 0);
  });
}

/** For each day, whether at least a part of any span falls on it. */
export function daysTouched(
  spans: readonly { startsAt: number; endsAt: number }[],
  starts: readonly number[],
): boolean[] {
  return starts.slice(0, -1).map((start, index) => {
    const end = starts[index + 1] ?? start;
    return spans.some(({ startsAt, endsAt }) => startsAt < end && endsAt > start);
  });
}

/** `15 minutes`, `1 hour`, `1 day, 9 hours`. */
export function minutesInWords(locale: string, minutes: number): string {
  const parts = [
    ['day', Math.floor(minutes / 1_440)],
    ['hour', Math.floor(minutes / 60) % 24],
    ['minute', minutes % 60],
  ] as const;
  const shown = parts.filter(([unit, count]) => count > 0 || (unit === 'minute' && minutes === 0));
  return new Intl.ListFormat(locale, { type: 'unit', style: 'long' }).format(
    shown.map(([unit, count]) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count),
    ),
  );
}
