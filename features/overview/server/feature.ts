import type { Kysely } from 'kysely';
import { feature } from '#server/feature.ts';

export const overviewFeature = feature({
  create: (_core, { overview }) => overview,
  migrations: { '0038-first-steps': { up: createFirstSteps } },
  fates: {
    first_steps_hidden: {},
    activity: { 'not personal': ['process_id', 'sdk_keys'] },
  },
});

/** Creates the table. Where several people are known already, the list is not shown. */
async function createFirstSteps(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('first_steps_hidden')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  const tables = database as Kysely<{
    person: { id: string };
    first_steps_hidden: { id: number; at: number };
  }>;
  const people = await tables.selectFrom('person').select('id').limit(2).execute();
  if (people.length > 1) await tables.insertInto('first_steps_hidden').values({ id: 1, at: 0 }).execute();
}
