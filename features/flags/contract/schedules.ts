import * as z from 'zod/mini';
import { instant } from '#contract/text.ts';
import type { FlagRule, RampAction } from './flags.ts';

/** When a rule applies, and the zone in which people read these times. */
export const ruleSchedule = z
  .strictObject({
    from: z.optional(instant),
    until: z.optional(instant),
    zone: z.string().check(z.maxLength(64)),
  })
  .check(
    z.refine(({ from, until }) => from === undefined || until === undefined || from < until, {
      path: ['until'],
      message: 'does not lie after `from`',
    }),
  );
export type RuleSchedule = z.infer<typeof ruleSchedule>;

export const mostSteps = 20;
/** The longest step, in minutes: a year. */
export const mostMinutes = 525_600;

const minutes = z.int().check(z.minimum(1), z.maximum(mostMinutes));
const place = z.int().check(z.minimum(-1), z.maximum(mostSteps - 1));

/** The largest figures of a guard. */
export const guardLimits = { events: 1_000_000, factor: 1_000, minutes: 1_440 } as const;

/**
 * Takes a ramp back one step and pauses it until a person acts, if the first `minutes` of a step bring at least
 * `events` errors, and `factor` times as many as the half hour before the step did in the same time (FLAG-15).
 */
export const ruleGuard = z.strictObject({
  /** A project of diagnostics. */
  project: z.int().check(z.minimum(1), z.maximum(999_999_999)),
  events: z.int().check(z.minimum(1), z.maximum(guardLimits.events)),
  factor: z.number().check(z.minimum(1), z.maximum(guardLimits.factor)),
  minutes: z.int().check(z.minimum(1), z.maximum(guardLimits.minutes)),
});
export type RuleGuard = z.infer<typeof ruleGuard>;

/** The steps in which a rule grows: the first starts at the schedule's `from`, the others after the one before. */
export const ruleRamp = z.strictObject({
  steps: z
    .array(
      z.strictObject({
        coverage: z
          .number()
          .check(z.refine((share) => share >= 0 && share <= 1, 'must be a number from 0 to 1')),
        /** How long the step runs; only the last step has no end. */
        minutes: z.optional(minutes),
      }),
    )
    .check(
      z.minLength(1),
      z.maxLength(mostSteps),
      z.refine(
        (steps) => steps.every(({ coverage }, at) => at === 0 || coverage > (steps[at - 1]?.coverage ?? 0)),
        'must grow: each step must be larger than the one before',
      ),
      z.refine(
        (steps) => steps.every((step, at) => (step.minutes === undefined) === (at === steps.length - 1)),
        'must each have `minutes`, but the last one, which stays',
      ),
    ),
  /** Set when a person resumes or ends the ramp, or its guard takes it back: as if `step` had begun at `since`. */
  anchor: z.optional(z.strictObject({ step: place, since: instant })),
  /** The time at which the ramp was paused; the step of that time stays in force. */
  paused: z.optional(instant),
  guard: z.optional(ruleGuard),
  /** Set if the guard paused the ramp and took it back one step: how many events there were. */
  held: z.optional(z.int().check(z.minimum(1))),
});
export type RuleRamp = z.infer<typeof ruleRamp>;

const minute = 60_000;
const minutesBefore = 30;

/** The schedule and ramp of a rule; undefined if missing, or stored before these fields had a meaning in Portico. */
export function timingOf({ schedule, ramp }: FlagRule): { schedule?: RuleSchedule; ramp?: RuleRamp } {
  const when = schedule === undefined ? undefined : ruleSchedule.safeParse(schedule).data;
  const grows = ramp === undefined || when?.from === undefined ? undefined : ruleRamp.safeParse(ramp).data;
  return { ...(when && { schedule: when }), ...(grows && { ramp: grows }) };
}

/** When each step begins, starting with the first step or with the one that `anchor` names. */
export function stepStarts({ from = 0 }: RuleSchedule, ramp: RuleRamp): { step: number; at: number }[] {
  const { step: first, since } = ramp.anchor ?? { step: 0, since: from };
  const starts: { step: number; at: number }[] = [];
  let at = since;
  for (let step = first; step < ramp.steps.length; step += 1) {
    if (ramp.paused !== undefined && at > ramp.paused && starts.length > 0) break;
    starts.push({ step, at });
    at += (ramp.steps[step]?.minutes ?? Infinity) * minute;
  }
  return starts;
}

