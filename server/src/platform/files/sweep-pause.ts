import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../database/sqlite.ts';

/*
 * A backup takes a snapshot of the database, then copies the files that it names. Until then none of them may
 * go. The pause is a shared lock of SQLite on a file of its own: several backups hold it at once, and the
 * system drops it with their process.
 */

const lockFile = (dataDir: string): string => join(dataDir, 'backup.lock');

/**
 * Keeps every sweep of the data folder from removing files, until it is released. Waits at most five seconds
 * for the lock.
 */
export function pauseSweeps(dataDir: string): { release(): void } {
  const lock = new DatabaseSync(lockFile(dataDir), { timeout: 5_000 });
  try {
    lock.exec('begin');
    // Only a read takes the lock.
    lock.prepare('select count(*) from sqlite_master').get();
  } catch (error) {
    lock.close();
    throw error;
  }
  return { release: () => lock.close() };
}

/** Whether a backup needs the files as they are. */
export function sweepsArePaused(dataDir: string): boolean {
  if (!existsSync(lockFile(dataDir))) return false;
  const lock = new DatabaseSync(lockFile(dataDir), { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}
