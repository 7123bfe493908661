import { type ReportContext } from '@portico/contract/feedback';
import {
  reportStatus,
  type OwnReport,
  type ReportStatus,
  type StoredPicture,
} from '@portico/contract/feedback/own-reports';
import { type FullReport, type ReportSummary } from '@portico/contract/feedback/inbox';
import type { PeopleNames } from '@portico/contract/people/names';
import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { Reader } from '../../platform/database/database.ts';
import { countRows } from '../../platform/database/count-rows.ts';
import { namesOf } from '../directory/people-names.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { contains, searchText } from '../../platform/database/search-text.ts';
import { excerptOf } from './excerpt.ts';
import { reportersView, type StatusAt } from './reporters-view.ts';

export type ReportFilter = {
  /**
   * Words that each stand somewhere in message, name, e-mail or address, or are the number; empty: every
   * report.
   */
  search: string;
  status?: ReportStatus | undefined;
};

/** At most `limit` reports behind the one of a number. */
export type Page = { after: number | null; limit: number };

type Order = 'newest' | 'oldest';

export type ReportPage = {
  reports: ReportSummary[];
  /** Of those that the words find, how many are in each status. */
  counts: Record<ReportStatus, number>;
  /** How many the filter finds on all pages. */
  total: number;
  /** The number of the last one, where more follow. */
  next: number | null;
};

/** The inbox. The longer the more there are: from the long reads. */
export async function listReports(
  longReads: Reader,
  filter: ReportFilter,
  page: Page & { order: Order },
): Promise<ReportPage> {
  const { counts, numbers } = await foundNumbers(longReads, filter, page);
  const shown = await reportsOf(longReads, numbers.slice(0, page.limit));
  const pictures = await picturesOf(longReads, shown);
  const { status } = filter;
  return {
    reports: shown.map((row) => summaryOf(row, pictures.get(row.id)?.length ?? 0)),
    counts,
    total: status === undefined ? Object.values(counts).reduce((sum, each) => sum + each, 0) : counts[status],
    next: numbers.length > page.limit ? (shown.at(-1)?.number ?? null) : null,
  };
}

/**
 * The numbers of a page's reports and the first behind it, and the counts of all. The words are looked for
 * once for both.
 */
