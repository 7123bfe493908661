import type { Kysely } from 'kysely';

/** What people see of their sessions, keys that take turns, and mail that waits to be sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  // SQLite adds one column at a time.
  await schema.alterTable('session').addColumn('browser', 'text').execute();
  await schema.alterTable('session').addColumn('system', 'text').execute();
  await schema.createIndex('session_person_seen').on('session').columns(['person_id', 'seen_at']).execute();

  await schema
    .alterTable('signing_key')
    .addColumn('signs_from', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();

  await schema
    .createTable('mail')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.references('account.id').onDelete('cascade'))
    .addColumn('email', 'text')
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('failure', 'text')
    .execute();
  await schema.createIndex('mail_due').on('mail').column('next_try_at').execute();
  await schema.createIndex('mail_account').on('mail').column('account_id').execute();
}
