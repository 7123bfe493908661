import { sql, type Kysely } from 'kysely';

/** Which fields a bug report has to have besides its message (BUG-2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('report_form')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name_required', 'integer', (column) => column.notNull())
    .addColumn('email_required', 'integer', (column) => column.notNull())
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into report_form (id, name_required, email_required, version) values (1, 0, 0, 1)`.execute(
    db,
  );
}
