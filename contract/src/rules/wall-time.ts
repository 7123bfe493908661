import type { WallTime } from '../wall-time.ts';

/**
 * The points in time of a wall time, in milliseconds since the epoch. `skipped`: the clocks go forward over
 * it, so there is none; `before` and `after` are the nearest. `doubled`: the clocks go back over it, so there
 * are two.
 */
export type ResolvedWallTime =
  | { kind: 'one'; at: number }
  | { kind: 'skipped'; before: number; after: number }
  | { kind: 'doubled'; first: number; second: number }
  | { kind: 'unknown-zone' }
  | { kind: 'no-such-date' };

const minute = 60_000;
const day = 1_440 * minute;
/** The largest time of a JavaScript date, in milliseconds from the epoch. */
const lastDate = 8_640_000_000_000_000;

/** Resolves a wall time by the rules of its zone, as this runtime knows them. */
export function resolveWallTime({ local, timeZone, offset }: WallTime): ResolvedWallTime {
  const named = zoneFormat(timeZone);
  if (named === null) return { kind: 'unknown-zone' };
  const asUtc = Date.parse(`${local}Z`);
  if (!Number.isFinite(asUtc) || !new Date(asUtc).toISOString().startsWith(local))
    return { kind: 'no-such-date' };
  // Zones differ from UTC by less than a day, and do not change twice within two.
  const offsets = [...new Set([asUtc - day, asUtc + day].map((at) => offsetAt(named, at)))];
  const candidates = offsets.map((one) => asUtc - one).filter((at) => at + offsetAt(named, at) === asUtc);
  const [first, second] = candidates.toSorted((a, b) => a - b);
  if (first === undefined) {
    const [least = 0, most = 0] = offsets.toSorted((a, b) => a - b);
    return { kind: 'skipped', before: asUtc - most, after: asUtc - least };
  }
  if (second === undefined) return { kind: 'one', at: first };
  const meant = offset === undefined ? undefined : candidates.find((at) => asUtc - at === offset * minute);
  return meant === undefined ? { kind: 'doubled', first, second } : { kind: 'one', at: meant };
}

/**
 * The wall time of a point in time.
 *
 * @param at milliseconds since the epoch
 * @returns `2026-10-25T02:30`; null for an unknown zone and beyond the range of dates
 */
export function wallTimeAt(at: number, timeZone: string): string | null {
  const named = zoneFormat(timeZone);
  const shown = named === null ? Number.NaN : at + offsetAt(named, at);
  return Math.abs(shown) <= lastDate ? new Date(shown).toISOString().slice(0, -8) : null;
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  // `Intl` accepts an offset such as `+02:00` as a zone, but without daylight saving: hardly what is meant.
  if (!/^[A-Za-z]/.test(timeZone)) return null;
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch {
    return null;
  }
}

/** Milliseconds east of UTC. */
function offsetAt(format: Intl.DateTimeFormat, at: number): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  const part = Object.fromEntries(
    format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day: date = 1, hour = 0, minute: minutes = 0, second = 0 } = part;
  const shown = new Date(0);
  // `Date.UTC` takes the years of the first century for those of the twentieth.
  shown.setUTCFullYear(year, month - 1, date);
  shown.setUTCHours(hour, minutes, second);
  return shown.getTime() - whole;
}
