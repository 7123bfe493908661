import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.ts';
import { isBusy } from '../database/sqlite.ts';

// A command that looks whether a server runs holds the lock for some milliseconds.
const lockTimeoutMs = 200;

/** A folder that one server holds (START-4). */
export type DataFolder = { path: string; release(): void };

/**
 * Makes the folder, readable by its owner only, and holds it for this process. The lock is SQLite's own on a
 * file of its own: the system drops it when the process ends, kill -9 included.
 *
 * @throws when another server holds the folder.
 */
export function holdDataFolder(path: string): DataFolder {
  makeDataFolder(path);
  const held = holdFolder(path);
  if (held === null) {
    throw new Error(
      `Another Portico server is running on the data folder ${path}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return { path, release: held.release };
}

/**
 * Holds a folder as `holdDataFolder` does, and makes it where there is none; null where another process holds
 * it.
 */
export function holdFolder(path: string): { file: string; release(): void } | null {
  makeDataFolder(path);
  const lock = openLock(path);
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
  let released = false;
  return {
    file: lockFile(path),
    release() {
      if (!released) lock.close();
      released = true;
    },
  };
}

function lockFile(path: string): string {
  return join(path, 'server.lock');
}

/**
 * Makes the folder where there is none, readable by its owner only. Throws, naming DATA_DIR, where it cannot
 * be made.
 */
export function makeDataFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw unusable(path, error);
  }
}

function openLock(path: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile(path), { timeout: lockTimeoutMs });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): Error {
  const { code, message } = cause as { code?: string; message: string };
  const reason = code === undefined || code === 'ERR_SQLITE_ERROR' ? message : code;
  return new Error(
    `DATA_DIR holds ${JSON.stringify(path)}; expected a folder that can be made and written to (${reason}).`,
    { cause },
  );
}
