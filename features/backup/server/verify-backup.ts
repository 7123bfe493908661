import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '#server/platform/time/clock.ts';
import { diskFailure } from './backup-error.ts';
import { withBackupFolder } from './backup-files.ts';
import { checkBackup } from './check-backup.ts';
import { forEachOf, sumOf } from './copy-content.ts';
import { countRows, faultOf } from './make-backup.ts';
import { contentPath, databaseName, type Manifest } from './manifest.ts';
import { restoreBackup } from './restore-backup.ts';

export type VerifyRequest = {
  /** A backup: a file or a folder. */
  path: string;
  passphrase: string | null;
  /** The migrations that this program knows. */
  known: readonly string[];
  /** Prepares the restored database, as a restore does. */
  settle(folder: string, manifest: Manifest): Promise<unknown>;
  progress(text: string): void;
};

/**
 * Restores a backup into an empty folder, which is removed afterwards, and compares the rows of each table, the sum
 * of the database and each file with what the backup recorded. Returns a line for each difference. Throws
 * BackupError if the backup cannot be restored.
 */
export async function verifyBackup(
  request: VerifyRequest,
): Promise<{ manifest: Manifest; faults: string[] }> {
  const { path, passphrase, known, progress } = request;
  const into = await mkdtemp(join(tmpdir(), 'portico-verify-'));
  try {
    return await withBackupFolder(path, passphrase, async (from) => {
      const { manifest, faults } = await checkBackup(from, progress);
      if (faults.length > 0) return { manifest, faults: faults.map((line) => line.replace(`${from}/`, '')) };
      await restoreBackup({
        from,
        dataDir: into,
        replace: false,
        known,
        now: systemClock.now,
        async settle(folder, made) {
          faults.push(...databaseFaults(join(folder, databaseName), made));
          await request.settle(folder, made);
        },
        progress,
      });
      await forEachOf(manifest.contents, async ({ sha256 }) => {
        if ((await sumOf(contentPath(into, sha256)))?.sha256 !== sha256)
          faults.push(`The restored file ${sha256} differs.`);
      });
      return { manifest, faults };
    });
  } catch (error) {
    throw diskFailure(error, into);
  } finally {
    await rm(into, { recursive: true, force: true });
  }
}

function databaseFaults(file: string, { rows = {} }: Manifest): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const fault = faultOf(database);
    if (fault !== null) return [`The restored database is damaged: ${fault}.`];
    const found = countRows(database);
    return [...new Set([...Object.keys(rows), ...Object.keys(found)])]
      .filter((table) => Object.keys(rows).length > 0 && found[table] !== rows[table])
      .map((table) => `Table ${table} has ${found[table] ?? 'no'} rows instead of ${rows[table] ?? 'none'}.`);
  } finally {
    database.close();
  }
}
