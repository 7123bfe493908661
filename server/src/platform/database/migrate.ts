import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { migrations as from0001 } from './migrations/0001-to-0002.ts';
import { migrations as from0003 } from './migrations/0003-to-0006.ts';
import { migrations as from0007 } from './migrations/0007-to-0016.ts';
import { migrations as from0017 } from './migrations/0017-to-0018.ts';
import { migrations as from0019 } from './migrations/0019-to-0037.ts';
import type { Tables } from './schema.ts';
import { completeSnapshot } from './sqlite-snapshot.ts';

/**
 * The migrations of the first releases, oldest first; they change tables of several capabilities. The numbers
 * give the order alone: a gap, as at 0013, means nothing.
 */
export const firstMigrations: Record<string, Migration> = {
  ...from0001,
  ...from0003,
  ...from0007,
  ...from0017,
  ...from0019,
};

/** Stands among the migrations while `portico move` fills a database: programs refuse it. */
export const unfinishedMove = '0000-unfinished-move';

/**
 * Brings the schema up to date, under Kysely's migration lock and after a copy of the SQLite file (RUN-3).
 * Throws when the database was written by a newer program, or has run its migrations in another order.
 *
 * @param known the migrations of this program, oldest first
 */
export async function migrate(
  db: Kysely<Tables>,
  where: { engine: 'sqlite'; file: string } | { engine: 'postgres' },
  known: Record<string, Migration>,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const applied = await appliedMigrations(db);
  const newer = applied.filter((name) => known[name] === undefined);
  if (newer.includes(unfinishedMove)) {
    throw new Error(
      'A move into this database was not finished. Repeat "portico move", or begin with an empty database (docs/backup.md).',
    );
  }
  if (newer.length > 0) {
    throw new Error(
      `The database was written by a newer Portico (${newer.join(', ')}). Start that version, or restore a backup made before it (docs/backup.md).`,
    );
  }
  const missing = Object.keys(known).filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  const place = applied.findIndex((name, index) => name !== Object.keys(known)[index]);
  if (place >= 0) {
    const [ran, expected] = [applied[place], Object.keys(known)[place]];
    throw new Error(
      `The database cannot be brought up to date: it has run the migration ${ran} before ${expected}, as programs between two releases may. Start the version that it was last used with, restore a backup made before (docs/backup.md), or begin with an empty data folder or database.`,
    );
  }
  if (where.engine === 'sqlite' && applied.length > 0) await copyFile(db, where.file, missing[0] ?? '');
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('The migration failed', { cause: error });
}

/** In the order in which they ran. */
async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by timestamp, name`.execute(db);
  return rows.map((row) => row.name);
}

/** Makes `portico.sqlite.before-<migration>`, whole or not at all. An existing copy is from an earlier try. */
async function copyFile(db: Kysely<Tables>, file: string, migration: string): Promise<void> {
  const copy = `${file}.before-${migration}`;
  if (existsSync(copy) && statSync(copy).size > 0) return;
  const partial = `${copy}.partial`;
  rmSync(partial, { force: true });
  // Through the connection, so that what stands in the log next to the file is in the copy too.
  await sql`vacuum into ${sql.lit(partial)}`.execute(db);
  completeSnapshot(partial);
  renameSync(partial, copy);
}
