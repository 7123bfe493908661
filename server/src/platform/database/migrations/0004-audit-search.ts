import { sql, SqliteAdapter, type Kysely } from 'kysely';
import { searchText } from '../sql.ts';

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
export async function up(db: Kysely<unknown>): Promise<void> {
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
