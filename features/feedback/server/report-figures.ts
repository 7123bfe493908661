import { sql } from 'kysely';
import { countRows } from '#server/platform/database/sql.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { excerptOf } from './excerpt.ts';

/** A quarter of an hour: in every time zone each day begins on a quarter. */
const quarterMs = 900_000;
const dayMs = 24 * 3_600_000;

export type ReportFigures = {
  open: number;
  new: number;
  /** When the oldest open report arrived. */
  oldestAt: number | null;
  /** Reports by the quarter of an hour in which they arrived; quarters without one are left out. */
  arrived: [at: number, count: number][];
};

/**
 * Counts by indexes. Reads from `longReads`, since the time grows with the number of open reports.
 *
 * @param days for which arrivals are counted: one more than is shown, to cover every time zone
 */
export async function reportFigures(longReads: Reader, now: number, days: number): Promise<ReportFigures> {
  const of = (column: 'tab' | 'status', value: string) =>
    longReads.selectFrom('report').where(column, '=', value);
  const quarter = sql<number>`created_at / ${sql.lit(quarterMs)}`;
  const [open, fresh, oldest, arrived] = await Promise.all([
    countRows(of('tab', 'open')),
    countRows(of('status', 'new').where('tab', '=', 'open')),
    // Range and order match the index of the tab: PostgreSQL would otherwise walk all older reports by number.
    longReads
      .selectFrom('report')
      .select('created_at')
      .where('tab', '>=', 'open')
      .where('tab', '<=', 'open')
      .orderBy('tab')
      .orderBy('number')
      .limit(1)
      .executeTakeFirst(),
    longReads
      .selectFrom('report')
      .select(({ fn }) => [quarter.as('quarter'), fn.countAll<number>().as('count')])
      .where('created_at', '>=', now - days * dayMs)
      .groupBy(quarter)
      .orderBy('quarter')
      .execute(),
  ]);
  return {
    open,
    new: fresh,
    oldestAt: oldest?.created_at ?? null,
    arrived: arrived.map(({ quarter: at, count }) => [at * quarterMs, count]),
  };
}

/** The latest report that is new: the beginning of its message, and when it arrived. */
export async function latestNewReport(
  read: Reader,
): Promise<{ id: string; excerpt: string; at: number } | null> {
  const latest = await read
    .selectFrom('report')
    .select(['id', 'message', 'created_at'])
    .where('status', '=', 'new')
    .where('tab', '=', 'open')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest === undefined) return null;
  return { id: latest.id, excerpt: excerptOf(latest.message), at: latest.created_at };
}
