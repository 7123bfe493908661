import { minutesEastOfUtc } from './time-offset.ts';

/** A time zone as it is offered. */
export type Zone = {
  /** IANA: `America/Argentina/Buenos_Aires`. */
  readonly id: string;
  /** `America`; empty where the zone belongs to no region. */
  readonly region: string;
  /** `Argentina, Buenos Aires` */
  readonly place: string;
};

/** Zones by region, both in the order of the alphabet; what belongs to no region comes last. */
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

/** The zones that this browser knows, and those that are named besides: the one that is chosen may be under an older name. */
export function knownZones(besides: readonly string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...besides])];
}

/**
 * The zones whose name or offset has every word of the search in it, without regard to case and accents; those with a
 * place that begins so come first.
 */
export function findZones(ids: readonly string[], search: string, now: number): string[] {
  const words = plain(search)
    .split(/[\s,/_]+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...ids];
  const found = ids.filter((id) => {
    const name = plain(id.replaceAll('_', ' '));
    return words.every((word) => name.includes(word) || isOffset(word, id, now));
  });
  const start = words.join(' ');
  const begins = (id: string) =>
    plain(id.replaceAll('_', ' '))
      .split('/')
      .some((part) => part.startsWith(start));
  return [...found.filter(begins), ...found.filter((id) => !begins(id))];
}

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
 * Writes the time in a zone at a moment; one formatter serves them all, since one for each of four hundred zones takes long
 * to make.
 */
export function timeInZones(locale: string): (id: string | null, at: number) => string {
  const format = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  return (id, at) => format.format(at + minutesEastOfUtc(id, at) * 60_000);
}