/** The step that runs at `now`, and when it began; step -1: the first step has not begun. */
export function stepAt(schedule: RuleSchedule, ramp: RuleRamp, now: number): { step: number; at: number } {
  const starts = stepStarts(schedule, ramp);
  return (
    starts.findLast(({ at }) => at <= now) ??
    // This replica's clock may be slightly behind the clock of the replica that recorded a person's action.
    (ramp.anchor === undefined ? { step: -1, at: 0 } : (starts[0] ?? { step: -1, at: 0 }))
  );
}

/** The rule as clients get it at a time: no schedule, the coverage of the current step; null: it does not apply. */
export function ruleAt(rule: FlagRule, now: number): FlagRule | null {
  const { schedule: _when, ramp: _grows, ...rest } = rule;
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined) return rest;
  const { from = 0, until = Infinity } = schedule;
  if (now < from || now >= until) return null;
  if (ramp === undefined) return rest;
  const step = ramp.steps[stepAt(schedule, ramp, now).step];
  return step === undefined ? null : { ...rest, coverage: step.coverage };
}

/** The times at which a rule's schedule changes it; empty without one; the last is Infinity if it has no end. */
export function timesOf(rule: FlagRule): number[] {
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined) return [];
  const { from, until = Infinity } = schedule;
  const steps = ramp === undefined ? [] : stepStarts(schedule, ramp).map(({ at }) => at);
  return [from ?? until, ...steps.filter((at) => at < until), until];
}

/** The last and the next time at which a schedule changes one of the rules; 0 and Infinity if there is none. */
export function boundaries(rules: readonly FlagRule[], now: number): { last: number; next: number } {
  const all = rules.flatMap(timesOf);
  return {
    last: all.reduce((last, at) => (at <= now ? Math.max(last, at) : last), 0),
    next: all.reduce((next, at) => (at > now ? Math.min(next, at) : next), Infinity),
  };
}

/** The ramp of a rule after a person's action; null if the action is not possible now. */
export function rampAfter(rule: FlagRule, action: RampAction, now: number): RuleRamp | null {
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined || ramp === undefined) return null;
  const { anchor: _anchor, paused, held, ...rest } = ramp;
  const { step, at } = stepAt(schedule, ramp, now);
  const last = ramp.steps.length - 1;
  if ((step === -1 && held === undefined) || (step === last && paused === undefined)) return null;
  if (action === 'end') return { ...rest, anchor: { step: last, since: now } };
  if (action === 'pause') return paused === undefined ? { ...ramp, paused: now } : null;
  // After a resume, the rest of the interrupted step runs.
  return paused === undefined
    ? null
    : { ...rest, anchor: { step: Math.max(step, 0), since: now - (paused - at) } };
}

export type GuardedStep = { guard: RuleGuard; step: number; at: number; until: number };

/**
 * The steps of a ramp that its guard has to judge, in order: they have begun, and their watched time ends after
 * `since`. A step is watched for the guard's `minutes`, at most until the next step begins.
 */
export function guardedSteps(rule: FlagRule, since: number, now: number): GuardedStep[] {
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined || ramp?.guard === undefined || ramp.paused !== undefined) return [];
  const { guard } = ramp;
  if (now >= (schedule.until ?? Infinity)) return [];
  const starts = stepStarts(schedule, ramp);
  return starts.flatMap(({ step, at }, index) => {
    const until = Math.min(at + guard.minutes * minute, starts[index + 1]?.at ?? Infinity);
    return step >= 0 && at <= now && until > since ? [{ guard, step, at, until }] : [];
  });
}

/** The start of the half hour before a step, with which the guard compares the step. */
export function beforeStep(at: number): number {
  return at - minutesBefore * minute;
}

/**
 * Whether the events since a step began are too many. The answer does not depend on when it is asked, so a late
 * or repeated check changes nothing. Without events in the half hour before, only the guard's `events` decides.
 */
export function isTooMany(
  { guard, at, until }: GuardedStep,
  { before, since }: { before: number; since: number },
): boolean {
  const usual = (before * (until - at)) / (minutesBefore * minute);
  return since >= Math.max(guard.events, guard.factor * usual);
}

/** The ramp after its guard has taken it back to the step before `step` and paused it. */
export function heldBack(ramp: RuleRamp, step: number, events: number, now: number): RuleRamp {
  return { ...ramp, anchor: { step: step - 1, since: now }, paused: now, held: events };
}
