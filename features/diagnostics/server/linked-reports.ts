import type { LinkedReport, RelatedError } from '#features/diagnostics/contract/diagnostics.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { excerptOf } from '#features/feedback/server/excerpt.ts';
import { readReportFacts } from '#features/feedback/server/read-report.ts';
import type { PersonHash } from './intake/person-hash.ts';
import { errorOf } from './error-list.ts';
import type { StoredEvent } from './error-events.ts';

/** How far apart a report and an error of the same person may be to belong together. */
const apartMs = 30 * 60_000;
const most = 20;
/** Reports or events within `apartMs` that are searched for the same person. */
const mostLookedAt = 500;

/** Reports of an event: first reports that name the event, then reports by the same person around its time. */
export async function reportsOfEvent(
  read: Reader,
  event: Pick<StoredEvent, 'event_id' | 'received_at' | 'person_hash'>,
  hashOf: PersonHash,
): Promise<LinkedReport[]> {
  const columns = ['id', 'number', 'message', 'created_at', 'reporter_id', 'email'] as const;
  const naming = await read
    .selectFrom('report')
    .select(columns)
    .where('associated_event_id', '=', event.event_id)
    .orderBy('number', 'desc')
    .limit(most)
    .execute();
  const around =
    event.person_hash === null
      ? []
      : await read
          .selectFrom('report')
          .select(columns)
          .where('created_at', '>=', event.received_at - apartMs)
          .where('created_at', '<=', event.received_at + apartMs)
          .orderBy('created_at', 'desc')
          .limit(mostLookedAt)
          .execute();
  const named = new Set(naming.map(({ id }) => id));
  const theirs = around.filter(
    ({ id, reporter_id: reporter, email }) =>
      !named.has(id) &&
      [reporter, email].some((name) => name !== null && name !== '' && hashOf(name) === event.person_hash),
  );
  const linked = (by: LinkedReport['by']) => (row: (typeof naming)[number]) => ({
    id: row.id,
    number: row.number,
    excerpt: excerptOf(row.message),
    createdAt: row.created_at,
    by,
  });
  return [...naming.map(linked('event')), ...theirs.map(linked('person'))].slice(0, most);
}

/** Errors that belong to a report, each once; null where there is no such report. */
export async function errorsOfReport(
  read: Reader,
  reportId: string,
  hashOf: PersonHash,
): Promise<RelatedError[] | null> {
  const report = await readReportFacts(read, reportId);
  if (report === null) return null;
  const eventIds = [
    ...(report.associatedEventId === null ? [] : [report.associatedEventId]),
    ...(report.context.errors ?? []).map(({ id }) => id),
  ];
  const people = await namesOfReporter(read, report);
  const events = [
    ...(eventIds.length === 0 ? [] : await eventsNamed(read, eventIds)).map((row) => ({
      ...row,
      by: 'event' as const,
    })),
    ...(people.length === 0 ? [] : await eventsAround(read, people.map(hashOf), report.createdAt)).map(
      (row) => ({ ...row, by: 'person' as const }),
    ),
  ];
  const found = new Map<string, RelatedError>();
  for (const { event_id: eventId, received_at: receivedAt, by, group_id: groupId } of events) {
    if (found.has(groupId) || found.size >= most) continue;
    const group = await shownGroup(read, groupId);
    if (group !== undefined) found.set(groupId, { error: errorOf(group), eventId, receivedAt, by });
  }
  return [...found.values()];
}

/** The address and the id by which an event may name the sender of a report. */
async function namesOfReporter(
  read: Reader,
  { reporterId, email }: { reporterId: string | null; email: string },
): Promise<string[]> {
  const person =
    reporterId === null
      ? undefined
      : await read.selectFrom('person').select('email').where('id', '=', reporterId).executeTakeFirst();
  const names = [reporterId ?? '', email, person?.email ?? ''];
  return [...new Set(names)].filter((name) => name !== '');
}

function eventsNamed(read: Reader, eventIds: readonly string[]) {
  return read
    .selectFrom('error_event')
    .select(['event_id', 'group_id', 'received_at'])
    .where('event_id', 'in', eventIds)
    .orderBy('n', 'desc')
    .limit(5 * most)
    .execute();
}

/** Events of a person around a time, the closest first. */
async function eventsAround(read: Reader, hashes: readonly string[], at: number) {
  const rows = await read
    .selectFrom('error_event')
    .select(['event_id', 'group_id', 'received_at'])
    .where('person_hash', 'in', hashes)
    .where('received_at', '>=', at - apartMs)
    .where('received_at', '<=', at + apartMs)
    .orderBy('received_at', 'desc')
    .limit(mostLookedAt)
    .execute();
  return rows.toSorted((a, b) => Math.abs(a.received_at - at) - Math.abs(b.received_at - at));
}

function shownGroup(read: Reader, id: string) {
  return read
    .selectFrom('error_group')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'error_group.project_id')
    .selectAll('error_group')
    .where('error_group.id', '=', id)
    .where('error_group.status', '!=', 'deleted')
    .where('diagnostic_project.removed_at', 'is', null)
    .executeTakeFirst();
}
