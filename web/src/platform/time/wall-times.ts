import { resolveWallTime } from '#contract/rules/wall-time.ts';
import type { Formats } from '../i18n/formats.ts';

/**
 * The first moment of a day such as `2026-11-22` in a zone, in milliseconds; null where there is no such day.
 */
export function dayStart(day: string, timeZone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return null;
  const found = resolveWallTime({ local: `${day}T00:00`, timeZone });
  if (found.kind === 'one') return found.at;
  if (found.kind === 'doubled') return found.first;
  return found.kind === 'skipped' ? found.after : null;
}

/** A day such as `2026-11-22` as `22 Nov 2026`; null where there is no such day. */
export function formatDay(day: string, { timeZone, date }: Formats): string | null {
  const start = dayStart(day, timeZone);
  return start === null ? null : date(start);
}

/** The last moment of a day. */
export function dayEnd(day: string, timeZone: string): number | null {
  if (dayStart(day, timeZone) === null) return null;
  const next = new Date(Date.parse(`${day}T12:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const start = dayStart(next, timeZone);
  return start === null ? null : start - 1;
}

/** The value for a local time that is only partly typed, so that it differs from an empty field. */
export const halfTyped = '?';

/** Converts a typed local time (`2026-10-25T02:30`) in a zone to milliseconds; NaN where it is no time. */
export function typedTime(local: string, timeZone: string): number {
  const resolved = resolveWallTime({ local, timeZone });
  switch (resolved.kind) {
    case 'one':
      return resolved.at;
    // A skipped or doubled local time means the later time; the form shows which time that is.
    case 'skipped':
      return resolved.after;
    case 'doubled':
      return resolved.second;
    default:
      return Number.NaN;
  }
}
