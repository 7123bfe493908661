import { errorFacet, errorLimits, type FullError } from '#features/diagnostics/contract/diagnostics.ts';
import type { Reader } from '#server/platform/database/database.ts';
import { countRows } from '#server/platform/database/count-rows.ts';
import type { Tables } from '#server/platform/database/schema.ts';
import { orNotFound } from '#server/platform/http/refusals.ts';
import { countedPeriodOf, countsOfErrors, type WantedPeriod } from './error-counts.ts';
import { errorOf } from './error-list.ts';

const noSuchError = 'There is no such error.';

/** The row of an error that is shown. Throws NOT_FOUND. */
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
  return orNotFound(row, noSuchError);
}

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
  return {
    ...errorOf(row),
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
