import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

/**
 * The caller's `X-Time-Offset`: minutes east of UTC (PRO-3); null where it is not sent. Throws
 * INVALID_REQUEST for what is no offset that a place on earth can have.
 */
export function timeOffsetOf(headers: Record<string, string | string[] | undefined>): number | null {
  const value = headers[timeOffsetHeader];
  if (value === undefined) return null;
  const minutes = typeof value === 'string' && /^[+-]?\d{1,4}$/.test(value) ? Number(value) : NaN;
  if (!(Math.abs(minutes) <= 18 * 60)) {
    throw new HttpProblem('INVALID_REQUEST', {
      detail: 'X-Time-Offset is not a number of minutes east of UTC.',
    });
  }
  return minutes;
}

/** A moment at an offset, as `2026-11-21T22:00:00.000+01:00` (RFC 3339). */
export function atOffset(at: number, minutes: number): string {
  const local = new Date(at + minutes * 60_000).toISOString().slice(0, -1);
  const far = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.floor(far / 60))}:${two(far % 60)}`;
}
