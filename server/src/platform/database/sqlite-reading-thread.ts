import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

// A thread with connections of its own, one of which only reads: what takes long here does not block the event loop.

export type ReadRequest = { id: number; sql: string; parameters: readonly unknown[] };
export type ReadAnswer =
  | { id: number; rows: unknown[] }
  /** The fields of an SQLite error: an Error object that crosses threads would lose its code. */
  | { id: number; error: { message: string; code?: unknown; errcode?: unknown; errstr?: unknown } };

const database = new DatabaseSync(workerData as string, { readOnly: true, timeout: 5_000 });
database.function('upper', { deterministic: true }, (text) => String(text).toUpperCase());
/** Folds the log, for which a connection has to write; opened for the first folding. */
let folding: DatabaseSync | null = null;
const statements = new Map<string, StatementSync>();

function statementOf(sql: string): StatementSync {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  const isFold = sql.startsWith('pragma wal_checkpoint');
  const connection = isFold ? (folding ??= new DatabaseSync(workerData as string)) : database;
  const statement = connection.prepare(sql);
  if (statements.size > 100) statements.clear();
  statements.set(sql, statement);
  return statement;
}

function answer({ id, sql, parameters }: ReadRequest): ReadAnswer {
  try {
    return { id, rows: statementOf(sql).all(...(parameters as SQLInputValue[])) };
  } catch (error) {
    const { message, code, errcode, errstr } = error as Error &
      Record<'code' | 'errcode' | 'errstr', unknown>;
    return { id, error: { message, code, errcode, errstr } };
  }
}

parentPort?.on('message', (request: ReadRequest) => parentPort?.postMessage(answer(request), []));
