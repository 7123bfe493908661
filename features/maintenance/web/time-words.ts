import { createFormats, type Formats } from '#web/platform/i18n/formats.ts';

export type TimeWords = {
  /** The time in the reader's zone, with the date unless it is today. */
  time: string;
  /** The time in UTC, which people in several places share; null where it is the same. */
  utc: string | null;
};

const inUtc = new Map<string, Formats>();

/** The formats of the same language, in UTC. */
export function utcFormats({ locale }: Formats): Formats {
  const formats = inUtc.get(locale) ?? createFormats(locale, 'UTC');
  inUtc.set(locale, formats);
  return formats;
}

/** A time, for the reader's zone and in UTC. */
export function timeWords(here: Formats, at: number, now: number): TimeWords {
  const same = here.dateTime(at) === utcFormats(here).dateTime(at);
  return { time: shortTime(here, at, now), utc: same ? null : utcWords(here, at) };
}

/** A time for the reader: without the date if it is today. */
export function shortTime(here: Formats, at: number, now: number): string {
  return isSameDay(here, at, now) ? here.time(at) : here.dateTime(at);
}

/** A time in UTC: without the date if that is the same as in the reader's zone. */
export function utcWords(here: Formats, at: number): string {
  const utc = utcFormats(here);
  return utc.date(at) === here.date(at) ? utc.time(at) : utc.dateTime(at);
}

export function isSameDay(here: Formats, one: number, other: number): boolean {
  return here.date(one) === here.date(other);
}

/** `15 minutes` */
export function inWords({ locale }: Formats, value: number, unit: 'minute' | 'second'): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
