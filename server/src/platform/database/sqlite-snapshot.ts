import { closeSync, existsSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openSqlite } from './sqlite.ts';

/*
 * What was committed last stands in the log next to the SQLite file (`-wal`), until it is folded in. A copy of
 * the file alone lacks it, silently. So the server marks the file as in use, and removes the mark when it has
 * stopped: a marked file without a log was copied, or has lost its log.
 */
const inUse = 'in-use';

const logOf = (file: string): string => `${file}-wal`;

/** Whether there is a log next to a SQLite file; to be asked before the file is opened, which makes one. */
export function hasLog(file: string): boolean {
  return existsSync(logOf(file));
}

/** Marks the file as in use. True: it was marked and had no log, so the last writes are missing. */
export function beginUse(file: string, hadLog: boolean): { logIsMissing: boolean } {
  const { connection } = openSqlite(file, 'write');
  try {
    const wasInUse = connection.prepare('select value from setting where name = ?').get(inUse) !== undefined;
    if (!wasInUse) {
      connection.prepare('insert into setting (name, value) values (?, ?)').run(inUse, 'yes');
      // Moves the mark into the file itself: in the log it would be lost together with the rest.
      connection.exec('pragma wal_checkpoint(truncate)');
    }
    return { logIsMissing: wasInUse && !hadLog };
  } finally {
    connection.close();
  }
}

/** Removes the mark: from here on the file is complete once the last connection has closed. */
export function endUse(file: string): void {
  const { connection } = openSqlite(file, 'write');
  try {
    forgetUse(connection);
  } finally {
    connection.close();
  }
}

/**
 * Copies a database as it is at this moment, its log included, into a new file that its owner alone reads,
 * and answers once it is on disk. Others go on reading and writing; their log cannot be merged until then.
 */
export function snapshot(source: Pick<DatabaseSync, 'prepare'>, to: string): void {
  writeFileSync(to, '', { mode: 0o600, flag: 'wx' });
  source.prepare('vacuum into ?').run(to);
  completeSnapshot(to);
}

/** Marks a copy made by `vacuum into` as not in use, and resolves once it is on disk. */
export function completeSnapshot(copy: string): void {
  const connection = new DatabaseSync(copy);
  try {
    if (connection.prepare("select 1 from sqlite_master where name = 'setting'").get() !== undefined)
      forgetUse(connection);
  } finally {
    connection.close();
  }
  const handle = openSync(copy, 'r+');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function forgetUse(connection: DatabaseSync): void {
  connection.prepare('delete from setting where name = ?').run(inUse);
}
