import { type ReportContext } from '#features/feedback/contract/feedback.ts';
import type { FullReport, RelatedReport, ReportChange } from '#features/feedback/contract/inbox.ts';
import type { ReportMessage } from '#features/feedback/contract/messages.ts';
import { reportStatus } from '#features/feedback/contract/own-reports.ts';
import type { Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { authorOf } from '#features/directory/server/authors.ts';
import { fullName, namesOf } from '#features/directory/server/people-names.ts';
import { excerptOf } from './excerpt.ts';
import { summariesOf } from './report-list.ts';
import { historyOf, numbersOf, picturesOf, type HistoryRow, type ReportRow } from './report-parts.ts';

/** The most duplicates that a report names; it names the latest ones. */
const mostDuplicates = 50;

/**
 * One report, or null.
 *
 * @param now milliseconds
 * @param mail whether this installation sends mail
 */
export async function readReport(
  read: Reader,
  reportId: string,
  { now, mail }: { now: number; mail: boolean },
): Promise<FullReport | null> {
  const row = await read.selectFrom('report').selectAll().where('id', '=', reportId).executeTakeFirst();
  const [summary] = row === undefined ? [] : await summariesOf(read, [row], now);
  if (row === undefined || summary === undefined) return null;
  const history = (await historyOf(read, [row])).get(row.id) ?? [];
  const messages = await messagesOf(read, reportId);
  const duplicateOf = row.duplicate_of === null ? [] : await relatedReports(read, 'id', row.duplicate_of);
  return {
    ...summary,
    message: row.message,
    source: row.source,
    url: row.url,
    tags: JSON.parse(row.tags) as Record<string, string>,
    context: JSON.parse(row.context) as ReportContext,
    eventId: row.event_id,
    associatedEventId: row.associated_event_id,
    reporterId: row.reporter_id,
    attachments: (await picturesOf(read, [row])).get(row.id) ?? [],
    duplicateOf: duplicateOf[0] ?? null,
    duplicates: await relatedReports(read, 'duplicate_of', reportId),
    messages: messages.map(messageOf),
    replyReaches: [
      ...(row.reporter_id === null ? [] : (['my-reports'] as const)),
      ...(mail && (await mailAddressOf(read, row)) !== null ? (['mail'] as const) : []),
    ],
    history: await changesOf(read, history),
    names: await namesOf(
      read,
      [...history, ...messages].map(({ by }) => by),
    ),
  };
}

/** What a report says about the page, the errors and the person that it is about; null: there is no such report. */
export async function readReportFacts(
  read: Reader,
  reportId: string,
): Promise<Pick<FullReport, 'context' | 'associatedEventId' | 'reporterId' | 'email' | 'createdAt'> | null> {
  const row = await read
    .selectFrom('report')
    .select(['context', 'associated_event_id', 'reporter_id', 'email', 'created_at'])
    .where('id', '=', reportId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    context: JSON.parse(row.context) as ReportContext,
    associatedEventId: row.associated_event_id,
    reporterId: row.reporter_id,
    email: row.email,
    createdAt: row.created_at,
  };
}

type MessageRow = Tables['report_message'] & { by: string };

/** The replies and notes of a report, oldest first. */
function messagesOf(read: Reader, reportId: string): Promise<MessageRow[]> {
  return read
    .selectFrom('report_message')
    .selectAll()
    .select(authorOf('report_message.author_name').as('by'))
    .where('report_id', '=', reportId)
    .orderBy('at')
    .execute();
}

function messageOf(row: MessageRow): ReportMessage {
  return {
    id: row.id,
    kind: row.kind === 'note' ? 'note' : 'reply',
    from: row.side === 'operator' ? 'operator' : 'reporter',
    text: row.text,
    at: row.at,
    editedAt: row.edited_at,
    by: row.by,
    authorId: row.author_kind === 'person' ? row.author_id : null,
  };
}

/**
 * The address for mail to a report's reporter: the address in the report, or that of the person who sent it;
 * null if there is none, or if that person is blocked.
 */
export async function mailAddressOf(
  read: Reader,
  { email, reporter_id: reporterId }: Pick<ReportRow, 'email' | 'reporter_id'>,
): Promise<string | null> {
  if (reporterId === null) return email === '' ? null : email;
  const person = await read
    .selectFrom('person')
    .select(['email', 'blocked_at'])
    .where('id', '=', reporterId)
    .executeTakeFirst();
  if (person === undefined || person.blocked_at !== null) return null;
  return email || person.email || null;
}

async function relatedReports(
  read: Reader,
  column: 'id' | 'duplicate_of',
  reportId: string,
): Promise<RelatedReport[]> {
  const rows = await read
    .selectFrom('report')
    .select(['id', 'number', 'message', 'status'])
    .where(column, '=', reportId)
    .orderBy('number', 'desc')
    .limit(mostDuplicates)
    .execute();
  return rows.map(({ id, number, message, status }) => ({
    id,
    number,
    excerpt: excerptOf(message),
    status: reportStatus.parse(status),
  }));
}

/** The history as operators see it, with the current names of people and numbers of reports. */
async function changesOf(read: Reader, history: readonly HistoryRow[]): Promise<ReportChange[]> {
  const idsOf = (what: string) =>
    history
      .filter((entry) => entry.what === what)
      .flatMap(({ before, after }) => [before ?? '', after])
      .filter((id) => id !== '');
  const people = await peopleNamed(read, idsOf('assignee'));
  const numbers = await numbersOf(read, idsOf('duplicate'));
  const person = (id: string | null) =>
    id === null || id === ''
      ? null
      : // In place of an id stands the pseudonym of who was erased.
        { id: people.has(id) ? id : null, name: people.get(id) ?? id };
  const report = (id: string | null) =>
    id === null || id === '' ? null : { id, number: numbers.get(id) ?? null };
  return history.flatMap(({ what, at, before, after, by }): ReportChange[] => {
    switch (what) {
      case 'status': {
        const [was, is] = [before === null ? null : reportStatus.parse(before), reportStatus.parse(after)];
        return [{ what, at, by, before: was, after: is }];
      }
      case 'assignee':
        return [{ what, at, by, before: person(before), after: person(after) }];
      case 'labels':
        return [{ what, at, by, before: labels(before), after: labels(after) }];
      case 'duplicate':
        return [{ what, at, by, before: report(before), after: report(after) }];
      case 'snoozed':
        return [{ what, at, by, before: Number(before) || null, after: Number(after) || null }];
      default:
        return [];
    }
  });
}

function labels(json: string | null): string[] {
  return json === null || json === '' ? [] : (JSON.parse(json) as string[]);
}

async function peopleNamed(read: Reader, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom('person')
    .innerJoin('profile', 'profile.person_id', 'person.id')
    .select(['person.id', 'person.email', 'profile.first_name', 'profile.last_name'])
    .where('person.id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, fullName(row) || row.email]));
}
