import type { Kysely } from 'kysely';

/** Segments, and which client keys are for SDKs that know none. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('segment')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('attribute', 'text', (column) => column.notNull())
    .addColumn('numbers', 'integer', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text')
    .addColumn('changed_by_id', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .alterTable('client_key')
    .addColumn('older_sdks', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
