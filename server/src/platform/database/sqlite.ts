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

// Waiting for a lock blocks the event loop, so a wait is short and the caller tries again off the loop.
const busyTimeout = 50;

/** SQLite's error when another process holds the write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|database is busy/i.test(error.message);
}

/**
 * Opens a connection of its own on the file. The writing one is in WAL mode with `synchronous=FULL`: what is
 * committed is on disk (START-4, RUN-5).
 */
export function openSqlite(
  file: string,
  mode: 'write' | 'read',
): { connection: DatabaseSync; kysely: Kysely<Tables> } {
  const connection = new DatabaseSync(file, { readOnly: mode === 'read', timeout: busyTimeout });
  if (mode === 'write') {
    connection.exec('pragma journal_mode = wal');
    connection.exec('pragma synchronous = full');
    connection.exec('pragma foreign_keys = on');
  }
  const config = { database: forKysely(connection) };
  const dialect = new Dialect(config);
  dialect.createDriver = () => new Driver(config, connection);
  return { connection, kysely: new Kysely<Tables>({ dialect }) };
}

/**
 * A full or broken disk ends a transaction by itself (sqlite.org/lang_transaction.html). Undoing it once more
 * fails, with an error that hides the real one; what cannot be undone now is undone before the next one
 * begins.
 */
class Driver extends SqliteDriver {
  readonly #connection: DatabaseSync;
  constructor(config: ConstructorParameters<typeof SqliteDriver>[0], connection: DatabaseSync) {
    super(config);
    this.#connection = connection;
  }
  override async beginTransaction(...args: Parameters<SqliteDriver['beginTransaction']>): Promise<void> {
    if (this.#connection.isTransaction) this.#connection.exec('rollback');
    await super.beginTransaction(...args);
  }
  override async rollbackTransaction(
    ...args: Parameters<SqliteDriver['rollbackTransaction']>
  ): Promise<void> {
    if (this.#connection.isTransaction) await super.rollbackTransaction(...args).catch(() => undefined);
  }
}

/**
 * Kysely assumes that SQLite cannot roll back a `create table`. It can, so a migration is complete or absent,
 * as on PostgreSQL.
 */
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

/**
 * `node:sqlite` in the shape that Kysely's dialect takes. A transaction takes the write lock when it begins,
 * not at its first write.
 */
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
