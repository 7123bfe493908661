import type { Kysely } from 'kysely';

/** What was created under an id of a client, so that a repeated call creates nothing (API-3). */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('creation')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('caller', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('creation_caller').on('creation').columns(['caller', 'created_at']).execute();
  await schema.createIndex('creation_created').on('creation').column('created_at').execute();
}
