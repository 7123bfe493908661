import type { Kysely } from 'kysely';

/** Which flags browsers receive whose person is not signed in (FLAG-9): none before an operator marks them. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('flag')
    .addColumn('for_signed_out', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
