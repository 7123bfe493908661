import {
  reportStatus,
  type FullReport,
  type OwnReport,
  type ReportContext,
  type ReportStatus,
  type ReportSummary,
  type StoredPicture,
} from '@portico/contract/feedback';
import type { Reader } from '../../platform/database.ts';
import type { Tables } from '../../platform/schema.ts';
import { contains, searchText } from '../../platform/search-text.ts';
import { excerptOf } from './excerpt.ts';
import { reportersView, type StatusAt } from './reporters-view.ts';

export type ReportFilter = {
  /** Words that each stand somewhere in message, name, e-mail or address, or are the number; empty: every report. */
  search: string;
  status?: ReportStatus | undefined;
};

/** At most `limit` reports behind the one of a number. */
export type Page = { after: number | null; limit: number };

export type ReportPage = {
  reports: ReportSummary[];
  /** Of those that the words find, how many are in each status. */
  counts: Record<ReportStatus, number>;
  /** How many the filter finds on all pages. */
  total: number;
  /** The number of the last one, where more follow. */
  next: number | null;
};

/** The inbox. */
export async function listReports(
  read: Reader,
  filter: ReportFilter,
  { order, ...page }: Page & { order: 'newest' | 'oldest' },
): Promise<ReportPage> {
  const found = withWords(read, filter.search);
  const counted = await found
    .select(['status', (row) => row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  const counts = Object.fromEntries(
    reportStatus.options.map((status) => [status, counted.find((row) => row.status === status)?.count ?? 0]),
  ) as Record<ReportStatus, number>;
  const { status } = filter;
  const { shown, next } = await pageOf(
    status === undefined ? found : found.where('status', '=', status),
    page,
    order,
  );
  const pictures = await picturesOf(read, shown);
  return {
    reports: shown.map((row) => summaryOf(row, pictures.get(row.id)?.length ?? 0)),
    counts,
    total: status === undefined ? Object.values(counts).reduce((sum, each) => sum + each, 0) : counts[status],
    next,
  };
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
    version: row.version,
  };
}

/** What a person has reported, the newest first, as they may see it. */
export async function listOwnReports(
  read: Reader,
  personId: string,
  page: Page,
): Promise<{ reports: OwnReport[]; total: number; next: number | null }> {
  const own = read.selectFrom('report').where('reporter_id', '=', personId);
  const { total } = await own
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const { shown, next } = await pageOf(own, page, 'newest');
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

/** A report of somebody's own that has another status, as they are told. */
export type ReportNews = { type: 'report'; reportId: string; number: number; status: ReportStatus };

/** Reports whose status, as their reporter sees it, changed after a time: the last `most` of them, the first to change first. */
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

function withWords(read: Reader, search: string) {
  let query = read.selectFrom('report');
  for (const word of search.split(/\s+/).filter((part) => part !== '')) {
    const number = /^#?(\d{1,15})$/.exec(word)?.[1];
    query = query.where((row) => {
      const inText = contains(row.ref('search_key'), searchText(word));
      return number === undefined ? inText : row.or([inText, row('number', '=', Number(number))]);
    });
  }
  return query;
}

async function pageOf(
  found: ReturnType<typeof withWords>,
  { after, limit }: Page,
  order: 'newest' | 'oldest',
): Promise<{ shown: Tables['report'][]; next: number | null }> {
  const rows = await found
    .selectAll()
    .$if(after !== null, (query) => query.where('number', order === 'newest' ? '<' : '>', after ?? 0))
    .orderBy('number', order === 'newest' ? 'desc' : 'asc')
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
