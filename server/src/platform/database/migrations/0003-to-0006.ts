import { SqliteAdapter, sql, type Kysely } from 'kysely';
import { searchText } from '../sql.ts';
import { emailSkeleton } from '../email-skeleton.ts';
import type { Migration } from 'kysely/migration';

export const migrations: Record<string, Migration> = {
  '0003-maintenance-windows': { up: maintenanceWindows },
  '0004-audit-search': { up: auditSearch },
  '0005-outside-provider': { up: outsideProvider },
  '0006-rights': { up: rights },
};

/**
 * Planned windows with their history, webhooks with their deliveries, and presence where several processes
 * share it.
 */
async function maintenanceWindows(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('maintenance_window')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('severity', 'text', (column) => column.notNull())
    .addColumn('mode', 'text', (column) => column.notNull())
    .addColumn('starts_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('lead_minutes', 'integer', (column) => column.notNull())
    .addColumn('ends_by_itself', 'integer', (column) => column.notNull())
    .addColumn('time_zone', 'text')
    .addColumn('phase', 'text', (column) => column.notNull())
    .addColumn('over_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('maintenance_window_over')
    .on('maintenance_window')
    .columns(['over_at', 'starts_at'])
    .execute();
  await schema
    .createTable('maintenance_history')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('deed', 'text', (column) => column.notNull())
    .addColumn('window_id', 'text')
    .addColumn('title', 'text')
    .addColumn('by', 'text')
    .addColumn('facts', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('maintenance_history_at')
    .on('maintenance_history')
    .columns(['at', 'id'])
    .execute();
  await schema
    .createIndex('maintenance_history_window')
    .on('maintenance_history')
    .columns(['window_id', 'at'])
    .execute();

  await schema
    .createTable('webhook')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('webhook_delivery')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('webhook_id', 'text', (column) =>
      column.notNull().references('webhook.id').onDelete('cascade'),
    )
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .execute();
  await schema
    .createIndex('webhook_delivery_due')
    .on('webhook_delivery')
    .columns(['state', 'next_try_at'])
    .execute();
  await schema
    .createIndex('webhook_delivery_webhook')
    .on('webhook_delivery')
    .columns(['webhook_id', 'created_at', 'id'])
    .execute();
  await schema
    .createTable('webhook_attempt')
    .addColumn('delivery_id', 'text', (column) =>
      column.notNull().references('webhook_delivery.id').onDelete('cascade'),
    )
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('took', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('failure', 'text')
    .addPrimaryKeyConstraint('webhook_attempt_pk', ['delivery_id', 'at'])
    .execute();

  await schema
    .createTable('presence_process')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('presence')
    .addColumn('connection_id', 'text', (column) => column.primaryKey())
    .addColumn('process_id', 'text', (column) => column.notNull())
    .addColumn('person_hash', 'text', (column) => column.notNull())
    .addColumn('tabs', 'integer', (column) => column.notNull())
    .addColumn('unsaved', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('presence_process_id').on('presence').column('process_id').execute();
}

type Row = {
  id: string;
  at: number;
  actor_name: string;
  action: string;
  subject: string;
  before: string | null;
  after: string | null;
  search_key: string;
};

/** The audit can be searched and refuses to be changed, on both engines by the database itself. */
async function auditSearch(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;
  await schema
    .alterTable('audit')
    .addColumn('search_key', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await fillSearchKeys(db);
  await schema.dropIndex('audit_at').execute();
  await schema.createIndex('audit_order').on('audit').columns(['at', 'id']).execute();
  await schema.createIndex('audit_subject').on('audit').columns(['subject', 'at', 'id']).execute();
  const sqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await (sqlite ? guardOnSqlite(db) : guardOnPostgres(db));
}

async function fillSearchKeys(db: Kysely<{ audit: Row }>): Promise<void> {
  for (let last = ''; ;) {
    const rows = await db
      .selectFrom('audit')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(500)
      .execute();
    for (const row of rows) {
      const text = [row.actor_name, row.action, row.subject, row.before ?? '', row.after ?? ''].join('\n');
      await db
        .updateTable('audit')
        .set({ search_key: searchText(text).slice(0, 20_000) })
        .where('id', '=', row.id)
        .execute();
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

// The one way to change a row: a transaction in which the setting `audit-erasure` stands, which no other
// transaction sees, since it is removed before the end. Even then only the texts change, never when, who by
// id, what, or to what.

async function guardOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger audit_no_delete before delete on audit
    begin
      select raise(abort, 'the audit is append-only');
    end`.execute(db);
  await sql`
    create trigger audit_no_replace before insert on audit
    when exists (select 1 from audit where id = new.id)
    begin
      select raise(abort, 'the audit is append-only');
    end`.execute(db);
  await sql`
    create trigger audit_no_update before update on audit
    when not exists (select 1 from setting where name = 'audit-erasure')
      or old.id is not new.id or old.at is not new.at or old.actor_kind is not new.actor_kind
      or old.actor_id is not new.actor_id or old.action is not new.action or old.subject is not new.subject
    begin
      select raise(abort, 'the audit is append-only');
    end`.execute(db);
}

async function guardOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function audit_append_only() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE'
        and exists (select 1 from setting where name = 'audit-erasure')
        and (old.id, old.at, old.actor_kind, old.actor_id, old.action, old.subject)
          is not distinct from (new.id, new.at, new.actor_kind, new.actor_id, new.action, new.subject)
      then
        return new;
      end if;
      raise exception 'the audit is append-only';
    end
    $$`.execute(db);
  await sql`
    create trigger audit_no_change before update or delete on audit
    for each row execute function audit_append_only()`.execute(db);
  await sql`
    create trigger audit_no_truncate before truncate on audit
    for each statement execute function audit_append_only()`.execute(db);
}

/** The memberships that an outside provider lists, and what Portico stores of its sessions there. */
async function outsideProvider(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('person_group')
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_group_pk', ['person_id', 'kind', 'name'])
    .execute();
  await schema.createIndex('person_group_name').on('person_group').columns(['kind', 'name']).execute();

  await schema
    .createTable('person_relink')
    .addColumn('person_id', 'text', (column) => column.primaryKey().references('person.id'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .execute();
  await schema.createIndex('person_relink_email').on('person_relink').columns(['issuer', 'email']).execute();

  await schema
    .createTable('provider_session')
    .addColumn('session_id', 'text', (column) =>
      column.primaryKey().references('session.id').onDelete('cascade'),
    )
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('sid', 'text')
    .addColumn('refresh_token', 'text')
    .addColumn('next_check_at', 'bigint')
    .addColumn('claimed_until', 'bigint')
    .addColumn('unsure_since', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .execute();
  await schema.createIndex('provider_session_check').on('provider_session').column('next_check_at').execute();
  await schema
    .createIndex('provider_session_subject')
    .on('provider_session')
    .columns(['issuer', 'subject'])
    .execute();
  await schema
    .createIndex('provider_session_sid')
    .on('provider_session')
    .columns(['issuer', 'sid'])
    .execute();

  await schema
    .createTable('logout_token')
    .addColumn('id_hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema.createIndex('logout_token_expiry').on('logout_token').column('expires_at').execute();
}

/**
 * Own rights and roles, grants and denials of single rights, groups that give roles, and what a list of
 * 20,000 people is searched by.
 */
async function rights(db: Kysely<unknown>): Promise<void> {
  const { schema } = db;

  await schema
    .createTable('own_right')
    .addColumn('right_name', 'text', (column) => column.primaryKey())
    .addColumn('area', 'text', (column) => column.notNull())
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('own_role')
    .addColumn('role', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('own_role_right')
    .addColumn('role', 'text', (column) => column.notNull().references('own_role.role').onDelete('cascade'))
    .addColumn('right_name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('own_role_right_pk', ['role', 'right_name'])
    .execute();
  await schema.createIndex('own_role_right_name').on('own_role_right').column('right_name').execute();

  await schema
    .createTable('person_right')
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id').onDelete('cascade'))
    .addColumn('right_name', 'text', (column) => column.notNull())
    .addColumn('effect', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('expiry_told', 'integer', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('given_at', 'bigint', (column) => column.notNull())
    .addColumn('given_by', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_right_pk', ['person_id', 'right_name', 'effect'])
    .execute();
  await schema
    .createIndex('person_right_name')
    .on('person_right')
    .columns(['right_name', 'effect', 'person_id'])
    .execute();
  await schema
    .createIndex('person_right_expiry')
    .on('person_right')
    .columns(['expiry_told', 'expires_at'])
    .execute();

  await schema.alterTable('person_role').addColumn('given_at', 'bigint').execute();
  await schema.alterTable('person_role').addColumn('given_by', 'text').execute();
  await schema.createIndex('person_role_role').on('person_role').columns(['role', 'person_id']).execute();

  await schema
    .createTable('group_mapping')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('match', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('group_mapping_name', ['kind', 'match', 'name'])
    .execute();
  await schema
    .createTable('group_mapping_role')
    .addColumn('mapping_id', 'text', (column) =>
      column.notNull().references('group_mapping.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('group_mapping_role_pk', ['mapping_id', 'role'])
    .execute();

  // The memberships that a provider lists; an installation without one has the table too.
  await schema
    .createTable('person_group')
    .ifNotExists()
    .addColumn('person_id', 'text', (column) => column.notNull().references('person.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_group_pk', ['person_id', 'kind', 'name'])
    .execute();
  await schema.createIndex('person_group_by_name').on('person_group').columns(['name', 'kind']).execute();

  await schema.alterTable('person').addColumn('email_skeleton', 'text').execute();
  await keepSkeletons(db);
  await schema.createIndex('person_email_skeleton').on('person').column('email_skeleton').execute();
}

async function keepSkeletons(db: Kysely<unknown>): Promise<void> {
  const people = db as Kysely<{ person: { id: string; email: string; email_skeleton: string | null } }>;
  for (let after = ''; ;) {
    const some = await people
      .selectFrom('person')
      .select(['id', 'email'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(500)
      .execute();
    const last = some.at(-1);
    if (last === undefined) return;
    after = last.id;
    const cases = some.map(({ id, email }) => sql`when ${id} then ${emailSkeleton(email)}`);
    await people
      .updateTable('person')
      .set({ email_skeleton: sql<string>`case id ${sql.join(cases, sql` `)} end` })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
  }
}
