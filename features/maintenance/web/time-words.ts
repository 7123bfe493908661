import { createFormats, type Formats } from '#web/platform/i18n/formats.ts';

export type TimeWords = {
  /** With the date unless it is today. */
  time: string;
  /** The same in UTC, which people in several places share; null where it is the same. */
  utc: string | null;
  today: boolean;
};

/** A time, for the reader's zone and in UTC. */
export function timeWords(here: Formats, at: number, now: number): TimeWords {
  const utc = createFormats(here.locale, 'UTC');
  const today = here.date(at) === here.date(now);
  const time = today ? here.time(at) : here.dateTime(at);
  if (here.dateTime(at) === utc.dateTime(at)) return { time, utc: null, today };
  return { time, utc: utc.date(at) === here.date(at) ? utc.time(at) : utc.dateTime(at), today };
}

/** `15 minutes` */
export function inWords({ locale }: Formats, value: number, unit: 'minute' | 'second'): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
