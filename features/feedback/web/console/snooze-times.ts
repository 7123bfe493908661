import { typedTime } from '#web/platform/time/typed-time.ts';

const dayMs = 86_400_000;

/** Nine in the morning so many days from today, in a zone. */
export function morningIn(now: number, days: number, timeZone: string): number {
  const today = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(now);
  const day = new Date(Date.parse(`${today}T12:00Z`) + days * dayMs).toISOString().slice(0, 10);
  return typedTime(`${day}T09:00`, timeZone);
}

/** The usual times until which a report is snoozed, the first first. */
export function snoozeTimes(now: number, timeZone: string): { key: string; at: number }[] {
  const weekday = new Date(
    `${new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }).format(now)}T12:00Z`,
  );
  const untilMonday = (8 - weekday.getUTCDay()) % 7 || 7;
  return [
    { key: 'LATER', at: Math.ceil((now + 3 * 3_600_000) / 900_000) * 900_000 },
    { key: 'TOMORROW', at: morningIn(now, 1, timeZone) },
    { key: 'MONDAY', at: morningIn(now, untilMonday, timeZone) },
    { key: 'FORTNIGHT', at: morningIn(now, 14, timeZone) },
    { key: 'MONTH', at: morningIn(now, 30, timeZone) },
  ];
}
