import type { Socket } from 'node:net';
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, type PostgresPool } from 'kysely';
import pg from 'pg';
import type { Tables } from './schema.ts';
import { StorageFailure } from './storage-failure.ts';
import { newId } from '../keys/ids.ts';

// int8 comes as text from `pg`, since it may exceed what a number holds; ours are counts and milliseconds.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The server ends a statement that takes longer, and a transaction that is idle for so long. */
const statementMs = 30_000;
const idleInTransactionMs = 10_000;
/** After this time the server has ended the statement, or the connection is broken. */
const unansweredMs = statementMs + 5_000;
const connectMs = 5_000;
/** A notification takes milliseconds; one that has not come by then is lost. */
const notificationMs = 5_000;
/** After so long without an answer to a statement it is checked whether PostgreSQL answers at all. */
const slowMs = 3_000;
const probeMs = 2_000;
const probeAgainMs = 500;

/**
 * Notices a PostgreSQL that accepts connections and statements but does not answer (stopped, its disk
 * hanging, its machine gone). A slow statement alone does not show it: after three seconds a new connection
 * is tried, and only if that gets no answer either, the statement is given up. What became of it is unknown,
 * so its connection is ended with it and nothing is acknowledged. From then on callers fail at once, until a
 * try in the background is answered.
 */
export type PostgresWatch = {
  /** Throws StorageFailure while PostgreSQL is known not to answer. */
  refuseWhileSilent(): void;
  /** Takes a new connection under watch: the loss of one that is in use must not end the process. */
  add(client: pg.ClientBase): void;
  /**
   * Runs one statement of a connection. Throws StorageFailure where the connection or the server was lost.
   */
  run<T>(client: pg.ClientBase, statement: () => Promise<T>): Promise<T>;
  /** Finds out whether PostgreSQL answers a new connection. */
  probe(): Promise<boolean>;
  close(): void;
};

/**
 * @param limits `statements`: whether a statement is given up after 35 s even where PostgreSQL answers others
 */
export function watchPostgres(url: string, { statements }: { statements: boolean }): PostgresWatch {
  const lost = new WeakSet<pg.ClientBase>();
  let silent = false;
  let closed = false;
  let probing: Promise<boolean> | null = null;
  let again: NodeJS.Timeout | undefined;

  function probe(): Promise<boolean> {
    probing ??= answers(url).then((answered) => {
      probing = null;
      silent = !answered;
      clearTimeout(again);
      if (silent && !closed) again = setTimeout(() => void probe(), probeAgainMs).unref();
      return answered;
    });
    return probing;
  }

  return {
    refuseWhileSilent() {
      if (silent) throw new StorageFailure('PostgreSQL does not answer.');
    },
    add: (client) => void client.on('error', () => lost.add(client)),
    async run(client, statement) {
      const since = performance.now();
      let over = false;
      let givenUp = false;
      let timer = setTimeout(() => void look(), slowMs);
      async function look(): Promise<void> {
        const answered = await probe();
        if (over) return;
        givenUp = !answered || (statements && performance.now() - since >= unansweredMs);
        if (givenUp) endNow(client);
        else timer = setTimeout(() => void look(), slowMs);
      }
      try {
        return await statement();
      } catch (cause) {
        if (givenUp) throw new StorageFailure('PostgreSQL did not answer a statement.', { cause });
        if (lost.has(client) && !(cause instanceof pg.DatabaseError))
          throw new StorageFailure('The connection to PostgreSQL was lost.', { cause });
        throw cause;
      } finally {
        over = true;
        clearTimeout(timer);
      }
    },
    probe,
    close() {
      closed = true;
      clearTimeout(again);
    },
  };
}

/** With a statement under way `end` closes the socket itself, and the statement fails. */
function endNow(client: pg.ClientBase): void {
  (client as pg.Client).end().catch(() => undefined);
}

/** Whether PostgreSQL answers a new connection at all, a refusal included. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: probeMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => undefined);
  }
}

/** A watched connection outside the pool. Throws StorageFailure where there is none. */
export async function connectPostgres(url: string, watch: PostgresWatch): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
  });
  watch.add(client);
  try {
    await client.connect();
    return client;
  } catch (cause) {
    client.end().catch(() => undefined);
    throw unreachable(cause);
  }
}

/** Ends a connection; if the server does not answer the goodbye, the connection is closed without it. */
export async function endPostgres(client: pg.Client): Promise<void> {
  const timer = setTimeout(() => closeSocket(client), probeMs);
  await client.end().finally(() => clearTimeout(timer));
}

