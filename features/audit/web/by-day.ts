import type { AuditEntry } from '#features/audit/contract/audit.ts';

export type Day = { day: string; entries: AuditEntry[] };

/**
 * Groups entries by the day on which they were made in a time zone, and keeps their order.
 *
 * @returns each day as `2026-11-23`
 */
export function byDay(entries: readonly AuditEntry[], timeZone: string): Day[] {
  const days: Day[] = [];
  const dayOf = dayIn(timeZone);
  for (const entry of entries) {
    const day = dayOf(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}

/** The heading of a day: today and yesterday by these words and the date, others by weekday and date. */
export function dayWords(
  day: string,
  now: number,
  { locale, timeZone }: { locale: string; timeZone: string },
): string {
  const daysAgo = Math.round((Date.parse(dayIn(timeZone)(now)) - Date.parse(day)) / 86_400_000);
  // `day` is already a day of the person's time zone, so it is formatted without another conversion.
  const date = (dateStyle: 'full' | 'long') =>
    new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }).format(Date.parse(day));
  if (daysAgo !== 0 && daysAgo !== 1) return date('full');
  const word = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-daysAgo, 'day');
  return `${word.charAt(0).toLocaleUpperCase(locale)}${word.slice(1)}, ${date('long')}`;
}

function dayIn(timeZone: string): (at: number) => string {
  // Swedish dates have the form `2026-11-23`.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return (at) => format.format(at);
}
