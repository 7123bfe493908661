import { readSetting, writeSetting } from '#server/platform/database/setting.ts';
import { stepAt, stepStarts, timingOf } from '#features/flags/contract/schedules.ts';
import type { Flag, FlagRule } from '#features/flags/contract/flags.ts';
import type { FlagChange } from '#features/webhooks/server/message-words.ts';
import { publishToWebhooks } from '#features/webhooks/server/publish.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { readFlags } from './flags.store.ts';
import type { LiveFlags } from './live-flags.ts';

/** Older news, from a long time without a process that publishes news, is not published any more. */
const lateMs = 86_400_000;
/** The key in `setting` of the time (milliseconds) up to which all news has been published. */
const publishedUntilSetting = 'flag-schedules-told';

/** Since when news is due. A stored time far ahead of the clock does not count (docs/clock.md). */
const since = (publishedUntil: string | null, now: number): number =>
  Math.max(Number(publishedUntil) > now + lateMs ? now : Number(publishedUntil), now - lateMs);

type News = { rule: number; change: FlagChange; coverage?: number };

/**
 * Makes the task that notifies webhooks, and people who chose so, when a rule began, grew or ended by its schedule
 * (FLAG-20): once over all processes, and after a restart for the time when none ran. Scheduled changes before
 * the last change of a flag are left out, since they were published with that change.
 */
export function createScheduleNews({
  database,
  clock,
  config,
  flags,
}: Pick<Core, 'database' | 'clock' | 'config'> & {
  flags: Pick<LiveFlags, 'definitions'>;
}): () => Promise<void> {
  /** The time up to which this process knows that all news has been published. */
  let known: number | undefined;

  async function publishDue(change: Change, now: number): Promise<void> {
    const from = since(await readSetting(change.tx, publishedUntilSetting), now);
    for (const flag of await readFlags(change.tx)) {
      const { key, enabled, version } = flag;
      const link = `${config.publicUrl}/flags/${encodeURIComponent(key)}`;
      const about = { key, enabled, version, by: null, link };
      for (const news of newsOf(flag, from, now))
        await publishToWebhooks(change, clock, 'flag.changed', { ...about, ...news });
    }
    await writeSetting(change.tx, publishedUntilSetting, String(Math.max(from, now)));
  }

  return async () => {
    const now = clock.now();
    const from = (known ??= since(await readSetting(database.read, publishedUntilSetting), now));
    if (flags.definitions().some((flag) => newsOf(flag, from, now).length > 0))
      await database.change((change) => publishDue(change, now));
    known = now;
  };
}

/** The latest change that a schedule made to each rule of a flag that is on, if after `publishedUntil`. */
export function newsOf(
  { enabled, changedAt, rules }: Pick<Flag, 'enabled' | 'changedAt' | 'rules'>,
  publishedUntil: number,
  now: number,
): News[] {
  const from = Math.max(publishedUntil, changedAt);
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