/**
 * Whether a notification on the channel `portico` that `send` sends reaches a client which listens to it. A pooler
 * in transaction mode loses it.
 */
export async function receivesNotification(
  client: pg.Client,
  send: (payload: string) => Promise<unknown>,
): Promise<boolean> {
  const payload = `check ${newId()}`;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = (notification: pg.Notification): void => {
    if (notification.payload === payload) resolve(true);
  };
  client.on('notification', listener);
  const timer = setTimeout(() => resolve(false), notificationMs);
  try {
    await send(payload);
    return await promise;
  } finally {
    clearTimeout(timer);
    client.off('notification', listener);
  }
}

/** What to do where no notification comes. */
export const withoutNotifications = ({ directUrl }: { directUrl?: string }): string =>
  directUrl === undefined
    ? 'LISTEN is lost, as behind PgBouncer in transaction mode: changes of other replicas arrive late. Let DATABASE_DIRECT_URL name PostgreSQL itself.'
    : 'Notifications do not reach DATABASE_DIRECT_URL: changes of other replicas arrive late. Let it name PostgreSQL itself, and the same database as DATABASE_URL.';

/** Connections that are open now. */
export type PoolLoad = { used: number; idle: number };

export type OpenPostgres = {
  kysely: Kysely<Tables>;
  /** Also how many wait for a connection. */
  load(): PoolLoad & { waiting: number };
  close(): Promise<void>;
};

/**
 * A pool of connections; the first one is opened by the first statement.
 *
 * @param limits `statements`: false for a migration, which may take its time. `pooled`: whether a pooler in
 *   transaction mode is in between, where only a transaction stays on one connection: its timeouts are those of
 *   the transaction, and a single statement has that of the role.
 */
export function openPostgres(url: string, limits: { statements: boolean; pooled?: boolean }): OpenPostgres {
  const watch = watchPostgres(url, limits);
  const open = new Set<pg.ClientBase>();
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    onConnect(client): unknown {
      open.add(client);
      client.once('end', () => open.delete(client));
      watch.add(client);
      // The pool waits for this statement, which sets timeouts: poolers refuse them at the start of a connection.
      return limits.statements && !limits.pooled
        ? watch.run(client, () => client.query(timeouts(false)))
        : null;
    },
  });
  // The pool replaces a broken idle connection at its next use; a broken connection in use fails its statement.
  pool.on('error', () => undefined);
  const config = { pool: watched(pool, watch) };
  const dialect = new PostgresDialect(config);
  dialect.createDriver = () => new Driver(config, limits.pooled ? timeouts(true) : null);
  const kysely = new Kysely<Tables>({ dialect });
  return {
    kysely,
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    async close() {
      watch.close();
      const ended = kysely.destroy();
      // A server that does not answer does not answer a goodbye either.
      const timer = setTimeout(() => open.forEach(closeSocket), probeMs);
      await ended.finally(() => clearTimeout(timer));
    },
  };
}

const timeouts = (local: boolean): string =>
  `select set_config('statement_timeout', '${statementMs}', ${local}), set_config('idle_in_transaction_session_timeout', '${idleInTransactionMs}', ${local})`;

function closeSocket(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

function watched(pool: pg.Pool, watch: PostgresWatch): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      watch.refuseWhileSilent();
      const client = await pool.connect().catch((cause: unknown) => {
        void watch.probe();
        throw unreachable(cause);
      });
      return {
        query: (sql: string, parameters: readonly unknown[]) =>
          watch.run(client, () => client.query(sql, [...parameters])),
        release: (destroy?: boolean) => client.release(destroy),
      } as unknown as Awaited<ReturnType<PostgresPool['connect']>>;
    },
  };
}

function unreachable(cause: unknown): StorageFailure {
  const { code, message } = cause as { code?: string; message: string };
  return new StorageFailure(`PostgreSQL cannot be reached (${message || code}).`, { cause });
}

/** A failed rollback does not replace the error that caused it; the pool does not use its connection again. */
class Driver extends PostgresDriver {
  readonly #timeouts: string | null;
  constructor(config: ConstructorParameters<typeof PostgresDriver>[0], timeoutsOfTransaction: string | null) {
    super(config);
    this.#timeouts = timeoutsOfTransaction;
  }
  override async beginTransaction(...args: Parameters<PostgresDriver['beginTransaction']>): Promise<void> {
    await super.beginTransaction(...args);
    if (this.#timeouts !== null) await args[0].executeQuery(CompiledQuery.raw(this.#timeouts));
  }
  override async rollbackTransaction(
    ...args: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(...args).catch(() => undefined);
  }
}
