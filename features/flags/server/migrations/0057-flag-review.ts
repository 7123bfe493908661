import { type Kysely, sql } from 'kysely';

/** Changes of flags that wait for a review, and whether they need one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('flag_review')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('required', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into flag_review (id, required, version) values (1, 0, 1)`.execute(database);
  await database.schema
    .createTable('flag_proposal')
    .addColumn('flag_key', 'text', (column) => column.primaryKey())
    .addColumn('flag', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('publish_at', 'bigint')
    .addColumn('base', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('author_kind', 'text', (column) => column.notNull())
    .addColumn('author_id', 'text')
    .addColumn('author_name', 'text', (column) => column.notNull())
    .addColumn('owner_id', 'text')
    .addColumn('approved', 'integer')
    .addColumn('review_note', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('reviewed_at', 'bigint')
    .addColumn('reviewed_by', 'text')
    .addColumn('reviewed_by_id', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
}
