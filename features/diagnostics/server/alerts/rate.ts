import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';

const hourMs = 3_600_000;

/** Errors that one call returns; the others follow with the next call. */
const most = 200;

/**
 * Open errors with at least `events` events since a time. The hourly counts select candidates; for these the
 * time of the event `events` before the last one decides.
 */
export async function errorsAboveRate(longReads: Reader, events: number, since: number): Promise<string[]> {
  const firstHour = Math.floor(since / hourMs) * hourMs;
  const { rows } = await sql<{ id: string }>`
    select g.id from error_group g
    where g.status = 'open' and g.last_seen_at > ${since} and g.events >= ${events}
      and (select sum(c.events) from error_count c where c.group_id = g.id and c.hour >= ${firstHour}) >= ${events}
    order by g.last_seen_at desc limit ${most}`.execute(longReads);
  const found: string[] = [];
  for (const { id } of rows) {
    const nth = await longReads
      .selectFrom('error_event')
      .select('received_at')
      .where('group_id', '=', id)
      .orderBy('n', 'desc')
      .offset(events - 1)
      .limit(1)
      .executeTakeFirst();
    if (nth !== undefined && nth.received_at > since) found.push(id);
  }
  return found;
}
