import { sql, type Kysely } from 'kysely';

/** What is stored of people who are not signed in has a bound of its own (BUG-6, DIAG-2). */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.alterTable('report').addColumn('stranger_bytes', 'bigint').execute();
  await sql`
    update report set stranger_bytes = 1000 + length(message) + length(tags) + length(context) + length(url)
    where reporter_id is null`.execute(db);
  await sql`create index report_of_strangers on report (stranger_bytes) where stranger_bytes is not null`.execute(
    db,
  );
  await schema.alterTable('error_event').addColumn('from_known', 'integer').execute();
}
