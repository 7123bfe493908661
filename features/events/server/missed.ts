import type { Reader, Topic } from '#server/platform/database/database.ts';
import { followedTopics, noticeOf, type Notice } from './news.ts';

/**
 * What a browser has seen: everything up to a time, nothing, or an unknown part, so that everything counts as
 * changed.
 */
export type Seen = number | 'nothing' | 'unknown';

/** For longer ago it is not looked up what has changed since. */
const longAgoMs = 30 * 24 * 3_600_000;

/**
 * What a `Last-Event-ID` stands for, at the time of the last change. An id from the future means that the
 * database was restored to an earlier state since.
 */
export function seenBy(lastEventId: string | undefined, at: number): Seen {
  if (lastEventId === undefined || lastEventId === '') return 'nothing';
  const seen = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : Number.NaN;
  return seen <= at && seen > at - longAgoMs ? seen : 'unknown';
}

/** The time of the last guarded change. All up to it are committed: what is read afterwards includes them. */
export async function lastChangeAt(read: Reader): Promise<number> {
  const { at } = await read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  return at;
}

/** The changes since a time (milliseconds) for everyone, for a person, and for the holders of a right. */
export async function missedSince(read: Reader, personId: string, since: number): Promise<Notice[]> {
  const rows = await read
    .selectFrom('changed')
    .select(['topic', 'key'])
    .where((row) =>
      row.or([
        row('topic', 'in', followedTopics).and('key', 'in', ['', personId]),
        row('topic', '=', 'list').and(
          row.or([row('key', 'not like', '% person %'), row('key', 'like', `% person ${personId}`)]),
        ),
      ]),
    )
    .where('at', '>', since)
    .execute();
  return rows.map(({ topic, key }) => noticeOf({ topic: topic as Topic, key }));
}
