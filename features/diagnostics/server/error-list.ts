import {
  errorLevel,
  errorStatus,
  type CountedPeriod,
  type ErrorGroup,
  type ErrorOrder,
  type ErrorStatus,
  type ListedError,
} from '#features/diagnostics/contract/diagnostics.ts';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import type { Reader } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { id } from '#contract/text.ts';
import { contains, searchText } from '#server/platform/database/sql.ts';
import { orNotFound } from '#server/platform/http/http-problem.ts';
import { jsonCursor } from '#server/platform/http/cursor.ts';
import { assigneesOf } from '#features/permissions/server/assignees.ts';
import { countsOfErrors } from './error-counts.ts';

export type ErrorFilter = {
  /** A person's id, or `none`. */
  assignee?: string | undefined;
  /** Each word has to occur in kind, message or place, or be the id of an event or an error. */
  search: string;
  project?: number | undefined;
  status?: ErrorStatus | undefined;
  release?: string | undefined;
  environment?: string | undefined;
};

/** Where a page ends: the last error's id, and its value in the column that orders the list. */
export type ErrorPlace = { value: number; id: string };

export const errorCursor = jsonCursor(z.object({ value: z.int().check(z.nonnegative()), id }));

export type ErrorPage = {
  errors: ListedError[];
  counts: Record<ErrorStatus, number>;
  next: ErrorPlace | null;
};

const columns = {
  'last-seen': 'last_seen_at',
  'first-seen': 'first_seen_at',
  events: 'events',
  people: 'people',
} as const satisfies Record<ErrorOrder, keyof Tables['error_group']>;

/** A page of errors, the largest or latest first. It uses long reads, since it takes longer with more errors. */
export async function listErrors(
  longReads: Reader,
  filter: ErrorFilter,
  page: { order: ErrorOrder; after: ErrorPlace | null; limit: number; period: CountedPeriod; now: number },
): Promise<ErrorPage> {
  const conditions = await conditionsOf(longReads, filter);
  const counts = await countByStatus(longReads, conditions);
  const rows = await rowsOf(longReads, conditions, filter.status, page);
  const shown = rows.slice(0, page.limit);
  const overTime = await countsOfErrors(
    longReads,
    shown.map(({ id }) => id),
    page.period,
  );
  const assignees = await assigneesOf(longReads, 'DIAGNOSTICS_WRITE', shown, page.now);
  const last = shown.at(-1);
  return {
    errors: shown.map((row) => ({
      ...errorOf(row),
      assignee: assignees.get(row.assignee_id ?? '') ?? null,
      counts: overTime.get(row.id) ?? [],
    })),
    counts,
    next:
      rows.length > page.limit && last !== undefined
        ? { value: last[columns[page.order]], id: last.id }
        : null,
  };
}

/** An error as the API sends it. */
export function errorOf(row: Tables['error_group']): ErrorGroup {
  const status = errorStatus.parse(row.status);
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    message: row.message,
    place: row.place,
    level: errorLevel.safeParse(row.level).data ?? 'error',
    status,
    resolvedAt: status === 'resolved' ? row.resolved_at : null,
    resolvedAfter: status === 'resolved' ? row.resolved_in : null,
    returnedAt: status === 'open' ? row.returned_at : null,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    firstRelease: row.first_release,
    lastRelease: row.last_release,
    events: row.events,
    people: row.people,
    assigneeId: row.assignee_id,
    version: row.version,
  };
}

/** The row of an error, unless the error or its project is deleted. Throws NOT_FOUND. */
export async function findError(
  read: Reader,
  errorId: string,
): Promise<Tables['error_group'] & { projectName: string }> {
  const row = await read
    .selectFrom('error_group')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'error_group.project_id')
    .selectAll('error_group')
    .select('diagnostic_project.name as projectName')
    .where('error_group.id', '=', errorId)
    .where('error_group.status', '!=', 'deleted')
    .where('diagnostic_project.removed_at', 'is', null)
    .executeTakeFirst();
  return orNotFound(row, 'There is no such error.');
}

