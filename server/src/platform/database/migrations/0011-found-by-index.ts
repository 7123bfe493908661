import { sql, type Kysely } from 'kysely';

/**
 * What an erasure looks for and how much room files take is found by an index, since such writes hold up
 * every other one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema.createIndex('file_owner_size').on('file').columns(['owner', 'size']).execute();
  await schema.dropIndex('file_owner').execute();
  await schema.createIndex('audit_actor').on('audit').column('actor_id').execute();
  await schema.createIndex('report_history_actor').on('report_history').column('actor_id').execute();
  await schema.createIndex('report_history_name').on('report_history').column('actor_name').execute();
  await sql`create index report_history_lower_name on report_history (lower(actor_name))`.execute(db);
  await schema.createIndex('report_email').on('report').column('email').execute();
  await sql`create index report_lower_email on report (lower(email))`.execute(db);
}
