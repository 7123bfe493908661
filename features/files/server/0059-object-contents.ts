import type { Kysely } from 'kysely';

/** Which contents of files are in an object store, wait to be sent to it, or are being removed from it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('object_content')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('object_content_state').on('object_content').columns(['state', 'at']).execute();
}