async function countByStatus(
  read: Reader,
  conditions: readonly RawBuilder<SqlBool>[],
): Promise<Record<ErrorStatus, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*) as n from error_group
    where ${sql.join([sql`status != 'deleted'`, ...conditions], sql` and `)} group by status`.execute(read);
  const counted = new Map(rows.map(({ status, n }) => [status, n]));
  return Object.fromEntries(
    errorStatus.options.map((status) => [status, counted.get(status) ?? 0]),
  ) as Record<ErrorStatus, number>;
}

/** The rows of a page and the first row after it. Each status is read along its index. */
async function rowsOf(
  read: Reader,
  conditions: readonly RawBuilder<SqlBool>[],
  status: ErrorStatus | undefined,
  { order, after, limit }: { order: ErrorOrder; after: ErrorPlace | null; limit: number },
): Promise<Tables['error_group'][]> {
  const column = sql.ref(columns[order]);
  const behind = after === null ? [] : [sql`(${column}, id) < (${after.value}, ${after.id})`];
  const walks = (status === undefined ? errorStatus.options : [status]).map(
    (each) => sql`
      select * from (
        select * from error_group
        where ${sql.join([sql`status = ${each}`, ...behind, ...conditions], sql` and `)}
        order by ${column} desc, id desc limit ${limit + 1}) as walk`,
  );
  const { rows } = await sql<Tables['error_group']>`
    select * from (${sql.join(walks, sql` union all `)}) as found
    order by ${column} desc, id desc limit ${limit + 1}`.execute(read);
  return rows;
}

/** The conditions of a filter, without its status. */
async function conditionsOf(read: Reader, filter: ErrorFilter): Promise<RawBuilder<SqlBool>[]> {
  const { project, release, environment, assignee } = filter;
  const removed = await read
    .selectFrom('diagnostic_project')
    .select('id')
    .where('removed_at', 'is not', null)
    .execute();
  return [
    ...(removed.length === 0 || project !== undefined
      ? []
      : [sql<SqlBool>`project_id not in (${sql.join(removed.map(({ id }) => id))})`]),
    ...(project === undefined
      ? []
      : [sql<SqlBool>`project_id = ${removed.some(({ id }) => id === project) ? 0 : project}`]),
    ...(assignee === undefined
      ? []
      : [assignee === 'none' ? sql<SqlBool>`assignee_id is null` : sql<SqlBool>`assignee_id = ${assignee}`]),
    ...(release === undefined ? [] : [hasFacet('release', release)]),
    ...(environment === undefined ? [] : [hasFacet('environment', environment)]),
    ...(await wordConditions(read, filter.search)),
  ];
}

function hasFacet(facet: 'release' | 'environment', value: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`id in (select group_id from error_facet where facet = ${facet} and value = ${value})`;
}

async function wordConditions(read: Reader, search: string): Promise<RawBuilder<SqlBool>[]> {
  const words = new Set(search.split(/\s+/).filter((word) => word !== ''));
  const conditions: RawBuilder<SqlBool>[] = [];
  for (const word of words) {
    const inText = contains(sql.ref<string>('search_key'), searchText(word));
    const ids = await idsNamedBy(read, word);
    conditions.push(ids.length === 0 ? inText : sql<SqlBool>`(${inText} or id in (${sql.join(ids)}))`);
  }
  return conditions;
}

/** The ids of errors that a word names: it is an error's id, or an event's id with or without hyphens. */
async function idsNamedBy(read: Reader, word: string): Promise<string[]> {
  const eventId = /^[0-9a-f]{32}$/.exec(word.toLowerCase().replaceAll('-', ''))?.[0];
  if (eventId === undefined) return /^[\w-]{16}$/.test(word) ? [word] : [];
  const rows = await read
    .selectFrom('error_event')
    .select('group_id')
    .distinct()
    .where('event_id', '=', eventId)
    .limit(100)
    .execute();
  return rows.map(({ group_id: id }) => id);
}
