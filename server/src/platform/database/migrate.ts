import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import * as firstLight from './migrations/0001-first-light.ts';
import * as filesAndReports from './migrations/0002-files-and-reports.ts';
import * as maintenanceWindows from './migrations/0003-maintenance-windows.ts';
import * as auditSearch from './migrations/0004-audit-search.ts';
import * as outsideProvider from './migrations/0005-outside-provider.ts';
import * as rights from './migrations/0006-rights.ts';
import * as settings from './migrations/0007-settings.ts';
import * as ownSessions from './migrations/0008-own-sessions.ts';
import * as retention from './migrations/0009-retention.ts';
import * as membersOfGroups from './migrations/0010-members-of-groups.ts';
import * as foundByIndex from './migrations/0011-found-by-index.ts';
import * as setUpOnce from './migrations/0012-set-up-once.ts';
import * as removedContents from './migrations/0015-removed-contents.ts';
import * as reportForm from './migrations/0016-report-form.ts';
import * as diagnostics from './migrations/0017-diagnostics.ts';
import * as conversations from './migrations/0018-conversations.ts';
import * as handOver from './migrations/0019-hand-over.ts';
import * as activity from './migrations/0020-activity.ts';
import * as mapLayers from './migrations/0021-map-layers.ts';
import * as maintenanceTexts from './migrations/0022-maintenance-texts.ts';
import * as home from './migrations/0023-home.ts';
import * as auditOfAPerson from './migrations/0024-audit-of-a-person.ts';
import * as whiteLabel from './migrations/0026-white-label.ts';
import * as auditClient from './migrations/0027-audit-client.ts';
import * as peopleOrder from './migrations/0028-people-order.ts';
import * as flagsForSignedOut from './migrations/0029-flags-for-signed-out.ts';
import * as storedForStrangers from './migrations/0031-stored-for-strangers.ts';
import * as creations from './migrations/0036-creations.ts';
import * as clientsByKey from './migrations/0037-clients-by-key.ts';
import type { Tables } from './schema.ts';
import { completeSnapshot } from './sqlite-snapshot.ts';

/**
 * The migrations of the first releases, oldest first; they change tables of several capabilities. The numbers
 * give the order alone: a gap, as at 0013, means nothing.
 */
export const firstMigrations: Record<string, Migration> = {
  '0001-first-light': { up: firstLight.up },
  '0002-files-and-reports': { up: filesAndReports.up },
  '0003-maintenance-windows': { up: maintenanceWindows.up },
  '0004-audit-search': { up: auditSearch.up },
  '0005-outside-provider': { up: outsideProvider.up },
  '0006-rights': { up: rights.up },
  '0007-settings': { up: settings.up },
  '0008-own-sessions': { up: ownSessions.up },
  '0009-retention': { up: retention.up },
  '0010-members-of-groups': { up: membersOfGroups.up },
  '0011-found-by-index': { up: foundByIndex.up },
  '0012-set-up-once': { up: setUpOnce.up },
  '0015-removed-contents': { up: removedContents.up },
  '0016-report-form': { up: reportForm.up },
  '0017-diagnostics': { up: diagnostics.up },
  '0018-conversations': { up: conversations.up },
  '0019-hand-over': { up: handOver.up },
  '0020-activity': { up: activity.up },
  '0021-map-layers': { up: mapLayers.up },
  '0022-maintenance-texts': { up: maintenanceTexts.up },
  '0023-home': { up: home.up },
  '0024-audit-of-a-person': { up: auditOfAPerson.up },
  '0026-white-label': { up: whiteLabel.up },
  '0027-audit-client': { up: auditClient.up },
  '0028-people-order': { up: peopleOrder.up },
  '0029-flags-for-signed-out': { up: flagsForSignedOut.up },
  '0031-stored-for-strangers': { up: storedForStrangers.up },
  '0036-creations': { up: creations.up },
  '0037-clients-by-key': { up: clientsByKey.up },
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
