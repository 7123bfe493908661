import { SqliteAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const migrations: Record<string, Migration> = {
  '0007-settings': { up: settings },
  '0008-own-sessions': { up: ownSessions },
  '0009-retention': { up: retention },
  '0010-members-of-groups': { up: membersOfGroups },
  '0011-found-by-index': { up: foundByIndex },
  '0012-set-up-once': { up: setUpOnce },
  '0015-removed-contents': { up: removedContents },
  '0016-report-form': { up: reportForm },
};

/** API tokens and client keys that can be revoked, and how the installation looks. */
async function settings(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  // SQLite adds one column at a time.
  await schema.alterTable('api_token').addColumn('parent_id', 'text').execute();
  await schema.alterTable('api_token').addColumn('revoked_at', 'bigint').execute();
  await schema.alterTable('api_token').addColumn('revoked_by', 'text').execute();
  await schema.createIndex('api_token_parent').on('api_token').column('parent_id').execute();

  await schema.alterTable('client_key').addColumn('created_by', 'text').execute();
  await schema.alterTable('client_key').addColumn('revoked_at', 'bigint').execute();
  await schema.alterTable('client_key').addColumn('revoked_by', 'text').execute();
  await schema
    .alterTable('client_key')
    .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();

  await schema
    .createTable('branding')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('accent', 'text')
    .addColumn('mark_id', 'text')
    .addColumn('mark_type', 'text')
    .addColumn('mark', 'bytea')
    .addColumn('changed_at', 'bigint')
    .addColumn('changed_by', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into branding (id, version) values (1, 1)`.execute(db);
}

/** What people see of their sessions, keys that take turns, and mail that waits to be sent. */
async function ownSessions(db: Kysely<unknown>): Promise<void> {
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

/** How long reports are stored, and erasures that are under way (BUG-10). */
async function retention(db: Kysely<unknown>): Promise<void> {
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

/**
 * One index answers who is in a group, which groups there are, and how many people are in each, without the
 * table.
 */
async function membersOfGroups({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('person_group_members')
    .on('person_group')
    .columns(['kind', 'name', 'person_id'])
    .execute();
  await schema.dropIndex('person_group_name').execute();
  await schema.dropIndex('person_group_by_name').execute();
}

/**
 * What an erasure looks for and how much room files take is found by an index, since such writes hold up
 * every other one.
 */
async function foundByIndex(db: Kysely<unknown>): Promise<void> {
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

/**
 * That an installation has been set up is a fact of its own, which no change of roles undoes (START-6), and
 * whether the provider vouches for a person's address is stored with it.
 */
async function setUpOnce(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('person')
    .addColumn('email_verified', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Of other providers it is unknown until the next sign-in. Addresses of the embedded one are given by
  // operators.
  await sql`update person set email_verified = 1 where issuer = 'embedded' and email <> ''`.execute(db);

  // Nothing but a first operator brings accounts, group mappings or given roles about, and the audit forgets
  // nothing.
  await sql`insert into setting (name, value)
    select 'first-operator', 'before 0012' where exists (select 1 from person_role where role = 'operator')
      or exists (select 1 from person_role where given_by is not null)
      or exists (select 1 from account)
      or exists (select 1 from group_mapping)
      or exists (select 1 from audit where action in ('set-up.claim', 'set-up.unattended', 'operator.create', 'operator.reset'))`.execute(
    db,
  );
}

/**
 * Which contents of files were named once and are no more, on SQLite, where contents are files next to the
 * database: so that the sweep can distinguish what was removed from what an older database does not know.
 * PostgreSQL stores contents in its own rows.
 */
async function removedContents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('removed_content')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  // What lies unnamed and was written before this is what earlier releases left to the sweep.
  await sql`insert into setting (name, value) select 'contents-agreed-at', at from revision where at > 0`.execute(
    db,
  );
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`
    create trigger file_removed after delete on file
    begin
      insert or replace into removed_content (hash, at) select old.hash, at from revision;
    end`.execute(db);
}

/** Which fields a bug report has to have besides its message (BUG-2). */
async function reportForm(db: Kysely<unknown>): Promise<void> {
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
