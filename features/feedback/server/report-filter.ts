import type { listReports } from '#features/feedback/contract/inbox.ts';
import type { QueryOf } from '#contract/route.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { contains, searchText } from '#server/platform/database/sql.ts';

export type ReportFilter = Omit<QueryOf<typeof listReports>, 'order' | 'limit' | 'cursor'>;

/** The filter's conditions on a row of `report`, without those of tab and status; may be empty. */
export function conditionsOf(filter: ReportFilter, callerId: string | null): RawBuilder<SqlBool>[] {
  const { assignee, reporter, label, from, until, pictures, lastWord } = filter;
  const conditions = wordsOf(filter.search).map(containsWord);
  if (assignee === 'none') conditions.push(sql`assignee_id is null`);
  else if (assignee !== undefined)
    conditions.push(sql`assignee_id = ${assignee === 'current' ? callerId : assignee}`);
  if (reporter !== undefined) conditions.push(sql`reporter_id = ${reporter}`);
  if (label !== undefined) {
    conditions.push(sql`id in (select report_id from report_label where label_key = ${searchText(label)})`);
  }
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`);
  if (until !== undefined) conditions.push(sql`created_at <= ${until}`);
  if (pictures !== undefined) {
    conditions.push(
      sql`${pictures === 'with' ? sql`` : sql`not `}exists (
        select 1 from report_picture where report_picture.report_id = report.id)`,
    );
  }
  if (lastWord !== undefined) conditions.push(sql`last_word = ${lastWord}`);
  return conditions;
}

/** The conditions of tab and status on a row of `report`, or of a query with the same column names. */
export function placeConditionsOf(
  { tab, status }: Pick<ReportFilter, 'tab' | 'status'>,
  callerId: string | null,
): RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = [];
  if (tab !== undefined) conditions.push(sql`tab = ${tab === 'mine' ? 'open' : tab}`);
  if (tab === 'mine') conditions.push(sql`assignee_id = ${callerId}`);
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  return conditions;
}

function wordsOf(search: string): string[] {
  return [...new Set(search.split(/\s+/).filter((word) => word !== ''))];
}

function containsWord(word: string): RawBuilder<SqlBool> {
  const term = searchText(word);
  const number = /^#?(\d{1,15})$/.exec(word)?.[1];
  const isNumber = number === undefined ? sql`` : sql` or number = ${Number(number)}`;
  return sql<SqlBool>`(${contains(sql.ref<string>('search_key'), term)}
    or id in (select report_id from report_message where ${contains(sql.ref<string>('report_message.search_key'), term)})
    ${isNumber})`;
}
