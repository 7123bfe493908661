import {
  type CalendarDate,
  CalendarDateTime,
  type DateValue,
  parseDate,
  parseDateTime,
  toCalendarDate,
  toCalendarDateTime,
} from '@internationalized/date';

export type To = 'day' | 'minute';

/** The parts of a date in the order in which a locale writes them. */
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute';

/** The date of a field's value; null for an empty one, and for what is no date. */
export function dateOf(value: string | undefined, to: To): CalendarDate | CalendarDateTime | null {
  if (value === undefined || value === '') return null;
  try {
    const whole = parseDateTime(value);
    return to === 'day' ? toCalendarDate(whole) : whole.set({ second: 0, millisecond: 0 });
  } catch {
    return dayOf(value, to);
  }
}

function dayOf(value: string, to: To): CalendarDate | CalendarDateTime | null {
  try {
    const day = parseDate(value);
    return to === 'day' ? day : toCalendarDateTime(day);
  } catch {
    return null;
  }
}

/** The value of a field: `2026-11-24` or `2026-11-24T22:00`. */
export function textOf(date: DateValue, to: To): string {
  return to === 'day' ? toCalendarDate(date).toString() : toCalendarDateTime(date).toString().slice(0, 16);
}

/**
 * Reads a pasted date: as a field's value (ISO 8601), or in numbers in the order of the person's locale.
 *
 * @param order of the parts, as the locale writes them
 * @param time for a day without one
 * @returns null for what is no date, such as 31 February
 */
export function pastedDate(
  text: string,
  to: To,
  order: readonly Part[],
  time: { hour: number; minute: number },
): CalendarDate | CalendarDateTime | null {
  const iso = /^\s*(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(text);
  const numbers = text.match(/\d+/g)?.map(Number) ?? [];
  const parts: Partial<Record<Part, number>> =
    iso === null
      ? Object.fromEntries(order.map((part, index) => [part, numbers[index]]))
      : Object.fromEntries(
          (['year', 'month', 'day', 'hour', 'minute'] as const).map((part, index) => [part, numbers[index]]),
        );
  const { year: writtenYear, month, day } = parts;
  if (writtenYear === undefined || month === undefined || day === undefined) return null;
  const year = writtenYear < 100 ? 2_000 + writtenYear : writtenYear;
  const { hour = time.hour, minute = time.minute } = parts;
  const read = new CalendarDateTime(year, month, day, halfDay(text, hour), minute);
  const same =
    read.year === year && read.month === month && read.day === day && read.minute === minute && hour < 24;
  if (!same) return null;
  return to === 'day' ? toCalendarDate(read) : read;
}

/** The hour of 24 of one that is written with `AM` or `PM`. */
function halfDay(text: string, hour: number): number {
  if (/\bp\.?\s?m\b/i.test(text)) return (hour % 12) + 12;
  return /\ba\.?\s?m\b/i.test(text) ? hour % 12 : hour;
}
