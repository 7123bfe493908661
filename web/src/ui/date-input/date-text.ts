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

/** A part of a date. */
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute';

/** Parses the value of a field; null if the value is empty or no date. */
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
 * Parses a pasted date: a field's value (ISO 8601), or numbers in the order of the person's locale.
 *
 * @param order the parts in the order in which the locale writes them
 * @param time the time for a text without a time
 * @returns null if the text is no date, such as 31 February
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

/** Converts an hour that is written with `AM` or `PM` to the 24-hour clock. */
function halfDay(text: string, hour: number): number {
  if (/\bp\.?\s?m\b/i.test(text)) return (hour % 12) + 12;
  return /\ba\.?\s?m\b/i.test(text) ? hour % 12 : hour;
}
