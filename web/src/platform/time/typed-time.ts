import { resolveWallTime } from '#contract/rules/wall-time.ts';

/** The time of a typed local time (`2026-10-25T02:30`) in a zone; NaN where there is none. */
export function typedTime(local: string, timeZone: string): number {
  const resolved = resolveWallTime({ local, timeZone });
  switch (resolved.kind) {
    case 'one':
      return resolved.at;
    // Of a skipped or doubled time the later one; the form shows which.
    case 'skipped':
      return resolved.after;
    case 'doubled':
      return resolved.second;
    default:
      return Number.NaN;
  }
}
