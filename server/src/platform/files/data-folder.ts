import { join, dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mkdirSync, statSync } from 'node:fs';
import { isBusy } from '../database/sqlite.ts';

// A command that checks whether a server is running has the lock for some milliseconds.
const lockTimeoutMs = 200;

/** A folder that is locked for one server (START-4). */
type DataFolder = { path: string; release(): void };

/**
 * Makes the folder, readable by its owner only, and locks it for this process. The lock is SQLite's lock of a
 * separate file: the system releases it when the process ends, also by kill -9.
 *
 * @throws if another server has locked the folder
 */
export function lockDataFolder(path: string): DataFolder {
  makeDataFolder(path);
  const lock = lockFolder(path);
  if (lock === null) {
    throw new Error(
      `Another Portico server is running on the data folder ${path}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
  return { path, release: lock.release };
}

/** Locks a folder as `lockDataFolder` does, and makes it if needed; null if another process has locked it. */
export function lockFolder(path: string): { file: string; release(): void } | null {
  makeDataFolder(path);
  const lock = openLock(path);
  try {
    // Nothing is written: on a full disk a server still starts, and reading goes on.
    lock.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
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

/** Makes the folder, readable by its owner only. Throws, naming DATA_DIR. */
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

/**
 * Makes a folder and those above it, for its owner only; a folder that is there stays as it is. `mkdir` with
 * `recursive` is not used: it never ends where the system denies that the folder above exists, as below
 * /proc.
 *
 * @throws the system's error where it cannot be made, or where something else has the name
 */
function makeFolder(path: string): void {
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first. A link that leads nowhere has the name too.
    if ((error as { code?: string }).code !== 'EEXIST' || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() ?? false;
}
