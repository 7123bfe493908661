import type pg from 'pg';
import { sql } from 'kysely';
import {
  type Database,
  type PostgresLocation,
  type PublishedChange,
  type Reader,
  type Topic,
  sqliteFile,
} from './database.ts';
import type { Logger } from '../log/logger.ts';
import {
  connectPostgres,
  endPostgres,
  receivesNotification,
  watchPostgres,
  withoutNotifications,
} from './postgres.ts';
import { openSqlite } from './sqlite.ts';

/**
 * "Something changed": code that caches data in memory subscribes to its topic and reads again.
 *
 * A change of this process is published right after its commit. One of another process (a replica, the
 * command line) is noticed by PostgreSQL's NOTIFY or SQLite's `data_version`, which only wake us: what
 * changed is read from the table `changed` by revision, so a lost wake-up or a broken connection delays but
 * never loses anything. Guarded changes commit in the order of their revisions, so nothing appears behind the
 * last one read.
 */
export type ChangeFeed = {
  on(topic: Topic, listener: (change: PublishedChange) => void): void;
  /** The time up to which all changes, of any process, have been published. */
  publishedAt(): number;
  close(): Promise<void>;
};

const sqlitePollMs = 200;
const postgresPollMs = 5_000;

export async function openChangeFeed(database: Database, logger: Logger): Promise<ChangeFeed> {
  const listeners = new Map<Topic, ((change: PublishedChange) => void)[]>();
  const ownRevisions = new Set<number>();
  const start = await database.read.selectFrom('revision').select(['n', 'at']).executeTakeFirstOrThrow();
  let lastRead = start.n;
  // Own commits are published at once, before earlier ones of other processes, which are still to be read.
  let complete = { revision: start.n, at: start.at };

  function publish(change: PublishedChange): void {
    for (const listener of listeners.get(change.topic) ?? []) {
      try {
        listener(change);
      } catch (error) {
        logger.error({ err: error, topic: change.topic }, 'a subscriber of the change feed failed');
      }
    }
  }

  database.onChange((changes, own) => {
    for (const change of changes) {
      // The commit may have been read from the table before it was reported here.
      if (change.revision <= lastRead) continue;
      ownRevisions.add(change.revision);
      publish(change);
    }
    if (own.revision === complete.revision + 1) complete = own;
  });

  let reading: Promise<void> | null = null;
  let again = false;
  /** Reads the changes since the last read; a call during a read makes it read once more. */
  function readOn(): Promise<void> {
    if (reading !== null) {
      again = true;
      return reading;
    }
    reading = readNow()
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the change feed could not read; it tries again'),
      )
      .finally(() => {
        reading = null;
        if (again) {
          again = false;
          void readOn();
        }
      });
    return reading;
  }

  async function readNow(): Promise<void> {
    const changes = await database.read
      .selectFrom('changed')
      .select(['topic', 'key', 'revision', 'at'])
      .where('revision', '>', lastRead)
      .orderBy('revision')
      .execute();
    for (const change of changes) {
      lastRead = Math.max(lastRead, change.revision);
      if (!ownRevisions.has(change.revision)) publish({ ...change, topic: change.topic as Topic });
    }
    const last = changes.at(-1);
    if (last !== undefined && last.revision > complete.revision) complete = last;
    for (const revision of ownRevisions) if (revision <= lastRead) ownRevisions.delete(revision);
  }

  const stopWaking =
    database.location.engine === 'sqlite'
      ? wakeByDataVersion(database.location.dataDir, () => void readOn())
      : wakeByNotify(database.location, database.read, () => void readOn(), logger);

  // Reads what another process changed between the first read and the first wake-up.
  void readOn();

  return {
    on(topic, listener) {
      listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
    },
    publishedAt: () => complete.at,
    async close() {
      await stopWaking();
      await reading;
    },
  };
}

function wakeByDataVersion(dataDir: string, wake: () => void): () => Promise<void> {
  const { connection } = openSqlite(sqliteFile(dataDir), 'read');
  const pragma = connection.prepare('pragma data_version');
  const look = () => pragma.get()?.['data_version'];
  let known = look();
  const timer = setInterval(() => {
    const version = orUndefined(look);
    if (version === undefined || version === known) return;
    known = version;
    wake();
  }, sqlitePollMs);
  return () => {
    clearInterval(timer);
    connection.close();
    return Promise.resolve();
  };
}

/** Returns undefined where the disk cannot be read: the next look asks again; an error would end the process. */
function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

function wakeByNotify(
  location: PostgresLocation,
  read: Reader,
  wake: () => void,
  logger: Logger,
): () => Promise<void> {
  const url = location.directUrl ?? location.url;
  const watch = watchPostgres(url, { statements: true });
  let stopped = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  const poll = setInterval(() => {
    wake();
    // A connection that only listens never learns that the other side is gone.
    if (client !== null) ask(client, 'select 1').catch(() => undefined);
  }, postgresPollMs);

  function ask(of: pg.Client, statement: string): Promise<unknown> {
    return watch.run(of, () => of.query(statement));
  }

  async function connect(): Promise<void> {
    let next: pg.Client | null = null;
    try {
      next = await connectPostgres(url, watch);
      next.on('notification', wake);
      await ask(next, 'listen portico');
      listen(next);
      wake();
      void check(next);
    } catch (error) {
      next?.end().catch(() => undefined);
      if (stopped) return;
      logger.warn({ err: error }, 'the change feed cannot listen on PostgreSQL; it polls and tries again');
      later();
    }
  }

  /** Sends itself a notification, as a change of another replica does. */
  async function check(next: pg.Client): Promise<void> {
    const send = (payload: string) => sql`select pg_notify('portico', ${payload})`.execute(read);
    // Where the notification cannot be sent, or the connection is lost, the next connection is checked.
    const received = await receivesNotification(next, send).catch(() => true);
    if (!received && client === next && !stopped) logger.error(withoutNotifications(location));
  }

  function listen(next: pg.Client): void {
    client = next;
    next.on('end', () => {
      client = null;
      if (stopped) return;
      logger.warn('the change feed lost its connection to PostgreSQL; it polls and connects again');
      later();
    });
  }

  function later(): void {
    retry = setTimeout(
      () => {
        connecting = connect();
      },
      500 + Math.random() * 1_000,
    );
  }

  let connecting = connect();
  return async () => {
    stopped = true;
    clearInterval(poll);
    clearTimeout(retry);
    await connecting;
    watch.close();
    if (client !== null) await endPostgres(client);
  };
}
