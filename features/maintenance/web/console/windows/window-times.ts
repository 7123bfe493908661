import type { TFunction } from 'i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';
import { isSameDay, type TimeWords, utcFormats } from '../../time-words.ts';

const minute = 60_000;
const day = 1_440 * minute;

/**
 * A span for the reader, `21 Nov 2026, 22:00–23:00`, and in UTC, `21:00–22:00`, with the date where it differs.
 */
export function spanWords(here: Formats, startsAt: number, endsAt: number): TimeWords {
  const there = utcFormats(here);
  const time = rangeWords(here, startsAt, endsAt);
  const utc = rangeWords(there, startsAt, endsAt);
  if (time === utc) return { time, utc: null };
  const sameDay =
    isSameDay(there, startsAt, endsAt) && [startsAt, endsAt].every((at) => here.date(at) === there.date(at));
  return { time, utc: sameDay ? `${there.time(startsAt)}–${there.time(endsAt)}` : utc };
}

/**
 * Start and end, formatted one by one: in some languages `formatRange` adds a word that a single time leaves
 * out, such as “Uhr”.
 */
function rangeWords(formats: Formats, from: number, to: number): string {
  return isSameDay(formats, from, to)
    ? `${formats.dateTime(from)}–${formats.time(to)}`
    : `${formats.dateTime(from)} – ${formats.dateTime(to)}`;
}

/** `in 1 hr 35 mins`: the distance of a time, to the minute if it is less than a day. */
export function distanceWords(t: TFunction, formats: Formats, at: number, now: number): string {
  const distance = Math.round((at - now) / minute) * minute;
  if (distance === 0 || Math.abs(distance) >= day) return formats.relative(at, now);
  return t(distance < 0 ? 'MAINTENANCE.CONSOLE.TIME.AGO' : 'MAINTENANCE.CONSOLE.TIME.IN', {
    duration: formats.duration(Math.abs(distance)),
  });
}

/** `22:00 (21:00 UTC)`; `21:00 UTC` where the reader's clock shows the same at that time. */
export function withUtc(t: TFunction, { time, utc }: TimeWords): string {
  return utc === null
    ? t('MAINTENANCE.CONSOLE.TIME.ONLY_UTC', { time })
    : t('MAINTENANCE.CONSOLE.WITH_UTC', { own: time, utc });
}
