import { errorFacet, errorLimits, type FullError } from '#features/diagnostics/contract/diagnostics.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/count-rows.ts';
import { namesOf } from '#features/directory/server/people-names.ts';
import { assigneesOf } from '#features/permissions/server/assignees.ts';
import { commentsOf, similarTo } from './error-work.ts';
import { countedPeriodOf, countsOfErrors, type WantedPeriod } from './error-counts.ts';
import { errorOf, findError } from './error-list.ts';

/** One error with its counts. Throws NOT_FOUND. */
export async function readError(
  read: Reader,
  errorId: string,
  wanted: WantedPeriod,
  now: number,
): Promise<FullError> {
  const row = await findError(read, errorId);
  const period = countedPeriodOf(wanted, now);
  const counts = await countsOfErrors(read, [errorId], period);
  const comments = await commentsOf(read, errorId);
  const assignees = await assigneesOf(read, 'DIAGNOSTICS_WRITE', [row], now);
  return {
    ...errorOf(row),
    assignee: assignees.get(row.assignee_id ?? '') ?? null,
    comments,
    names: await namesOf(
      read,
      comments.map(({ by }) => by),
    ),
    similar: await similarTo(read, row),
    projectName: row.projectName,
    period,
    counts: counts.get(errorId) ?? [],
    facets: await facetsOf(read, errorId),
    samples: await countRows(read.selectFrom('error_sample').where('group_id', '=', errorId)),
  };
}

async function facetsOf(read: Reader, errorId: string): Promise<FullError['facets']> {
  const rows = await read
    .selectFrom('error_facet')
    .select(['facet', 'value', 'events', 'last_seen_at'])
    .where('group_id', '=', errorId)
    .orderBy('events', 'desc')
    .orderBy('value')
    .execute();
  return Object.fromEntries(
    errorFacet.options.map((facet) => [
      facet,
      rows
        .filter((row) => row.facet === facet)
        .slice(0, errorLimits.facetValues)
        .map(({ value, events, last_seen_at: lastSeenAt }) => ({ value, events, lastSeenAt })),
    ]),
  ) as FullError['facets'];
}
