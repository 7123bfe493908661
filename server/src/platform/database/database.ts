import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Clock } from '../time/clock.ts';
import { migrate } from './migrate.ts';
import { openPostgres, type PoolLoad } from './postgres.ts';
import type { Tables } from './schema.ts';
import { createFolding, isBusy, openSqlite, type Alone } from './sqlite.ts';
import { openLongReads } from './sqlite-long-reads.ts';
import { StorageFailure } from './storage-failure.ts';

/**
 * Where everything is stored: one SQLite file in the data folder, or a PostgreSQL. Where `url` leads through a
 * pooler in transaction mode, `directUrl` leads around the pooler, for migrations and notifications.
 */
export type DatabaseLocation = { engine: 'sqlite'; dataDir: string } | PostgresLocation;
export type PostgresLocation = { engine: 'postgres'; url: string; directUrl?: string };

/** A handle that stores take: the reader, or a transaction. */
export type Reader = Kysely<Tables>;
export type Writer = Transaction<Tables>;

/** What subscribers follow; `key` names which one changed (a person's id), or is empty. */
export type Topic =
  | 'flags'
  | 'client-keys'
  | 'maintenance'
  | 'rights'
  /** The rights that roles, groups and the catalogue give; the people affected are published as `rights`. */
  | 'right-rules'
  | 'person'
  | 'session'
  /** The map cookie of a session was removed; the session goes on. */
  | 'map-cookie'
  /** Why a session has ended: its id and the reason, published along with `session`. */
  | 'session-end'
  | 'api-tokens'
  | 'signing-keys'
  | 'reports'
  /** Reports were removed; the key names whose they were. */
  | 'reports-gone'
  | 'report-form'
  | 'webhooks'
  | 'log-level'
  | 'branding'
  /** Projects of diagnostics and their keys. */
  | 'diagnostics'
  /** What operators decide about the layers of the map. */
  | 'map'
  /** The applications on the home screen. */
  | 'home'
  /** Who needs a second factor, and who may register. */
  | 'sign-in-policy'
  /** The first operator exists. */
  | 'set-up'
  /** A list that browsers load again; `publishList` makes the key. */
  | 'list';
export type PublishedChange = { topic: Topic; key: string; revision: number; at: number };

/** A guarded change under way. */
export type Change = {
  tx: Writer;
  /** The number of this change; later changes have larger ones, on every replica. */
  revision: number;
  /** Its time, milliseconds; never repeats and never goes back, whatever the clock does. */
  at: number;
  /** Names what changed, for every replica and cache, which are notified after the commit. */
  publish(topic: Topic, key?: string): void;
};

export type Database = {
  readonly engine: 'sqlite' | 'postgres';
  /** For reading only: on SQLite a connection of its own, which no transaction holds up. */
  readonly read: Reader;
  /**
   * For reads that take longer the more is stored (lists, searches). On SQLite they run in another thread, since a
   * read of SQLite blocks the whole process; on PostgreSQL this is the same as `read`.
   */
  readonly longReads: Reader;
  /** Writes that notify no subscriber and guard no rule (a session seen, a record of the provider). */
  transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T>;
  /**
   * Writes that others follow or that check before they write (versions, the last administrator). They run
   * one after the other on every replica: each first takes the one row of `revision`, since PostgreSQL's READ
   * COMMITTED would let two checks pass at once.
   */
  change<T>(work: (change: Change) => Promise<T>): Promise<T>;
  /** Called with each change of this process and what it published, if anything, after its commit. */
  onChange(listener: (published: PublishedChange[], change: { revision: number; at: number }) => void): void;
  /** The load now: the pool's connections (null on SQLite), and who waits for a connection or a turn. */
  load(): { connections: PoolLoad | null; waiting: number };
  /** The location, for the change feed's own connection. */
  readonly location: DatabaseLocation;
  close(): Promise<void>;
};

/** A call that creates something under an id of its client (API-3). */
export type CreationUnderWay = {
  /** Called with the value of each guarded change, in its transaction. */
  store(change: Change, value: unknown): Promise<void>;
  /** Receives the content of a form, which has to be the same under the same id. */
  bind(content: unknown): void;
};

export const creationUnderWay = new AsyncLocalStorage<CreationUnderWay>();

/** The number and the time of the last guarded change. */
export type LastChange = { revision: number; at: number };

/** Makes the next change later than the last change of the database that this database replaces. */
export async function continueAfter(database: Database, { revision, at }: LastChange): Promise<void> {
  await database.transaction(async (tx) => {
    await tx
      .updateTable('revision')
      .set((row) => ({
        n: sql<number>`case when n > ${sql.lit(revision)} then n else ${sql.lit(revision)} end`,
        at: sql<number>`case when ${row.ref('at')} > ${sql.lit(at)} then ${row.ref('at')} else ${sql.lit(at)} end`,
      }))
      .execute();
  });
}

/** Publishes all topics: in a restored database it is unknown what subscribers have seen. */
export async function publishEverything(change: Change): Promise<void> {
  await change.tx.updateTable('changed').set({ revision: change.revision, at: change.at }).execute();
  change.publish('flags');
  change.publish('maintenance');
}

/** The SQLite file in a data folder. */
export function sqliteFile(dataDir: string): string {
  return join(dataDir, 'portico.sqlite');
}

/** A write that has not begun after this time is given up, so that the queue of writes does not keep growing. */
const turnMs = 15_000;

// A timer or connection that a transaction starts still sees its context after its end: hence `open`.
const insideTransaction = new AsyncLocalStorage<{ open: boolean }>();

