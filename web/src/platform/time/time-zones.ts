import { olderTimeZones, presentTimeZone } from '#contract/time-zones.ts';
import { minutesEastOfUtc } from './time-offset.ts';

/** A time zone to choose. */
export type Zone = {
  /** IANA: `America/Argentina/Buenos_Aires`. */
  readonly id: string;
  /** `America`; empty where the zone belongs to no region. */
  readonly region: string;
  /** `Argentina, Buenos Aires` */
  readonly place: string;
};

/** Zones by region, both in alphabetical order; zones without a region are last. */
export function groupZones(ids: readonly string[]): { region: string; zones: Zone[] }[] {
  const groups = new Map<string, Zone[]>();
  for (const id of [...new Set(ids)].toSorted()) {
    const zone = readZone(id);
    groups.set(zone.region, [...(groups.get(zone.region) ?? []), zone]);
  }
  return [...groups]
    .map(([region, zones]) => ({ region, zones }))
    .toSorted((a, b) => Number(a.region === '') - Number(b.region === ''));
}

function readZone(id: string): Zone {
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
 * The older name of a zone by which the search has found it: `Calcutta`. Null where the present name contains
 * it too, or nothing is searched for.
 */
export function olderNameFound(id: string, search: string): string | null {
  const words = wordsOf(search);
  const has = (name: string) => words.some((word) => namePlain(name).includes(word));
  if (words.length === 0 || has(id)) return null;
  const older = olderTimeZones(id).find(has);
  return older === undefined ? null : readZone(older).place;
}

/** `Kolkata (Calcutta)`; the older name is null for most. */
export function withOlderName(words: string, older: string | null): string {
  return older === null ? words : `${words} (${older})`;
}

/**
 * The zones of which a name, the present one or an older one, or the offset has every word of the search in
 * it, without regard to case and accents; those with a place that begins so come first, by their present
 * names before older ones.
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

/** `+2`, `utc+2`, `gmt-03:30`, `+0530` */
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

/**
 * Writes the time of day in a zone; one formatter serves them all, since creating four hundred
 * takes long.
 */
export function timeInZones(locale: string): (id: string | null, at: number) => string {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return (id, at) => format.format(at + minutesEastOfUtc(id, at) * 60_000);
}
