import type { CountedPeriod, ErrorPeriod } from '#features/diagnostics/contract/diagnostics.ts';
import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The period that counts are requested for. */
export type WantedPeriod = {
  period: ErrorPeriod;
  /** Minutes that the person's clock is ahead of UTC. */
  offset: number;
};

/**
 * The hours or days of a period; the last is the present one. Counts are stored by the hour of UTC, so a day
 * begins with the first UTC hour in it.
 */
export function countedPeriodOf({ period, offset }: WantedPeriod, now: number): CountedPeriod {
  if (period === '24h') {
    return { from: Math.floor(now / hourMs) * hourMs - 23 * hourMs, step: hourMs, steps: 24 };
  }
  const steps = period === '14d' ? 14 : 30;
  const local = Math.ceil((offset * 60_000) / hourMs) * hourMs;
  const today = Math.floor((now + local) / dayMs) * dayMs - local;
  return { from: today - (steps - 1) * dayMs, step: dayMs, steps };
}

/** The step of a period in which an hour lies, in SQL. */
function stepOf({ from, step }: CountedPeriod) {
  // Both numbers are whole hours, so SQLite and PostgreSQL divide alike.
  return sql<number>`(hour - ${sql.lit(from)}) / ${sql.lit(step)}`;
}

/** The counts of each error; an error without events in the period has zeros. */
export async function countsOfErrors(
  read: Reader,
  ids: readonly string[],
  period: CountedPeriod,
): Promise<Map<string, number[]>> {
  const counts = new Map(ids.map((id) => [id, none(period)]));
  if (ids.length === 0) return counts;
  const rows = await read
    .selectFrom('error_count')
    .select(['group_id', stepOf(period).as('step')])
    .select(({ fn }) => fn.sum<number | string>('events').as('events'))
    .where('group_id', 'in', ids)
    .where('hour', '>=', period.from)
    .groupBy(['group_id', 'step'])
    .execute();
  for (const { group_id: id, step, events } of rows) put(counts.get(id), step, Number(events));
  return counts;
}

/** Events and refusals of a project, or of all projects that are not removed. */
export async function countsOfProjects(
  read: Reader,
  project: number | undefined,
  period: CountedPeriod,
): Promise<{ events: number[]; refused: number[] }> {
  const rows = await read
    .selectFrom('project_count')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'project_id')
    .select(stepOf(period).as('step'))
    .select(({ fn }) => [
      fn.sum<number | string>('events').as('events'),
      fn.sum<number | string>('refused').as('refused'),
    ])
    .where('removed_at', 'is', null)
    .where('hour', '>=', period.from)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .groupBy('step')
    .execute();
  const found = { events: none(period), refused: none(period) };
  for (const { step, events, refused } of rows) {
    put(found.events, step, Number(events));
    put(found.refused, step, Number(refused));
  }
  return found;
}

function none({ steps }: CountedPeriod): number[] {
  return Array.from({ length: steps }, () => 0);
}

/** Ignores counts after the present hour, which a clock that was set back leaves. */
function put(counts: number[] | undefined, step: number, events: number): void {
  if (counts !== undefined && step >= 0 && step < counts.length) counts[step] = events;
}

/**
 * Stored events of a project around a time: from `from` until before `at`, and from then until before `until`.
 * None for a project that is removed or was never there.
 */
export async function countEventsAround(
  read: Reader,
  project: number,
  { from, at, until }: { from: number; at: number; until: number },
): Promise<{ before: number; since: number }> {
  // Event numbers (`n`) grow with time, so only events since `from` are read, on SQLite and PostgreSQL alike.
  const { rows } = await sql<{ before: number; since: number }>`
    select count(case when e.received_at < ${at} then 1 end) as before,
      count(case when e.received_at >= ${at} then 1 end) as since
    from error_event e
    join error_group g on g.id = e.group_id
    join diagnostic_project p on p.id = g.project_id
    where p.id = ${project} and p.removed_at is null and e.received_at < ${until}
      and e.n > coalesce((select n from error_event where received_at < ${from} order by n desc limit 1), 0)`.execute(
    read,
  );
  return rows[0] ?? { before: 0, since: 0 };
}
