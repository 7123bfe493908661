import type { Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';

export type StoredEvent = Tables['error_event'] & { n: number; payload: Uint8Array | null };

/** The numbers of the previous and the next event of an error that have a sample. */
export type Neighbours = { previous: number | null; next: number | null };

/**
 * One event of an error, or null.
 *
 * @param which `latest` or `oldest` of the events with a sample (of all events where none has a sample), a
 *   number, or an event id, with or without hyphens
 */
export async function readEvent(read: Reader, errorId: string, which: string): Promise<StoredEvent | null> {
  const n = await numberOf(read, errorId, which);
  if (n === null) return null;
  const row = await read
    .selectFrom('error_event')
    .leftJoin('error_sample', 'error_sample.n', 'error_event.n')
    .selectAll('error_event')
    .select('error_sample.payload')
    .where('error_event.n', '=', n)
    .where('error_event.group_id', '=', errorId)
    .executeTakeFirst();
  return (row as StoredEvent | undefined) ?? null;
}

async function numberOf(read: Reader, errorId: string, which: string): Promise<number | null> {
  if (which === 'latest' || which === 'oldest') {
    return (
      (await endOf(read, 'error_sample', errorId, which)) ??
      (await endOf(read, 'error_event', errorId, which))
    );
  }
  if (/^[1-9]\d{0,14}$/.test(which)) return Number(which);
  const eventId = which.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null;
  const row = await read
    .selectFrom('error_event')
    .select('n')
    .where('event_id', '=', eventId)
    .where('group_id', '=', errorId)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.n ?? null;
}

async function endOf(
  read: Reader,
  table: 'error_sample' | 'error_event',
  errorId: string,
  end: 'latest' | 'oldest',
): Promise<number | null> {
  const row = await read
    .selectFrom(table)
    .select('n')
    .where('group_id', '=', errorId)
    .orderBy('n', end === 'latest' ? 'desc' : 'asc')
    .limit(1)
    .executeTakeFirst();
  return row?.n ?? null;
}

export async function neighboursOf(read: Reader, errorId: string, n: number): Promise<Neighbours> {
  const samples = read.selectFrom('error_sample').select('n').where('group_id', '=', errorId).limit(1);
  const [before, after] = [
    await samples.where('n', '<', n).orderBy('n', 'desc').executeTakeFirst(),
    await samples.where('n', '>', n).orderBy('n', 'asc').executeTakeFirst(),
  ];
  return { previous: before?.n ?? null, next: after?.n ?? null };
}
