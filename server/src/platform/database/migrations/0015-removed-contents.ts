import { SqliteAdapter, sql, type Kysely } from 'kysely';

/**
 * Which contents of files were named once and are no more, on SQLite, where contents are files next to the
 * database: so that the sweep can distinguish what was removed from what an older database does not know.
 * PostgreSQL stores contents in its own rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
