import { sql } from 'kysely';
import type { Reader } from '#server/platform/database/database.ts';

/** How many values of a filter are offered. */
const most = 200;
const mostRead = 2_000;

/** What errors can be filtered by. */
export async function readErrorFilters(
  longReads: Reader,
  project: number | undefined,
): Promise<{ projects: { id: number; name: string }[]; releases: string[]; environments: string[] }> {
  const projects = await longReads
    .selectFrom('diagnostic_project')
    .select(['id', 'name'])
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
  const known = await longReads
    .selectFrom('project_release')
    .innerJoin('diagnostic_project', 'diagnostic_project.id', 'project_id')
    .select('release')
    .where('removed_at', 'is', null)
    .$if(project !== undefined, (query) => query.where('project_id', '=', project ?? 0))
    .orderBy('first_seen_at', 'desc')
    .limit(mostRead)
    .execute();
  return {
    projects,
    releases: [...new Set(known.map(({ release }) => release))].slice(0, most),
    environments: await environmentsOf(longReads),
  };
}

/** Each environment once, by one look into the index for each. */
async function environmentsOf(read: Reader): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    with recursive found(value) as (
      select min(value) from error_facet where facet = 'environment'
      union all
      select (select min(value) from error_facet where facet = 'environment' and value > found.value)
      from found where found.value is not null)
    select value from found where value is not null limit ${most}`.execute(read);
  return rows.map(({ value }) => value);
}
