import { sql, type Kysely } from 'kysely';

/** How long reports are stored, and erasures that are under way (BUG-10). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('retention')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('report_days', 'integer')
    .addColumn('erased_reports', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into retention (id, erased_reports, version) values (1, 'keep', 1)`.execute(db);

  await schema
    .createTable('erasure')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
    .addColumn('pseudonym', 'text', (column) => column.notNull())
    .addColumn('emails', 'text', (column) => column.notNull())
    .addColumn('full_name', 'text', (column) => column.notNull())
    .addColumn('reports', 'text', (column) => column.notNull())
    .addColumn('begun_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    .execute();

  await schema.createIndex('report_created').on('report').column('created_at').execute();
}
