import { sql, type RawBuilder } from 'kysely';
import type {
  listReports as listInbox,
  ReportSummary,
  ReportTab,
} from '#features/feedback/contract/inbox.ts';
import { reportStatus, type ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { AnswerOf } from '#contract/route.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { excerptOf } from './excerpt.ts';
import { conditionsOf, placeConditionsOf, type ReportFilter } from './report-filter.ts';
import { assigneesOf } from '#features/permissions/server/assignees.ts';
import { labelsOf, picturesOf, type ReportRow } from './report-parts.ts';

/** The tab of the inbox that the row of a report stores. */
type StoredTab = 'open' | 'snoozed' | 'done' | 'spam';

const tabs: Record<ReportStatus, Exclude<StoredTab, 'snoozed'>> = {
  new: 'open',
  triaged: 'open',
  'in-progress': 'open',
  resolved: 'done',
  closed: 'done',
  duplicate: 'done',
  spam: 'spam',
};

type Order = 'newest' | 'oldest' | 'changed';

/** The last report of a page: when it changed, and its number. */
type Place = [changedAt: number, number: number];

/** A page of the inbox; `next` is its last report, where more follow. */
type ReportPage = Omit<AnswerOf<typeof listInbox>, 'next'> & { next: Place | null };

/** The reader of the inbox, and the time (milliseconds). */
export type ListContext = { callerId: string | null; now: number };

/** A page of the inbox. Reads from `longReads`, since a search takes longer the more reports there are. */
export async function listReports(
  longReads: Reader,
  filter: ReportFilter,
  page: { after: Place | null; limit: number; order: Order },
  context: ListContext,
): Promise<ReportPage> {
  const { counts, mine, snoozed, places } = await foundPlaces(longReads, filter, page, context.callerId);
  const shown = await reportsAt(longReads, places.slice(0, page.limit));
  const last = shown.at(-1);
  return {
    reports: await summariesOf(longReads, shown, context.now),
    tabs: {
      open: countIn(counts, statusesOf('open')) - countIn(snoozed, statusesOf('open')),
      mine: countIn(mine, statusesOf('open')),
      snoozed: countIn(snoozed, statusesOf('open')),
      done: countIn(counts, statusesOf('done')),
      spam: countIn(counts, statusesOf('spam')),
    },
    counts: countsIn(filter.tab, counts, snoozed),
    total: totalOf(filter, { counts, mine, snoozed }),
    next: places.length > page.limit && last !== undefined ? [last.changed_at, last.number] : null,
  };
}

type Counts = Record<ReportStatus, number>;

function countIn(counts: Counts, statuses: readonly ReportStatus[]): number {
  return statuses.reduce((sum, status) => sum + counts[status], 0);
}

/** The counts by status: the tab `open` excludes snoozed reports, the tab `snoozed` counts only these. */
function countsIn(tab: ReportTab | undefined, counts: Counts, snoozed: Counts): Counts {
  if (tab === 'snoozed') return snoozed;
  if (tab !== 'open') return counts;
  const awake = reportStatus.options.map((status) => [status, counts[status] - snoozed[status]]);
  return Object.fromEntries(awake) as Counts;
}

function totalOf(
  { tab, status }: ReportFilter,
  { counts, mine, snoozed }: Record<'counts' | 'mine' | 'snoozed', Counts>,
): number {
  const inTab =
    tab === undefined ? reportStatus.options : statusesOf(tab === 'mine' || tab === 'snoozed' ? 'open' : tab);
  const meant = status === undefined ? inTab : inTab.filter((each) => each === status);
  const all = countIn(tab === 'mine' ? mine : tab === 'snoozed' ? snoozed : counts, meant);
  return tab === 'open' ? all - countIn(snoozed, meant) : all;
}

/**
 * Finds the places of a page's reports and of the first report after it, and all counts, in one query: it
 * searches for words only once. Without a filter everything is found by an index.
 */
async function foundPlaces(
  read: Reader,
  filter: ReportFilter,
  { after, limit, order }: { after: Place | null; limit: number; order: Order },
  callerId: string | null,
): Promise<{ counts: Counts; mine: Counts; snoozed: Counts; places: Place[] }> {
  const conditions = conditionsOf(filter, callerId);
  const behind = after === null ? [] : [behindOf(after, order)];
  const inPage = sql.join([sql`1 = 1`, ...placeConditionsOf(filter, callerId), ...behind], sql` and `);
  const { rows } = await sql<{
    what: 'all' | 'mine' | 'snoozed' | 'page';
    status: string;
    n: number;
    at: number;
  }>`
    with found as ${conditions.length === 0 ? sql`not materialized` : sql`materialized`} (
      select number, changed_at, status, tab, assignee_id from report
      where ${sql.join([sql`1 = 1`, ...conditions], sql` and `)})
    select 'all' as what, status, count(*) as n, 0 as at from found group by status
    union all
    select 'mine', status, count(*), 0 from found
      where assignee_id = ${callerId} and tab = 'open' group by status
    union all
    select 'snoozed', status, count(*), 0 from found where tab = 'snoozed' group by status
    union all
    select 'page', '', number, changed_at from (
      select number, changed_at from found where ${inPage}
      order by ${orders[order]} limit ${limit + 1}) as page`.execute(read);
  const countsOf = (what: 'all' | 'mine' | 'snoozed') => {
    const counted = new Map(rows.filter((row) => row.what === what).map((row) => [row.status, row.n]));
    return Object.fromEntries(reportStatus.options.map((each) => [each, counted.get(each) ?? 0])) as Counts;
  };
  const places = rows.filter(({ what }) => what === 'page').map(({ n, at }): Place => [at, n]);
  return {
    counts: countsOf('all'),
    mine: countsOf('mine'),
    snoozed: countsOf('snoozed'),
    places: inOrder(places, order),
  };
}

const orders: Record<Order, RawBuilder<unknown>> = {
  newest: sql`number desc`,
  oldest: sql`number asc`,
  changed: sql`changed_at desc, number desc`,
};

function behindOf([changedAt, number]: Place, order: Order) {
  if (order === 'changed') return sql<boolean>`(changed_at, number) < (${changedAt}, ${number})`;
  return order === 'newest' ? sql<boolean>`number < ${number}` : sql<boolean>`number > ${number}`;
}

/** Sorts the places again, since a union has no order. */
function inOrder(places: readonly Place[], order: Order): Place[] {
  return places.toSorted(([at, number], [otherAt, otherNumber]) => {
    if (order === 'oldest') return number - otherNumber;
    return order === 'changed' ? otherAt - at || otherNumber - number : otherNumber - number;
  });
}

/** What lists show of a report; texts that are long stay in the database. */
const summaryColumns = [
  'id',
  'number',
  'message',
  'name',
  'email',
  'status',
  'assignee_id',
  'replies',
  'notes',
  'last_word',
  'snoozed_until',
  'created_at',
  'changed_at',
  'version',
] as const;
type SummaryRow = Pick<ReportRow, (typeof summaryColumns)[number]>;

/** Reads the reports at these places, in the order of the places. */
async function reportsAt(read: Reader, places: readonly Place[]): Promise<SummaryRow[]> {
  if (places.length === 0) return [];
  const rows = await read
    .selectFrom('report')
    .select(summaryColumns)
    .where(
      'number',
      'in',
      places.map(([, number]) => number),
    )
    .execute();
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  return places.flatMap(([, number]) => byNumber.get(number) ?? []);
}

/** Reports as lists show them. */
export async function summariesOf(
  read: Reader,
  rows: readonly SummaryRow[],
  now: number,
): Promise<ReportSummary[]> {
  const [pictures, labels, assignees] = [
    await picturesOf(read, rows),
    await labelsOf(read, rows),
    await assigneesOf(read, 'REPORTS_WRITE', rows, now),
  ];
  return rows.map((row): ReportSummary => {
    const shown = pictures.get(row.id) ?? [];
    return {
      id: row.id,
      number: row.number,
      excerpt: excerptOf(row.message),
      name: row.name,
      email: row.email,
      status: reportStatus.parse(row.status),
      assignee: assignees.get(row.assignee_id ?? '') ?? null,
      labels: labels.get(row.id) ?? [],
      pictures: shown.length,
      picture: shown[0] ?? null,
      replies: row.replies,
      notes: row.notes,
      lastWord: row.last_word === 'operator' ? 'operator' : 'reporter',
      snoozedUntil: row.snoozed_until,
      createdAt: row.created_at,
      changedAt: row.changed_at,
      version: row.version,
    };
  });
}

export function tabOf({ status, snoozedUntil }: Pick<ReportSummary, 'status' | 'snoozedUntil'>): StoredTab {
  return tabs[status] === 'open' && snoozedUntil !== null ? 'snoozed' : tabs[status];
}

/** The statuses of a tab. */
function statusesOf(tab: Exclude<StoredTab, 'snoozed'>): ReportStatus[] {
  return reportStatus.options.filter((status) => tabs[status] === tab);
}
