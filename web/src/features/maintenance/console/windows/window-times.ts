import { wallTimeAt } from '@portico/contract/wall-time';
import type { Formats } from '../../../../platform/i18n/formats.ts';

/** From when to when, in the reader's zone and in UTC; `utc` is null where both are the same. */
export type SpanWords = { own: string; utc: string | null };

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

/** `21 Nov 2026, 22:00 – 23:00` and `21:00 – 22:00`, with the date in UTC where it is another one there. */
export function spanWords({ locale, timeZone }: Formats, startsAt: number, endsAt: number): SpanWords {
  const own = formatter(locale, timeZone, true).formatRange(startsAt, endsAt);
  const utc = formatter(locale, 'UTC', true).formatRange(startsAt, endsAt);
  if (own === utc) return { own, utc: null };
  const sameDays = [startsAt, endsAt].every((at) => dayIn(timeZone, at) === dayIn('UTC', at));
  const oneDay = dayIn('UTC', startsAt) === dayIn('UTC', endsAt);
  return {
    own,
    utc: sameDays && oneDay ? formatter(locale, 'UTC', false).formatRange(startsAt, endsAt) : utc,
  };
}

/** A moment in UTC: the time alone where the day is the one that `here` is on. */
export function utcWords({ locale, timeZone }: Formats, at: number): string {
  return formatter(locale, 'UTC', dayIn(timeZone, at) !== dayIn('UTC', at)).format(at);
}

/** A moment as the reader needs it: the time alone today, else with its date. */
export function momentWords(formats: Formats, at: number, now: number): string {
  return formats.date(at) === formats.date(now) ? formats.time(at) : formats.dateTime(at);
}

function dayIn(timeZone: string, at: number): string {
  return wallTimeAt(at, timeZone)?.slice(0, 10) ?? '';
}
