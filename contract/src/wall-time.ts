import * as z from 'zod/mini';
import { instant } from './text.ts';

/**
 * A time as a clock on the wall of a place shows it. `offset`, minutes east of UTC, says which of two is meant where the clocks go
 * back over it; elsewhere it may be left out.
 */
export const wallTime = z.strictObject({
  /** `2026-10-25T02:30`, seconds optional (RFC 3339, 5.6, without an offset). */
  local: z
    .string()
    .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, 'is not like 2026-10-25T02:30')),
  /** A name of the IANA time zone database: `Europe/Berlin`. */
  timeZone: z.string().check(z.minLength(1), z.maxLength(64)),
  offset: z.optional(z.int().check(z.minimum(-1440), z.maximum(1440))),
});
export type WallTime = z.infer<typeof wallTime>;

/** A point in time, either as such or as a wall shows it. */
export const moment = z.union(
  [instant, wallTime],
  'must be milliseconds since 1970 UTC, such as 1795384800000, or {"local": "2026-11-22T23:00", "timeZone": "Europe/Berlin"}',
);
export type Moment = z.infer<typeof moment>;

/**
 * What a wall time stands for. `skipped`: the clocks go forward over it, there is no such time; `before` and `after` are what is
 * nearest. `doubled`: the clocks go back over it, `first` or `second` may be meant. All in milliseconds since the epoch.
 */
export type ResolvedWallTime =
  | { kind: 'one'; at: number }
  | { kind: 'skipped'; before: number; after: number }
  | { kind: 'doubled'; first: number; second: number }
  | { kind: 'unknown-zone' }
  | { kind: 'no-such-date' };

const minute = 60_000;
const day = 1_440 * minute;
/** Of JavaScript's dates, in milliseconds from the epoch. */
const lastDate = 8_640_000_000_000_000;

/** Resolves a wall time by the rules of its zone, as this runtime knows them. Pure. */
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

/** What the clock on the wall shows at a point in time, as `2026-10-25T02:30`; null for a zone that is not known, or beyond the dates that there are. */
export function wallTimeAt(at: number, timeZone: string): string | null {
  const named = zoneFormat(timeZone);
  const shown = named === null ? Number.NaN : at + offsetAt(named, at);
  return Math.abs(shown) <= lastDate ? new Date(shown).toISOString().slice(0, -8) : null;
}

function zoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  // Offsets such as `+02:00` are zones to Intl, and know no daylight saving: hardly what is meant.
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
