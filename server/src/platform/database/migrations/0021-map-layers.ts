import { sql, type Kysely } from 'kysely';

/** What operators decide about the layers of the map (MAP-2): who sees them, their order and titles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('map_layer')
    // The name in lower case: some map servers find layers in any.
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('right_name', 'text')
    .addColumn('on_at_first', 'integer', (column) => column.notNull())
    .addColumn('title_en', 'text', (column) => column.notNull())
    .addColumn('title_de', 'text', (column) => column.notNull())
    .addColumn('title_fr', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('map_workspace')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('access', 'text', (column) => column.notNull())
    .addColumn('right_name', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('map_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('names', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into map_order (id, names, version) values (1, '[]', 1)`.execute(db);
}