async function foundNumbers(
  read: Reader,
  { search, status }: ReportFilter,
  { after, limit, order }: Page & { order: Order },
): Promise<{ counts: Record<ReportStatus, number>; numbers: number[] }> {
  const words = conditionsOf(search);
  const conditions: RawBuilder<unknown>[] = [sql`1 = 1`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (after !== null) conditions.push(order === 'newest' ? sql`number < ${after}` : sql`number > ${after}`);
  const { rows } = await sql<{ status: ReportStatus | null; n: number }>`
    with found as ${words.length === 0 ? sql`not materialized` : sql`materialized`} (
      select number, status from report where ${sql.join([sql`1 = 1`, ...words], sql` and `)})
    select status, count(*) as n from found group by status
    union all
    select null, number from (
      select number from found where ${sql.join(conditions, sql` and `)}
      order by number ${order === 'newest' ? sql`desc` : sql`asc`} limit ${limit + 1}) as page`.execute(read);
  const counted = new Map(rows.map((row) => [row.status, row.n]));
  const counts = Object.fromEntries(
    reportStatus.options.map((each) => [each, counted.get(each) ?? 0]),
  ) as Record<ReportStatus, number>;
  const numbers = rows.filter((row) => row.status === null).map(({ n }) => n);
  return { counts, numbers: numbers.toSorted((a, b) => (order === 'newest' ? b - a : a - b)) };
}

/** What each word asks of a report. */
function conditionsOf(search: string): RawBuilder<SqlBool>[] {
  const words = new Set(search.split(/\s+/).filter((word) => word !== ''));
  return [...words].map((word) => {
    const number = /^#?(\d{1,15})$/.exec(word)?.[1];
    const inText = contains(sql.ref<string>('search_key'), searchText(word));
    return number === undefined ? inText : sql<SqlBool>`(${inText} or number = ${Number(number)})`;
  });
}

/** In the order of their numbers as they are given. */
async function reportsOf(read: Reader, numbers: readonly number[]): Promise<Tables['report'][]> {
  if (numbers.length === 0) return [];
  const rows = await read.selectFrom('report').selectAll().where('number', 'in', numbers).execute();
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

/** One report, or null. */
export async function readReport(read: Reader, reportId: string): Promise<FullReport | null> {
  const row = await read.selectFrom('report').selectAll().where('id', '=', reportId).executeTakeFirst();
  if (row === undefined) return null;
  const attachments = (await picturesOf(read, [row])).get(row.id) ?? [];
  const history = (await historyOf(read, [row])).get(row.id) ?? [];
  return {
    ...summaryOf(row, attachments.length),
    message: row.message,
    source: row.source,
    url: row.url,
    tags: JSON.parse(row.tags) as Record<string, string>,
    context: JSON.parse(row.context) as ReportContext,
    eventId: row.event_id,
    associatedEventId: row.associated_event_id,
    reporterId: row.reporter_id,
    attachments,
    history: history.map(({ at, before, after, actor_name: by }) => ({
      at,
      before: before === null ? null : reportStatus.parse(before),
      after: reportStatus.parse(after),
      by,
    })),
    names: await namesInHistory(read, history),
    version: row.version,
  };
}

/**
 * What the operators of a history are called now. It has their ids, so that an address that they had before
 * finds them too.
 */
async function namesInHistory(
  read: Reader,
  history: readonly Tables['report_history'][],
): Promise<PeopleNames> {
  const byPeople = history.filter(({ actor_kind: kind, actor_id: id }) => kind === 'person' && id !== null);
  const names = await namesOf(
    read,
    byPeople.map(({ actor_id: id }) => `person ${id}`),
  );
  return Object.fromEntries(
    byPeople.flatMap(({ actor_id: id, actor_name: by }) => {
      const name = names[`person ${id}`];
      return name === undefined || name === by ? [] : [[by, name]];
    }),
  );
}

/** What a person has reported, the newest first, as they may see it. */
export async function listOwnReports(
  read: Reader,
  personId: string,
  page: Page,
): Promise<{ reports: OwnReport[]; total: number; next: number | null }> {
  const own = read.selectFrom('report').where('reporter_id', '=', personId);
  const total = await countRows(own);
  const { shown, next } = await pageOf(own, page);
  const [pictures, histories] = [await picturesOf(read, shown), await historyOf(read, shown)];
  const reports = shown.map((row): OwnReport => {
    const history = viewOf(histories.get(row.id));
    const last = history.at(-1);
    return {
      id: row.id,
      number: row.number,
      excerpt: excerptOf(row.message),
      message: row.message,
      status: last?.status ?? 'new',
      url: row.url,
      createdAt: row.created_at,
      changedAt: last?.at ?? row.created_at,
      attachments: pictures.get(row.id) ?? [],
      history,
    };
  });
  return { reports, total, next };
}

/** Notifies a reporter that their report has another status. */
export type ReportNews = { type: 'report'; reportId: string; number: number; status: ReportStatus };

/**
 * Reports whose status, as their reporter sees it, changed after a time: the last `most` of them, the first
 * to change first.
 */
export async function reportsChangedSince(
  read: Reader,
  personId: string,
  since: number,
  most: number,
): Promise<ReportNews[]> {
  const rows = await read
    .selectFrom('report')
    .selectAll()
    .where('reporter_id', '=', personId)
    .where('changed_at', '>', since)
    .where((row) => row('changed_at', '>', row.ref('created_at')))
    .orderBy('changed_at', 'desc')
    .limit(most)
    .execute();
  const histories = await historyOf(read, rows);
  return rows.toReversed().flatMap(({ id, number }): ReportNews[] => {
    const last = viewOf(histories.get(id)).at(-1);
    return last === undefined || last.at <= since
      ? []
      : [{ type: 'report', reportId: id, number, status: last.status }];
  });
}

function viewOf(history: readonly Tables['report_history'][] = []): StatusAt[] {
  return reportersView(history.map(({ at, after }) => ({ at, status: reportStatus.parse(after) })));
}

async function pageOf(
  found: SelectQueryBuilder<Tables, 'report', object>,
  { after, limit }: Page,
): Promise<{ shown: Tables['report'][]; next: number | null }> {
  const rows = await found
    .selectAll()
    .$if(after !== null, (query) => query.where('number', '<', after ?? 0))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  return { shown, next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null };
}

function summaryOf(row: Tables['report'], pictures: number): ReportSummary {
  return {
    id: row.id,
    number: row.number,
    excerpt: excerptOf(row.message),
    name: row.name,
    email: row.email,
    status: reportStatus.parse(row.status),
    pictures,
    createdAt: row.created_at,
    changedAt: row.changed_at,
  };
}

/** Each report's pictures, in the order in which they were sent. */
async function picturesOf(
  read: Reader,
  reports: readonly { id: string }[],
): Promise<Map<string, StoredPicture[]>> {
  if (reports.length === 0) return new Map();
  const rows = await read
    .selectFrom('report_picture')
    .innerJoin('file', 'file.id', 'report_picture.file_id')
    .select(['report_id', 'file.id', 'filename', 'size', 'width', 'height'])
    .where(
      'report_id',
      'in',
      reports.map(({ id }) => id),
    )
    .orderBy('position')
    .execute();
  return collected(
    rows.map(({ report_id: reportId, width, height, ...file }) => [
      reportId,
      { ...file, width: width ?? 0, height: height ?? 0, url: `/v1/files/${file.id}` },
    ]),
  );
}

/** Each report's changes of status, the first first. */
async function historyOf(
  read: Reader,
  reports: readonly { id: string }[],
): Promise<Map<string, Tables['report_history'][]>> {
  if (reports.length === 0) return new Map();
  const rows = await read
    .selectFrom('report_history')
    .selectAll()
    .where(
      'report_id',
      'in',
      reports.map(({ id }) => id),
    )
    .orderBy('at')
    .execute();
  return collected(rows.map((row) => [row.report_id, row]));
}

function collected<T>(entries: readonly (readonly [key: string, value: T])[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const [key, value] of entries) found.set(key, [...(found.get(key) ?? []), value]);
  return found;
}
