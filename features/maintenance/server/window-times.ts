import type { FieldProblem } from '#contract/problem.ts';
import type { Moment } from '#contract/wall-time.ts';
import { resolveWallTime } from '#contract/rules/wall-time.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';

/** Start and end of a window, and the time zone in which they were given. */
export type WindowTimes = { startsAt: number; endsAt: number; timeZone: string | null };

const minute = 60_000;
const longestMs = 30 * 1_440 * minute;

/**
 * The times of a draft, in milliseconds since the epoch.
 *
 * @param now milliseconds since the epoch
 * @param before the stored window, for a change: a time in the past that is sent back unchanged is accepted
 * @throws INVALID_BODY with every wrong field
 */
export function timesOf(
  draft: { startsAt: Moment; endsAt: Moment },
  now: number,
  before: WindowTimes | null = null,
): WindowTimes {
  const wrong: FieldProblem[] = [];
  const startsAt = resolve(draft.startsAt, '/startsAt', wrong);
  const endsAt = resolve(draft.endsAt, '/endsAt', wrong);
  if (startsAt !== null && startsAt !== before?.startsAt && startsAt <= now)
    wrong.push(problem('/startsAt', 'past', 'lies in the past; a window that is to begin now is started'));
  if (endsAt !== null && endsAt !== before?.endsAt && endsAt <= now)
    wrong.push(problem('/endsAt', 'past', 'lies in the past'));
  if (startsAt !== null && endsAt !== null) {
    if (endsAt <= startsAt) wrong.push(problem('/endsAt', 'before_start', 'does not lie after the start'));
    else if (endsAt - startsAt > longestMs)
      wrong.push(problem('/endsAt', 'too_long', 'lies more than 30 days after the start'));
  }
  if (startsAt === null || endsAt === null || wrong.length > 0) throw refused(wrong);
  return {
    startsAt,
    endsAt,
    timeZone: zoneOf(draft.startsAt) ?? zoneOf(draft.endsAt) ?? before?.timeZone ?? null,
  };
}

/** A later end for a window. Throws INVALID_BODY. */
export function laterEnd(moment: Moment, now: number, before: WindowTimes): number {
  const wrong: FieldProblem[] = [];
  const endsAt = resolve(moment, '/endsAt', wrong);
  if (endsAt !== null && endsAt <= now) wrong.push(problem('/endsAt', 'past', 'lies in the past'));
  else if (endsAt !== null && endsAt <= before.endsAt)
    wrong.push(
      problem('/endsAt', 'not_later', `does not lie after the end until now, ${inUtc(before.endsAt)}`),
    );
  else if (endsAt !== null && endsAt - before.startsAt > longestMs)
    wrong.push(problem('/endsAt', 'too_long', 'lies more than 30 days after the start'));
  if (endsAt === null || wrong.length > 0) throw refused(wrong);
  return endsAt;
}

/** A time in UTC, without seconds that are zero. */
export function inUtc(at: number): string {
  return new Date(at).toISOString().replace(/(:00)?\.000Z$/, 'Z');
}

function resolve(moment: Moment, pointer: string, wrong: FieldProblem[]): number | null {
  if (typeof moment === 'number') return moment;
  const { local, timeZone, offset } = moment;
  const resolved = resolveWallTime(moment);
  switch (resolved.kind) {
    case 'one': {
      // An offset that is not in force in the zone at that local time would mean another instant.
      if (offset !== undefined && resolved.at + offset * minute !== Date.parse(`${local}Z`)) {
        wrong.push(
          problem(`${pointer}/offset`, 'wrong_offset', `is not in force in ${timeZone} at ${local}`),
        );
        return null;
      }
      if (resolved.at >= 0) return resolved.at;
      wrong.push(problem(pointer, 'past', 'lies in the past'));
      return null;
    }
    case 'skipped':
      wrong.push(
        problem(
          `${pointer}/local`,
          'time_skipped',
          `does not exist in ${timeZone}, where the clocks go forward over it; the nearest are ${inUtc(resolved.before)} and ${inUtc(resolved.after)}`,
        ),
      );
      return null;
    case 'doubled':
      wrong.push(
        problem(
          `${pointer}/local`,
          'time_doubled',
          `comes twice in ${timeZone}, where the clocks go back over it: at ${inUtc(resolved.first)} (offset ${offsetOf(local, resolved.first)}) and ${inUtc(resolved.second)} (offset ${offsetOf(local, resolved.second)}); \`offset\` says which`,
        ),
      );
      return null;
    case 'unknown-zone':
      wrong.push(problem(`${pointer}/timeZone`, 'unknown_zone', 'is no zone of the IANA time zone database'));
      return null;
    case 'no-such-date':
      wrong.push(problem(`${pointer}/local`, 'no_such_date', 'is in no calendar'));
      return null;
  }
}

function offsetOf(local: string, at: number): number {
  return (Date.parse(`${local}Z`) - at) / minute;
}

function zoneOf(moment: Moment): string | null {
  return typeof moment === 'number' ? null : moment.timeZone;
}

function problem(pointer: string, code: string, message: string): FieldProblem {
  return { pointer, code, message };
}

function refused(errors: FieldProblem[]): HttpProblem {
  return new HttpProblem('INVALID_BODY', { errors });
}
