import { extname, join } from 'node:path';
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
import { createThread } from '../time/thread.ts';
import { StorageFailure } from './storage-failure.ts';
import type { ReadAnswer, ReadRequest } from './sqlite-reading-thread.ts';

/** Next to this file, in TypeScript as in the published bundle. */
const threadFile = join(import.meta.dirname, `sqlite-reading-thread${extname(import.meta.filename)}`);

/**
 * A reader of the file whose queries run in a thread of their own, one after the other: however long one
 * takes, the event loop goes on. The thread begins with the first query and ends when none has come for a
 * while.
 */
export function openLongReads(file: string): {
  kysely: Kysely<Tables>;
  /** Folds what the log holds now into the file, while others read and write. */
  fold(): Promise<unknown>;
  close(): Promise<void>;
} {
  const thread = createThread<ReadRequest, ReadAnswer>(threadFile, {
    workerData: file,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    ended: (cause) => new StorageFailure('The thread for long reads has ended.', { cause }),
  });

  async function query({ sql, parameters }: CompiledQuery): Promise<unknown[]> {
    const answer = await thread.ask({ sql, parameters });
    if ('rows' in answer) return answer.rows;
    throw Object.assign(new Error(answer.error.message), answer.error);
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
    fold: () => thread.ask({ sql: 'pragma wal_checkpoint(passive)', parameters: [] }),
    close: thread.close,
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
