import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { Tables } from './schema.ts';
import { StorageFailure } from './storage-failure.ts';
import type { ReadAnswer, ReadRequest } from './sqlite-reading-thread.ts';

/** How long the thread stays without a query, milliseconds: it takes some 10 MB, and starts in some 50 ms. */
const idleMs = 30_000;

/** Next to this file, in TypeScript as in the published bundle. */
const threadFile = join(import.meta.dirname, `sqlite-reading-thread${extname(import.meta.filename)}`);

type Waiting = { done: (rows: unknown[]) => void; fail: (error: Error) => void };
type Thread = { worker: Worker; waiting: Map<number, Waiting>; idle: NodeJS.Timeout | undefined };

/**
 * A reader of the file whose queries run in a thread of their own, one after the other: however long one
 * takes, the event loop goes on. The thread begins with the first query and ends when none has come for a
 * while.
 */
export function openLongReads(file: string): { kysely: Kysely<Tables>; close(): Promise<void> } {
  let current: Thread | null = null;
  let last = 0;
  let closed = false;

  function begin(): Thread {
    const worker = new Worker(threadFile, {
      workerData: file,
      // It needs nothing of what the process was given, secrets among it.
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const thread: Thread = { worker, waiting: new Map(), idle: undefined };
    worker.on('message', (answer: ReadAnswer) => {
      const asker = thread.waiting.get(answer.id);
      thread.waiting.delete(answer.id);
      if (thread.waiting.size === 0) rest(thread);
      if ('rows' in answer) asker?.done(answer.rows);
      else asker?.fail(Object.assign(new Error(answer.error.message), answer.error));
    });
    worker.on('error', (cause) => end(thread, cause));
    worker.on('exit', () => end(thread));
    return thread;
  }

  /** What it has not answered fails; the next query begins another one. */
  function end(thread: Thread, cause?: unknown): void {
    clearTimeout(thread.idle);
    if (current === thread) current = null;
    const error = new StorageFailure('The thread for long reads has ended.', { cause });
    for (const { fail } of thread.waiting.values()) fail(error);
    thread.waiting.clear();
  }

  function rest(thread: Thread): void {
    thread.worker.unref();
    thread.idle = setTimeout(() => {
      if (current === thread) current = null;
      void thread.worker.terminate();
    }, idleMs).unref();
  }

  async function query({ sql, parameters }: CompiledQuery): Promise<unknown[]> {
    if (closed) throw new Error('The database is closed.');
    const thread = (current ??= begin());
    clearTimeout(thread.idle);
    thread.worker.ref();
    const id = (last += 1);
    return new Promise((done, fail) => {
      thread.waiting.set(id, { done, fail });
      thread.worker.postMessage({ id, sql, parameters } satisfies ReadRequest, []);
    });
  }

  const connection: DatabaseConnection = {
    executeQuery: async <R>(compiled: CompiledQuery): Promise<QueryResult<R>> => ({
      rows: (await query(compiled)) as R[],
    }),
    streamQuery() {
      throw new Error('Long reads answer all rows at once.');
    },
  };
  return {
    kysely: new Kysely<Tables>({
      dialect: {
        createAdapter: () => new SqliteAdapter(),
        createDriver: () => driverOf(connection),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    }),
    async close() {
      closed = true;
      clearTimeout(current?.idle);
      await current?.worker.terminate();
    },
  };
}

function driverOf(connection: DatabaseConnection): Driver {
  const nothing = () => Promise.resolve();
  const refuse = () => Promise.reject(new Error('Long reads are not for transactions.'));
  return {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  };
}
