import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import type { Tables } from './schema.ts';
import { StorageFailure } from './storage-failure.ts';

// Waiting for a lock blocks the event loop, so a wait is short and the caller tries again off the loop.
const busyTimeout = 50;

/** SQLite's error when another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|database is busy/i.test(error.message);
}

/**
 * Opens a new connection to the file. The writing connection is in WAL mode: its commits are on disk once `onDisk`
 * has resolved; `onDisk` throws where the disk refuses them (START-4, RUN-5). Callers that ask during a write to
 * the disk share the next write.
 */
export function openSqlite(
  file: string,
  mode: 'write' | 'read',
): { connection: DatabaseSync; kysely: Kysely<Tables>; onDisk(): Promise<void> } {
  const connection = new DatabaseSync(file, { readOnly: mode === 'read', timeout: busyTimeout });
  // SQLite's own knows the letters of ASCII alone, PostgreSQL's knows all.
  connection.function('upper', { deterministic: true }, (text) => String(text).toUpperCase());
  if (mode === 'write') {
    connection.exec('pragma journal_mode = wal');
    // With `full` the event loop would wait for the disk in each commit; `onDisk` waits off the loop.
    connection.exec('pragma synchronous = normal');
    connection.exec('pragma foreign_keys = on');
  }
  const config = { database: forKysely(connection) };
  const dialect = new Dialect(config);
  const driver = new Driver(config, connection, `${file}-wal`);
  dialect.createDriver = () => driver;
  return { connection, kysely: new Kysely<Tables>({ dialect }), onDisk: () => driver.onDisk() };
}

/** Frames of the log, each a page of 4 kB, after which it is folded into the file. */
const foldFrames = 4_000;
/** Frames after which SQLite folds the log within a commit, where `createFolding` cannot. */
const mostFrames = 16_000;

/** Runs something while no write is under way. */
export type Alone = (run: () => Promise<unknown>) => Promise<unknown>;

/**
 * Answers a function to be called after commits. It has the log folded into the file by `fold`, in a thread: SQLite
 * would fold it within a commit, and the event loop would wait until the disk has every page.
 */
export function createFolding(
  connection: DatabaseSync,
  fold: () => Promise<unknown>,
): (alone: Alone) => void {
  connection.exec(`pragma wal_autocheckpoint = ${mostFrames}`);
  const look = connection.prepare('pragma wal_checkpoint(noop)');
  let folding = false;
  /** Null: as many as wait at the next commit, and another `foldFrames`. */
  let next: number | null = foldFrames;
  return (alone) => {
    if (folding) return;
    const { log, checkpointed } = look.get() as { log: number; checkpointed: number };
    next ??= log - checkpointed + foldFrames;
    if (log - checkpointed < next) return;
    folding = true;
    next = null;
    // The log begins again only when all of it is in the file, so the second fold writes the little that came during
    // the first.
    void fold()
      .then(() => alone(fold))
      .catch(() => undefined)
      .finally(() => (folding = false));
  };
}

class Driver extends SqliteDriver {
  readonly #connection: DatabaseSync;
  readonly #logFile: string;
  #log: FileHandle | null = null;
  /** The disk has refused a part of the log: what is written behind it would be lost with it. */
  #logIsBroken = false;
  #syncing: Promise<void> = Promise.resolve();
  /** The sync after the one under way, which may have missed what was committed since it began. */
  #nextSync: Promise<void> | null = null;

  constructor(
    config: ConstructorParameters<typeof SqliteDriver>[0],
    connection: DatabaseSync,
    logFile: string,
  ) {
    super(config);
    this.#connection = connection;
    this.#logFile = logFile;
  }

  /**
   * A full or broken disk ends a transaction by itself (sqlite.org/lang_transaction.html). Undoing it once more
   * fails, with an error that hides the real one; what cannot be undone now is undone before the next one
   * begins.
   */
  override async beginTransaction(...args: Parameters<SqliteDriver['beginTransaction']>): Promise<void> {
    if (this.#connection.isTransaction) this.#connection.exec('rollback');
    if (this.#logIsBroken) this.#foldLog();
    await super.beginTransaction(...args);
  }

  override async rollbackTransaction(
    ...args: Parameters<SqliteDriver['rollbackTransaction']>
  ): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(...args).catch(() => undefined);
  }

  onDisk(): Promise<void> {
    this.#nextSync ??= this.#syncing
      .catch(() => undefined)
      .then(() => {
        this.#nextSync = null;
        return (this.#syncing = this.#sync());
      });
    return this.#nextSync;
  }

  async #sync(): Promise<void> {
    if (this.#logIsBroken) throw new StorageFailure('The log of the database is not on the disk.');
    try {
      this.#log ??= await openLog(this.#logFile);
      await this.#log.datasync();
    } catch (error) {
      this.#logIsBroken = true;
      throw error;
    }
  }

  override async destroy(): Promise<void> {
    await this.#log?.close();
    await super.destroy();
  }

  /** Writes what the log holds into the file, and begins the log again. */
  #foldLog(): void {
    const folded = this.#connection.prepare('pragma wal_checkpoint(truncate)').get();
    if (folded?.['busy'] !== 0)
      throw new StorageFailure('The log of the database cannot be written to the disk.');
    this.#logIsBroken = false;
  }
}

/** The log, with its name in the folder on disk: without it a new log is not found after the power has failed. */
async function openLog(file: string): Promise<FileHandle> {
  const folder = await open(dirname(file));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return open(file, 'r+');
}

/** Unlike Kysely assumes, SQLite can roll back a `create table`: a migration is whole or absent. */
class Dialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new Adapter();
  }
}
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** `node:sqlite` for Kysely's dialect. A transaction takes the write lock when it begins. */
function forKysely(connection: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => connection.close(),
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      const statement = wrap(connection.prepare(sql === 'begin' ? 'begin immediate' : sql));
      if (statements.size > 500) statements.clear();
      statements.set(sql, statement);
      return statement;
    },
  };
}

function wrap(statement: StatementSync): SqliteStatement {
  type Value = string | number | bigint | null | Uint8Array;
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as Value[])),
    run: (parameters) => statement.run(...(parameters as Value[])),
    iterate: (parameters) => statement.iterate(...(parameters as Value[])),
  };
}
