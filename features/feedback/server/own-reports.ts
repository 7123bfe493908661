import { sql } from 'kysely';
import { conversationLimits } from '#features/feedback/contract/messages.ts';
import {
  reportStatus,
  type OwnReport,
  type ReportStatus,
  type OwnReply,
} from '#features/feedback/contract/own-reports.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/sql.ts';
import { fullName } from '#features/directory/server/people-names.ts';
import { excerptOf } from './excerpt.ts';
import { collected, historyOf, picturesOf, type HistoryRow, type ReportRow } from './report-parts.ts';

/** Up to `limit` reports of a person as they may see them, newest first, with numbers below `after`. */
export async function listOwnReports(
  read: Reader,
  personId: string,
  { after, limit }: { after: number | null; limit: number },
): Promise<{ reports: OwnReport[]; total: number; next: number | null }> {
  const own = read.selectFrom('report').where('reporter_id', '=', personId);
  const total = await countRows(own);
  const rows = await own
    .selectAll()
    .$if(after !== null, (query) => query.where('number', '<', after ?? 0))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  const shown = rows.slice(0, limit);
  const replies = await repliesOf(read, shown, conversationLimits.messagesInLists);
  return {
    reports: await ownReportsOf(read, shown, replies),
    total,
    next: rows.length > limit ? (shown.at(-1)?.number ?? null) : null,
  };
}

/** One of a person's own reports with all its replies, or null. */
export async function readOwnReport(
  read: Reader,
  personId: string,
  reportId: string,
): Promise<OwnReport | null> {
  const rows = await read
    .selectFrom('report')
    .selectAll()
    .where('id', '=', reportId)
    .where('reporter_id', '=', personId)
    .execute();
  const replies = await repliesOf(read, rows, conversationLimits.messages);
  return (await ownReportsOf(read, rows, replies))[0] ?? null;
}

async function ownReportsOf(
  read: Reader,
  rows: readonly ReportRow[],
  replies: ReadonlyMap<string, OwnReply[]>,
): Promise<OwnReport[]> {
  const [pictures, histories] = [await picturesOf(read, rows), await historyOf(read, rows)];
  return rows.map((row): OwnReport => {
    const history = viewOf(histories.get(row.id));
    const last = history.at(-1);
    const said = replies.get(row.id) ?? [];
    return {
      id: row.id,
      number: row.number,
      excerpt: excerptOf(row.message),
      message: row.message,
      status: last?.status ?? 'new',
      url: row.url,
      createdAt: row.created_at,
      changedAt: Math.max(last?.at ?? row.created_at, said.at(-1)?.at ?? 0),
      attachments: pictures.get(row.id) ?? [],
      history,
      replies: said,
      replyCount: row.replies,
    };
  });
}

/** The last `most` replies of each report, oldest first, with names of operators and no addresses. */
async function repliesOf(
  read: Reader,
  reports: readonly { id: string; replies: number }[],
  most: number,
): Promise<Map<string, OwnReply[]>> {
  const ids = reports.filter(({ replies }) => replies > 0).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rows = await read
    .selectFrom(
      read
        .selectFrom('report_message')
        .select(['id', 'report_id', 'side', 'text', 'at', 'author_kind', 'author_id'])
        .select(sql<number>`row_number() over (partition by report_id order by at desc)`.as('place'))
        .where('report_id', 'in', ids)
        .where('kind', '=', 'reply')
        .as('reply'),
    )
    .leftJoin('profile', 'profile.person_id', 'reply.author_id')
    .select(['reply.id', 'report_id', 'side', 'text', 'at', 'author_kind', 'first_name', 'last_name'])
    .where('place', '<=', most)
    .orderBy('at')
    .execute();
  return collected(
    rows.map((row): [string, OwnReply] => {
      const name = fullName({ first_name: row.first_name ?? '', last_name: row.last_name ?? '' });
      return [
        row.report_id,
        {
          id: row.id,
          from: row.side === 'operator' ? 'operator' : 'reporter',
          by: row.author_kind === 'person' && name !== '' ? name : null,
          text: row.text,
          at: row.at,
        },
      ];
    }),
  );
}

/** Notifies a reporter that their report has another status, or was replied to. */
export type ReportNews = {
  type: 'report';
  reportId: string;
  number: number;
  status: ReportStatus;
  replies: number;
};

/**
 * Reports whose status, as their reporter sees it, changed after a time, or to which operators replied: the
 * last `most` of them, oldest change first.
 */
export async function reportsChangedSince(
  read: Reader,
  personId: string,
  since: number,
  most: number,
): Promise<ReportNews[]> {
  const rows = await read
    .selectFrom('report')
    .select(['id', 'number', 'told_at'])
    .where('reporter_id', '=', personId)
    .where('told_at', '>', since)
    .where((row) => row('told_at', '>', row.ref('created_at')))
    .orderBy('told_at', 'desc')
    .limit(most)
    .execute();
  const histories = await historyOf(read, rows);
  const replies = await newRepliesOf(read, rows, since);
  return rows.toReversed().flatMap(({ id, number }): ReportNews[] => {
    const last = viewOf(histories.get(id)).at(-1);
    const replied = replies.get(id) ?? 0;
    return last === undefined || (last.at <= since && replied === 0)
      ? []
      : [{ type: 'report', reportId: id, number, status: last.status, replies: replied }];
  });
}

async function newRepliesOf(
  read: Reader,
  reports: readonly { id: string }[],
  since: number,
): Promise<Map<string, number>> {
  if (reports.length === 0) return new Map();
  const ids = reports.map(({ id }) => id);
  const rows = await read
    .selectFrom('report_message')
    .select(['report_id', ({ fn }) => fn.countAll<number>().as('n')])
    .where('report_id', 'in', ids)
    .where('kind', '=', 'reply')
    .where('side', '=', 'operator')
    .where('at', '>', since)
    .groupBy('report_id')
    .execute();
  return new Map(rows.map(({ report_id: id, n }) => [id, n]));
}

function viewOf(history: readonly HistoryRow[] = []): StatusAt[] {
  return reportersView(
    history
      .filter(({ what }) => what === 'status')
      .map(({ at, after }) => ({ at, status: reportStatus.parse(after) })),
  );
}

type StatusAt = { at: number; status: ReportStatus };

/**
 * The history of a report as its reporter sees it (BUG-9). Spam is shown as closed. Consecutive entries
 * that then have the same status are shown once, with the time of the first.
 */
export function reportersView(history: readonly StatusAt[]): StatusAt[] {
  const shownStates: StatusAt[] = [];
  for (const { at, status } of history) {
    const shown = status === 'spam' ? 'closed' : status;
    if (shownStates.at(-1)?.status !== shown) shownStates.push({ at, status: shown });
  }
  return shownStates;
}