/**
 * Opens the database and brings its schema up to date (RUN-3). Throws when the schema is newer than this
 * program.
 *
 * @param migrations all of this program, oldest first
 */
export async function openDatabase(
  location: DatabaseLocation,
  clock: Clock,
  migrations: Record<string, Migration>,
): Promise<Database> {
  const { read, longReads, write, onDisk, foldWhereLong, close, poolLoad } =
    location.engine === 'sqlite'
      ? await openFile(location.dataDir, migrations)
      : await openPool(location, migrations);
  const listeners: Parameters<Database['onChange']>[0][] = [];
  // Changes wait here, in order, for the one SQLite connection that writes or the one row of `revision`:
  // without blocking the loop, and on PostgreSQL without holding a connection that a reader could use.
  let turn: Promise<unknown> = Promise.resolve();
  let inLine = 0;

  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    let givenUp = false;
    const tooLate = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      givenUp = true;
      tooLate.reject(new StorageFailure('A write waited too long for those before it.'));
    }, turnMs);
    inLine += 1;
    const mine = turn.then(() => {
      inLine -= 1;
      clearTimeout(timer);
      return givenUp ? tooLate.promise : run();
    });
    // SQLite answers synchronously: without this, a thousand small transactions would block the event loop.
    turn = mine.catch(() => undefined).then(() => nextTurn());
    return Promise.race([mine, tooLate.promise]);
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

  async function transaction<T>(work: (tx: Writer) => Promise<T>): Promise<T> {
    const run = begin(work);
    const result = await (location.engine === 'postgres' ? run() : inTurn(run));
    await onDisk?.();
    foldWhereLong?.(inTurn);
    return result;
  }

  async function change<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const published = new Map<string, PublishedChange>();
    let own = { revision: 0, at: 0 };
    const run = begin(async (tx) => {
      const now = clock.now();
      const { n: revision, at } = await tx
        .updateTable('revision')
        .set({
          n: sql<number>`n + 1`,
          // As parameters: a statement of its own for each change would be prepared again each time.
          at: sql<number>`case when at >= ${now} then at + 1 else ${now} end`,
        })
        .where('id', '=', 1)
        .returning(['n', 'at'])
        .executeTakeFirstOrThrow();
      own = { revision, at };
      const change: Change = {
        tx,
        revision,
        at,
        publish: (topic, key = '') => published.set(`${topic}\n${key}`, { topic, key, revision, at }),
      };
      const value = await work(change);
      await creationUnderWay.getStore()?.store(change, value);
      if (published.size > 0) {
        await tx
          .insertInto('changed')
          .values([...published.values()])
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
    await onDisk?.();
    foldWhereLong?.(inTurn);
    for (const listener of listeners) listener([...published.values()], own);
    return result;
  }

  return {
    engine: location.engine,
    location,
    read,
    longReads,
    transaction,
    change,
    onChange: (listener) => listeners.push(listener),
    load() {
      const { waiting, ...connections } = poolLoad?.() ?? { waiting: 0 };
      return { connections: 'idle' in connections ? connections : null, waiting: inLine + waiting };
    },
    close,
  };
}

// Another process (the command line) may hold the lock for some milliseconds. Only `begin immediate` (and
// what a migration does before it) can find the database busy, so nothing has been done when it does.
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

type Opened = {
  read: Reader;
  longReads: Reader;
  write: Kysely<Tables>;
  /** SQLite: resolves once everything committed is on disk. The next write need not wait for that. */
  onDisk?: () => Promise<void>;
  /** SQLite: folds the log into the file where it has become long. */
  foldWhereLong?: (alone: Alone) => void;
  close(): Promise<void>;
  poolLoad?: () => PoolLoad & { waiting: number };
};

async function openFile(dataDir: string, migrations: Record<string, Migration>): Promise<Opened> {
  const file = sqliteFile(dataDir);
  const writing = openSqlite(file, 'write');
  try {
    await beginWhenFree(() => migrate(writing.kysely, { engine: 'sqlite', file }, migrations));
    await writing.onDisk();
  } catch (error) {
    await writing.kysely.destroy();
    throw error;
  }
  const reading = openSqlite(file, 'read');
  const aside = openLongReads(file);
  return {
    read: reading.kysely,
    longReads: aside.kysely,
    write: writing.kysely,
    onDisk: writing.onDisk,
    foldWhereLong: createFolding(writing.connection, aside.fold),
    async close() {
      await aside.close();
      await reading.kysely.destroy();
      // Its destroy closes only a connection that was used; the last one to close folds the log into the
      // file.
      await writing.kysely.destroy();
    },
  };
}

async function openPool(
  { url, directUrl }: PostgresLocation,
  migrations: Record<string, Migration>,
): Promise<Opened> {
  // A migration may take longer than any statement of a request.
  const migrating = openPostgres(directUrl ?? url, { statements: false });
  try {
    await reach(migrating.kysely, directUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL');
    await migrate(migrating.kysely, { engine: 'postgres' }, migrations);
  } finally {
    await migrating.close();
  }
  const { kysely, close, load } = openPostgres(url, { statements: true, pooled: directUrl !== undefined });
  if (directUrl !== undefined) {
    await reach(kysely, 'DATABASE_URL').catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  return { read: kysely, longReads: kysely, write: kysely, close, poolLoad: load };
}

async function reach(kysely: Kysely<Tables>, name: string): Promise<void> {
  try {
    await sql`select 1`.execute(kysely);
  } catch (error) {
    const { code, message } = innermost(error) as { code?: string; message: string };
    throw new Error(`${name} holds "(a secret)"; expected a PostgreSQL that answers (${message || code}).`, {
      cause: error,
    });
  }
}

function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}
