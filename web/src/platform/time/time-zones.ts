import { olderTimeZones, presentTimeZone } from '#contract/time-zones.ts';
import { minutesEastOfUtc } from './time-offset.ts';

/** A time zone as a list offers it. */
export type ZoneOption = { key: string; label: string; hint?: string; group?: string };

/** The most results of a search that are offered; the wanted zone is among the first. */
const mostFound = 40;

/**
 * The zones that are offered for the typed text. Nothing typed: all zones by region, in alphabetical order, those
 * without a region last. Otherwise the zones that a search finds, with their time.
 *
 * @param first keys of zones that are offered elsewhere while nothing is typed
 * @param others the heading of zones without a region
 */
export function zoneOptions(
  typed: string,
  known: readonly string[],
  now: number,
  { locale, others, first }: { locale: string; others: string; first: readonly string[] },
): ZoneOption[] {
  if (wordsOf(typed).length > 0)
    return findZones(known, typed, now)
      .slice(0, mostFound)
      .map((id) => {
        const { region, place } = readZone(id);
        const older = olderNameFound(id, typed);
        return {
          key: id,
          label: older === null ? place : `${place} (${older})`,
          hint: [region, timeInZone(id, now, locale)].filter(Boolean).join(' \u00B7 '),
        };
      });
  const zones = known.filter((id) => !first.includes(id)).map(readZone);
  return zones
    .toSorted((a, b) => Number(a.region === '') - Number(b.region === '') || (a.id < b.id ? -1 : 1))
    .map(({ id, region, place }) => ({ key: id, label: place, group: region === '' ? others : region }));
}

/** The time in a zone, as `14:05 (UTC+2)`; null: the zone of this device. */
export function timeInZone(id: string | null, now: number, locale: string): string {
  const east = minutesEastOfUtc(id, now);
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(now + east * 60_000)} (${offsetName(east)})`;
}

/** The region of a zone (empty: none) and its place, such as `America` and `Argentina, Buenos Aires`. */
function readZone(id: string): { id: string; region: string; place: string } {
  const [region = '', ...places] = id.replaceAll('_', ' ').split('/');
  return places.length === 0 ? { id, region: '', place: region } : { id, region, place: places.join(', ') };
}

/** The zones that this browser knows and the given ones, each once under its present name. */
export function knownZones(besides: readonly string[]): string[] {
  return [
    ...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...besides].map(presentTimeZone)),
  ].toSorted();
}

/**
 * The older name by which the search has found a zone, such as `Calcutta`. Null if the search matches the present
 * name too, or is empty.
 */
function olderNameFound(id: string, search: string): string | null {
  const words = wordsOf(search);
  const has = (name: string) => words.every((word) => namePlain(name).includes(word));
  if (words.length === 0 || has(id)) return null;
  const older = olderTimeZones(id).find(has);
  return older === undefined ? null : readZone(older).place;
}

/**
 * Returns the zones that match every word of the search by a present or older name or by the offset, ignoring case
 * and accents. Zones with a region or place that begins with the search come first; matches by the present name
 * come before matches by an older name.
 */
export function findZones(ids: readonly string[], search: string, now: number): string[] {
  const words = wordsOf(search);
  if (words.length === 0) return [...ids];
  const start = words.join(' ');
  const begins = (name: string) =>
    namePlain(name)
      .split('/')
      .some((part) => part.startsWith(start));
  const rank = (id: string): number => {
    const names = [id, ...olderTimeZones(id)].filter((name) =>
      words.every((word) => namePlain(name).includes(word) || isOffset(word, id, now)),
    );
    if (names.length === 0) return 0;
    if (names[0] === id) return begins(id) ? 4 : 2;
    return names.some(begins) ? 3 : 1;
  };
  return ids
    .map((id) => ({ id, rank: rank(id) }))
    .filter((one) => one.rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ id }) => id);
}

function wordsOf(search: string): string[] {
  return plain(search)
    .split(/[\s,/_]+/)
    .filter((word) => word !== '');
}

const namePlain = (id: string) => plain(id.replaceAll('_', ' '));

/** Whether a word is the offset of the zone: `+2`, `utc+2`, `gmt-03:30`, `+0530`. */
function isOffset(word: string, id: string, now: number): boolean {
  const [, sign, hours = '0', minutes = '0'] =
    /^(?:utc|gmt)?([+\-\u2212])(\d{1,2}):?(\d{2})?$/.exec(word) ?? [];
  if (sign === undefined) return false;
  const distance = Number(hours) * 60 + Number(minutes);
  return minutesEastOfUtc(id, now) === (sign === '+' ? distance : -distance);
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** `UTC`, `UTC+2`, `UTC−03:30`: minutes east of UTC, with a true minus. */
export function offsetName(minutesEast: number): string {
  if (minutesEast === 0) return 'UTC';
  const distance = Math.abs(minutesEast);
  const over = distance % 60;
  const rest = over === 0 ? '' : `:${String(over).padStart(2, '0')}`;
  return `UTC${minutesEast < 0 ? '\u2212' : '+'}${Math.floor(distance / 60)}${rest}`;
}
