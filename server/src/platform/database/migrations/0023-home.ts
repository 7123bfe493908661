import { sql, type Kysely } from 'kysely';

/** The applications on the home screen (HOME-1): those that operators list, and what they change about others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('home_app')
    // An id, or `~` and the name of an application behind the gateway.
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_en', 'text', (column) => column.notNull())
    .addColumn('name_de', 'text', (column) => column.notNull())
    .addColumn('name_fr', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('description_en', 'text', (column) => column.notNull())
    .addColumn('description_de', 'text', (column) => column.notNull())
    .addColumn('description_fr', 'text', (column) => column.notNull())
    // Null: the configuration of the gateway has it.
    .addColumn('address', 'text')
    .addColumn('right_name', 'text')
    .addColumn('shown', 'integer', (column) => column.notNull())
    .addColumn('picture_id', 'text')
    .addColumn('picture_type', 'text')
    .addColumn('picture', 'bytea')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('home_order')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('keys', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into home_order (id, keys, version) values (1, '[]', 1)`.execute(db);
}
