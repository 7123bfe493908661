import type { Kysely } from 'kysely';

/** How many clients were connected with each key, so that all screens count those of all processes (CON-2). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('activity')
    .addColumn('sdk_keys', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute();
}
