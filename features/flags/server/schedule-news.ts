import { stepAt, stepStarts, timingOf } from '#features/flags/contract/schedules.ts';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import type { FlagChange } from '#features/webhooks/server/message-words.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { readFlags } from './flags.store.ts';
import type { LiveFlags } from './live-flags.ts';

/** What is older is told no more: no process ran then, or none that told it. */
const lateMs = 86_400_000;
/** In `setting`: until when everything has been told, in milliseconds. */
const toldUntil = 'flag-schedules-told';

type News = { rule: number; change: FlagChange; coverage?: number };

/**
 * Makes the task that tells webhooks, and people who chose so, that a rule began, grew or ended by its schedule
 * (FLAG-20): once over all processes, and after a restart what happened while none ran. What lies before the last
 * change of a flag was told with that change.
 */
export function createScheduleNews({
  database,
  clock,
  config,
  flags,
}: Pick<Core, 'database' | 'clock' | 'config'> & {
  flags: Pick<LiveFlags, 'definitions'>;
}): () => Promise<void> {
  /** Until when this process knows that all is told. */
  let known: number | undefined;

  async function tell(change: Change, now: number): Promise<void> {
    const since = Math.max(await readToldUntil(change.tx), now - lateMs);
    for (const flag of await readFlags(change.tx)) {
      const { key, enabled, version } = flag;
      const link = `${config.publicUrl}/flags/${encodeURIComponent(key)}`;
      const told = { key, enabled, version, by: null, link };
      for (const news of newsOf(flag, since, now))
        await publishToWebhooks(change, clock, 'flag.changed', { ...told, ...news });
    }
    const value = String(Math.max(since, now));
    await change.tx
      .insertInto('setting')
      .values({ name: toldUntil, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  return async () => {
    const now = clock.now();
    const since = (known ??= Math.max(await readToldUntil(database.read), now - lateMs));
    if (flags.definitions().some((flag) => newsOf(flag, since, now).length > 0))
      await database.change((change) => tell(change, now));
    known = now;
  };
}

async function readToldUntil(read: Reader): Promise<number> {
  const row = await read
    .selectFrom('setting')
    .select('value')
    .where('name', '=', toldUntil)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** What time did to the rules of a flag that is on, of each rule the latest. */
export function newsOf(
  { enabled, changedAt, rules }: Pick<Flag, 'enabled' | 'changedAt' | 'rules'>,
  since: number,
  now: number,
): News[] {
  const from = Math.max(since, changedAt);
  return (enabled ? rules : []).flatMap((rule, place) => {
    const latest = latestOf(rule, now);
    return latest === null || latest.at <= from ? [] : [{ rule: place + 1, ...latest.news }];
  });
}

function latestOf(rule: FlagRule, now: number): { at: number; news: Omit<News, 'rule'> } | null {
  const { schedule, ramp } = timingOf(rule);
  if (schedule === undefined) return null;
  const { from = 0, until = Infinity } = schedule;
  if (until <= now) return { at: until, news: { change: 'ended' } };
  if (from > now) return null;
  if (ramp === undefined) return { at: from, news: { change: 'begun' } };
  const { step, at } = stepAt(schedule, ramp, now);
  const { coverage } = ramp.steps[step] ?? {};
  const isFirst = stepStarts(schedule, ramp)[0]?.at === at && ramp.anchor === undefined;
  return coverage === undefined ? null : { at, news: { change: isFirst ? 'begun' : 'step', coverage } };
}
