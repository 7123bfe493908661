import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';
import { authorOf } from '#features/directory/server/authors.ts';
import { csvHeadOf, csvRow } from '#server/platform/http/csv.ts';
import { conditionsOf, placeConditionsOf, type ReportFilter } from './report-filter.ts';
import type { ListContext } from './report-list.ts';
import { assigneesOf } from '#features/permissions/server/assignees.ts';
import { collected, labelsOf, numbersOf, picturesOf, type ReportRow } from './report-parts.ts';

/** Reports that are read and written at once: few, so that other requests hardly wait even for large ones. */
const atOnce = 20;

/**
 * Streams the reports that match the filter, newest first. The next chunk is made once the reader has taken the
 * last one. Reads from `longReads`.
 *
 * @param publicUrl the base address of the links to pictures
 */
export async function* exportReports(
  longReads: Reader,
  filter: ReportFilter,
  { format, publicUrl, callerId, now }: ListContext & { format: 'csv' | 'jsonl'; publicUrl: string },
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvHeadOf(columns);
  const line = format === 'csv' ? csvLine : jsonLine;
  for (let last: number | null = null; ;) {
    const rows = await reportsBehind(longReads, filter, callerId, last);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.number;
    yield (await exportedReports(longReads, rows, publicUrl, now)).map(line).join('');
    await yieldToEventLoop();
  }
}

function reportsBehind(
  read: Reader,
  filter: ReportFilter,
  callerId: string | null,
  last: number | null,
): Promise<ReportRow[]> {
  let query = read.selectFrom('report').selectAll();
  for (const condition of [...conditionsOf(filter, callerId), ...placeConditionsOf(filter, callerId)])
    query = query.where(condition);
  if (last !== null) query = query.where(sql<boolean>`number < ${last}`);
  return query.orderBy('number', 'desc').limit(atOnce).execute();
}

type ExportedMessage = { at: string; kind: string; from: string; by: string; text: string };
type ExportedReport = Awaited<ReturnType<typeof exportedReports>>[number];

async function exportedReports(read: Reader, rows: readonly ReportRow[], publicUrl: string, now: number) {
  const [pictures, labels, assignees, messages, originals] = [
    await picturesOf(read, rows),
    await labelsOf(read, rows),
    await assigneesOf(read, 'REPORTS_WRITE', rows, now),
    await messagesOf(read, rows),
    await numbersOf(
      read,
      rows.flatMap(({ duplicate_of: id }) => id ?? []),
    ),
  ];
  return rows.map((row) => ({
    number: row.number,
    id: row.id,
    createdAt: timeOf(row.created_at),
    changedAt: timeOf(row.changed_at),
    status: row.status,
    assignee: assignees.get(row.assignee_id ?? '')?.name ?? '',
    labels: labels.get(row.id) ?? [],
    duplicateOf: originals.get(row.duplicate_of ?? '') ?? null,
    name: row.name,
    email: row.email,
    message: row.message,
    url: row.url,
    source: row.source,
    tags: JSON.parse(row.tags) as Record<string, string>,
    context: JSON.parse(row.context) as Record<string, unknown>,
    pictures: (pictures.get(row.id) ?? []).map(({ url }) => `${publicUrl}${url}`),
    messages: messages.get(row.id) ?? [],
  }));
}

async function messagesOf(read: Reader, rows: readonly ReportRow[]): Promise<Map<string, ExportedMessage[]>> {
  const ids = rows.filter(({ replies, notes }) => replies + notes > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const found = await read
    .selectFrom('report_message')
    .select(['report_id', 'at', 'kind', 'side', 'text'])
    .select(authorOf('report_message.author_name').as('by'))
    .where('report_id', 'in', ids)
    .orderBy('at')
    .execute();
  return collected(
    found.map(({ report_id: id, at, kind, side, by, text }) => [
      id,
      { at: timeOf(at), kind, from: side, by, text },
    ]),
  );
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

function jsonLine(report: ExportedReport): string {
  return `${JSON.stringify(report)}\n`;
}

const columns = [
  'number',
  'id',
  'created_at',
  'changed_at',
  'status',
  'assignee',
  'labels',
  'duplicate_of',
  'name',
  'email',
  'message',
  'address',
  'source',
  'release',
  'browser',
  'tags',
  'pictures',
  'messages',
];

function csvLine(report: ExportedReport): string {
  const { context } = report;
  return csvRow([
    String(report.number),
    report.id,
    report.createdAt,
    report.changedAt,
    report.status,
    report.assignee,
    report.labels.join(', '),
    report.duplicateOf === null ? '' : String(report.duplicateOf),
    report.name,
    report.email,
    report.message,
    report.url,
    report.source,
    textOf(context['release']),
    textOf(context['browser']),
    Object.entries(report.tags)
      .map(([key, value]) => `${key}: ${value}`)
      .join('\n'),
    report.pictures.join('\n'),
    report.messages
      .map(({ at, kind, from, by, text }) => `${at} ${kind} (${from}${by === '' ? '' : `, ${by}`}): ${text}`)
      .join('\n\n'),
  ]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
