import type { Kysely } from 'kysely';

/** The variations that people have, and the client keys for which they are kept. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('sticky_bucket')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('assignments', 'text', (column) => column.notNull())
    .addColumn('read_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('sticky_bucket_read').on('sticky_bucket').column('read_at').execute();
  await schema
    .alterTable('client_key')
    .addColumn('sticky_buckets', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
