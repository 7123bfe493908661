import type { Reader } from '../../platform/database.ts';

/** What a browser has seen: everything up to a time, nothing, or what nobody knows, and everything may have changed. */
export type Seen = number | 'nothing' | 'unknown';

/** Longer ago nobody counts what has changed since. */
const longAgoMs = 30 * 24 * 3_600_000;

/**
 * What a `Last-Event-ID` says, at the time of the last change. An id from the future is one of a database that was put
 * back meanwhile.
 */
export function seenBy(lastEventId: string | undefined, at: number): Seen {
  if (lastEventId === undefined || lastEventId === '') return 'nothing';
  const seen = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  return seen <= at && seen > at - longAgoMs ? seen : 'unknown';
}

/** The time of the last guarded change. All up to it are committed: what is read afterwards tells of them. */
export async function lastChangeAt(read: Reader): Promise<number> {
  const { at } = await read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  return at;
}

/** What has changed for a person, `everybody` with all others. */
export type Missed = { rights: 'no' | 'own' | 'everybody'; profile: boolean; reports: boolean };

/** What has changed for a person since. */
export async function missedSince(read: Reader, personId: string, since: number): Promise<Missed> {
  const rows = await read
    .selectFrom('changed')
    .select(['topic', 'key'])
    .where((row) =>
      row.or([
        row('topic', '=', 'rights').and('key', 'in', ['', personId]),
        row('topic', 'in', ['person', 'reports']).and('key', '=', personId),
      ]),
    )
    .where('at', '>', since)
    .execute();
  const told = (topic: string, key: string) => rows.some((row) => row.topic === topic && row.key === key);
  return {
    rights: told('rights', '') ? 'everybody' : told('rights', personId) ? 'own' : 'no',
    profile: told('person', personId),
    reports: told('reports', personId),
  };
}
