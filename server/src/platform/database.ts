import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Clock } from './clock.ts';
import { migrate } from './migrate.ts';
import type { Tables } from './schema.ts';
import { isBusy, openSqlite } from './sqlite.ts';

/** Where everything is kept: one SQLite file in the data folder, or a PostgreSQL. */
export type DatabaseLocation = { engine: 'sqlite'; dataDir: string } | { engine: 'postgres'; url: string };

/** A handle that stores take: the reader, or a transaction. */
export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

/** The things that others follow; `key` names which one (a person's id), or is empty. */
export type Topic =
  | 'flags'
  | 'client-keys'
  | 'maintenance'
  | 'rights'
  /** What roles, groups and the catalogue give; whom it touches is told as `rights`. */
  | 'right-rules'
  | 'person'
  | 'session'
  | 'api-tokens'
  | 'signing-keys'
  | 'reports'
  | 'webhooks'
  | 'branding';
export type ToldChange = { topic: Topic; key: string; revision: number; at: number };

/** A guarded change under way. */
export type Change = {
  tx: Writer;
  /** The number of this change; later changes have larger ones, on every replica. */
  revision: number;
  /** Its time, milliseconds; never repeats and never goes back, whatever the clock does. */
  at: number;
  /** Names what changed, so that every replica and every cache hears of it once it is committed. */
  tell(topic: Topic, key?: string): void;
};

export type Database = {
  readonly engine: 'sqlite' | 'postgres';
  /** For reading only: on SQLite a connection of its own, which no transaction holds up. */
  readonly read: Reader;
  /** Writes that nobody follows and that guard nothing (a session seen, a record of the provider). */
  transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Writes that others follow or that check before they write (versions, the last administrator). They run one
   * after the other on every replica: each first takes the one row of `revision`, since PostgreSQL's READ COMMITTED
   * would let two checks pass at once.
   */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
  /** Called with each change of this process and what it told, if anything, after its commit. */
  onChange(listener: (told: ToldChange[], change: { revision: number; at: number }) => void): void;
  /** The location, for the change feed's own connection. */
  readonly location: DatabaseLocation;
  close(): Promise<void>;
};

/** The SQLite file in a data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'portico.sqlite');
}

// What a transaction starts and leaves behind (a timer, a connection) remembers it after its end: hence `open`.
const insideTransaction = new AsyncLocalStorage<{ open: boolean }>();

// int8 comes as text from `pg`, since it may exceed what a number holds; ours are counts and milliseconds.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens the database and brings its schema up to date (RUN-3). Throws when the schema is newer than this program. */
export async function openDatabase(location: DatabaseLocation, clock: Clock): Promise<Database> {
  const { read, write, close } =
    location.engine === 'sqlite' ? await openFile(location.dataDir) : await openPool(location.url);
  const listeners: Parameters<Database['onChange']>[0][] = [];
  // Whoever wants the one SQLite connection that writes, or the one row of `revision`, waits here, in order: without
  // blocking the loop, and on PostgreSQL without holding a connection that a reader could use.
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const mine = turn.then(run);
    turn = mine.catch(() => undefined);
    return mine;
  }

  function begin<T>(work: (tx: Writer) => Promise<T>): () => Promise<T> {
    if (insideTransaction.getStore()?.open === true) {
      throw new Error(
        'A transaction inside a transaction: hand the handle on instead, or SQLite waits for itself.',
      );
    }
    const mark = { open: true };
    return () =>
      insideTransaction
        .run(mark, () => beginWhenFree(() => write.transaction().execute(work)))
        .finally(() => (mark.open = false));
  }

  function transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const run = begin(work);
    return location.engine === 'postgres' ? run() : inTurn(run);
  }

  async function change<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const told = new Map<string, ToldChange>();
    let own = { revision: 0, at: 0 };
    const run = begin(async (tx) => {
      const now = clock.now();
      const { n: revision, at } = await tx
        .updateTable('revision')
        .set({
          n: sql<number>`n + 1`,
          at: sql<number>`case when at >= ${sql.lit(now)} then at + 1 else ${sql.lit(now)} end`,
        })
        .where('id', '=', 1)
        .returning(['n', 'at'])
        .executeTakeFirstOrThrow();
      own = { revision, at };
      const value = await work({
        tx,
        revision,
        at,
        tell: (topic, key = '') => told.set(`${topic}\n${key}`, { topic, key, revision, at }),
      });
      if (told.size > 0) {
        await tx
          .insertInto('changed')
          .values([...told.values()])
          .onConflict((conflict) =>
            conflict
              .columns(['topic', 'key'])
              .doUpdateSet((row) => ({ revision: row.ref('excluded.revision'), at: row.ref('excluded.at') })),
          )
          .execute();
        if (location.engine === 'postgres')
          await sql`select pg_notify('portico', ${String(revision)})`.execute(tx);
      }
      return value;
    });
    const result = await inTurn(run);
    for (const listener of listeners) listener([...told.values()], own);
    return result;
  }

  return {
    engine: location.engine,
    location,
    read,
    transaction,
    change,
    onChange: (listener) => listeners.push(listener),
    close,
  };
}

// Another process (the command line) may hold the lock for some milliseconds. Only `begin immediate` (and what a
// migration does before it) can find the database busy, so nothing has been done when it does.
async function beginWhenFree<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || attempt >= 100) throw error;
      await pause(5 + Math.random() * 20);
    }
  }
}

type Opened = { read: Reader; write: Kysely<Tables>; close(): Promise<void> };

async function openFile(dataDir: string): Promise<Opened> {
  const file = sqliteFile(dataDir);
  const writing = openSqlite(file, 'write');
  try {
    await beginWhenFree(() => migrate(writing.kysely, { engine: 'sqlite', file }));
  } catch (error) {
    await writing.kysely.destroy();
    throw error;
  }
  const reading = openSqlite(file, 'read');
  return {
    read: reading.kysely,
    write: writing.kysely,
    async close() {
      await reading.kysely.destroy();
      // Its destroy closes only a connection that was used; the last one to close folds the log into the file.
      await writing.kysely.destroy();
    },
  };
}

async function openPool(url: string): Promise<Opened> {
  const pool = new pg.Pool({ connectionString: url, max: 10, connectionTimeoutMillis: 10_000 });
  // A connection that breaks while idle is replaced by the pool at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await reach(pool);
    await migrate(kysely, { engine: 'postgres' });
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  return { read: kysely, write: kysely, close: () => kysely.destroy() };
}

async function reach(pool: pg.Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new Error(
      `DATABASE_URL holds "(a secret)"; expected a PostgreSQL that answers (${message || code}).`,
      {
        cause: error,
      },
    );
  }
}
