import { typedTime } from '#web/platform/time/wall-times.ts';

const dayMs = 86_400_000;

/** 09:00 in a time zone, `days` days from today. */
export function morningIn(now: number, days: number, timeZone: string): number {
  const day = new Date(Date.parse(`${dayIn(now, timeZone)}T12:00Z`) + days * dayMs)
    .toISOString()
    .slice(0, 10);
  return typedTime(`${day}T09:00`, timeZone);
}

/** As `2026-11-27`. */
function dayIn(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(at);
}

/** The usual times until which a report is snoozed, earliest first; `LATER` only if it is still today. */
export function snoozeTimes(now: number, timeZone: string): { key: string; at: number }[] {
  const today = dayIn(now, timeZone);
  const untilMonday = (8 - new Date(`${today}T12:00Z`).getUTCDay()) % 7 || 7;
  const later = Math.ceil((now + 3 * 3_600_000) / 900_000) * 900_000;
  return [
    ...(dayIn(later, timeZone) === today ? [{ key: 'LATER', at: later }] : []),
    { key: 'TOMORROW', at: morningIn(now, 1, timeZone) },
    { key: 'MONDAY', at: morningIn(now, untilMonday, timeZone) },
    { key: 'FORTNIGHT', at: morningIn(now, 14, timeZone) },
    { key: 'MONTH', at: morningIn(now, 30, timeZone) },
  ];
}
