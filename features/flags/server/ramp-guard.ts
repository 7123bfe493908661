import { isDeepStrictEqual } from 'node:util';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import {
  beforeStep,
  guardedSteps,
  heldBack,
  isTooMany,
  timingOf,
} from '#features/flags/contract/schedules.ts';
import type { Actor } from '#features/audit/server/audit.store.ts';
import { countEventsAround } from '#features/diagnostics/server/error-counts.ts';
import type { Core } from '#server/core.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { createPeriodic } from '#server/platform/time/periodic.ts';
import { readFlags, replaceFlag } from './flags.store.ts';
import type { LiveFlags } from './live-flags.ts';
import type { RecordFlag } from './record-flag.ts';

const everyMs = 15_000;
/** A step is judged up to this long after its watched minutes: possibly no process ran during them. */
const lateMs = 86_400_000;
/** The time within which a received event is written to the database. */
const writtenMs = 60_000;
const portico: Actor = { kind: 'guard', id: null, name: 'Portico' };

type RampGuardParts = Pick<Core, 'database' | 'clock' | 'logger'> & {
  flags: Pick<LiveFlags, 'definitions'>;
  record: RecordFlag;
};

/**
 * Takes ramps back one step where errors increase (FLAG-15). Every process checks the steps that are watched
 * now, or were watched since its last check. The first process that finds too many events changes the rule, and
 * the others find it changed. A step that was over when a person changed the flag is left to that person.
 */
export function createRampGuard({ database, clock, logger, flags, record }: RampGuardParts) {
  let judged = clock.now() - lateMs;

  async function judgeAll(): Promise<void> {
    const now = clock.now();
    for (const flag of flags.definitions())
      for (const place of flag.enabled ? flag.rules.keys() : []) await judge(flag, place, now);
    judged = now - writtenMs;
  }

  async function judge(flag: Flag, place: number, now: number): Promise<void> {
    for (const step of guardedSteps(flag.rules[place] ?? {}, Math.max(judged, flag.changedAt), now)) {
      const { guard, at, until } = step;
      const period = { from: beforeStep(at), at, until };
      const found = await countEventsAround(database.longReads, guard.project, period);
      if (isTooMany(step, found)) return takeBack(flag, place, step.step, found.since);
    }
  }

  async function takeBack(seen: Flag, place: number, step: number, events: number): Promise<void> {
    await database.change(async (change) => {
      const before = (await readFlags(change.tx)).find(({ key }) => key === seen.key);
      const rule = before?.rules[place] ?? {};
      const { ramp } = timingOf(rule);
      // Another process or a person has already changed the rule.
      if (before?.enabled !== true || !isDeepStrictEqual(rule, seen.rules[place]) || ramp === undefined)
        return;
      const rules = before.rules.with(place, { ...rule, ramp: heldBack(ramp, step, events, change.at) });
      await record(
        change,
        portico,
        'guard',
        await replaceFlag(change, before, { ...before, rules }, portico),
      );
    });
  }

  return createPeriodic(logger, everyMs, { 'guards of ramps': judgeAll });
}

/** The keys of flags that are on and have a ramp that its guard took back. */
export async function heldRamps(read: Reader): Promise<string[]> {
  const rows = await read
    .selectFrom('flag')
    .select(['key', 'rules'])
    .where('enabled', '=', 1)
    .where('archived_at', 'is', null)
    .where('rules', 'like', '%"held":%')
    .orderBy('key')
    .execute();
  const isHeld = (rule: FlagRule) => timingOf(rule).ramp?.held !== undefined;
  return rows.filter(({ rules }) => (JSON.parse(rules) as FlagRule[]).some(isHeld)).map(({ key }) => key);
}
