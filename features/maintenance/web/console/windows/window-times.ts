import { wallTimeAt } from '#contract/rules/wall-time.ts';
import type { TFunction } from 'i18next';
import type { Formats } from '#web/platform/i18n/formats.ts';

/** From when to when, in the reader's zone and in UTC; `utc` is null where both are the same. */
export type SpanWords = { own: string; utc: string | null };

const minute = 60_000;
const day = 1_440 * minute;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, timeZone: string, withDate: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone} ${withDate}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, {
    timeZone,
    ...(withDate ? { dateStyle: 'medium' } : {}),
    timeStyle: 'short',
  });
  formatters.set(key, made);
  return made;
}

/** `21 Nov 2026, 22:00–23:00` and `21:00–22:00`, with the date in UTC where it is another one there. */
export function spanWords({ locale, timeZone }: Formats, startsAt: number, endsAt: number): SpanWords {
  const own = rangeWords(locale, timeZone, startsAt, endsAt, true);
  const utc = rangeWords(locale, 'UTC', startsAt, endsAt, true);
  if (own === utc) return { own, utc: null };
  const sameDays = [startsAt, endsAt].every((at) => dayIn(timeZone, at) === dayIn('UTC', at));
  const oneDay = dayIn('UTC', startsAt) === dayIn('UTC', endsAt);
  return {
    own,
    utc: sameDays && oneDay ? rangeWords(locale, 'UTC', startsAt, endsAt, false) : utc,
  };
}

/**
 * Put together from two times: `formatRange` adds in some languages what a single time leaves out, such as
 * “Uhr”.
 */
function rangeWords(locale: string, timeZone: string, from: number, to: number, withDate: boolean): string {
  const [start, date] = [formatter(locale, timeZone, withDate), formatter(locale, timeZone, true)];
  return dayIn(timeZone, from) === dayIn(timeZone, to)
    ? `${start.format(from)}–${formatter(locale, timeZone, false).format(to)}`
    : `${date.format(from)} – ${date.format(to)}`;
}

/** `in 1 hr 35 mins`: the distance of a time, to the minute if it is less than a day. */
export function distanceWords(t: TFunction, formats: Formats, at: number, now: number): string {
  const distance = Math.round((at - now) / minute) * minute;
  if (distance === 0 || Math.abs(distance) >= day) return formats.relative(at, now);
  return t(distance < 0 ? 'MAINTENANCE.CONSOLE.TIME.AGO' : 'MAINTENANCE.CONSOLE.TIME.IN', {
    duration: formats.duration(Math.abs(distance)),
  });
}

/** A time in UTC: without the date if that is the same as in the reader's zone. */
export function utcWords({ locale, timeZone }: Formats, at: number): string {
  return formatter(locale, 'UTC', dayIn(timeZone, at) !== dayIn('UTC', at)).format(at);
}

/** One time in both zones: `22:00` and `21:00`, with the date unless it is today. */
export function timeInBothZones(formats: Formats, at: number, now: number): SpanWords {
  const same = wallTimeAt(at, formats.timeZone) === wallTimeAt(at, 'UTC');
  return { own: shortTime(formats, at, now), utc: same ? null : utcWords(formats, at) };
}

/** `22:00 (21:00 UTC)`; `21:00 UTC` where the reader's clock shows the same at that time. */
export function withUtc(t: TFunction, { own, utc }: SpanWords): string {
  return utc === null
    ? t('MAINTENANCE.CONSOLE.TIME.ONLY_UTC', { time: own })
    : t('MAINTENANCE.CONSOLE.WITH_UTC', { own, utc });
}

/** A time for the reader: without the date if it is today. */
export function shortTime(formats: Formats, at: number, now: number): string {
  return formats.date(at) === formats.date(now) ? formats.time(at) : formats.dateTime(at);
}

function dayIn(timeZone: string, at: number): string {
  return wallTimeAt(at, timeZone)?.slice(0, 10) ?? '';
}
