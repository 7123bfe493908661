import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onServer } from '#server/testing/postgres-server.ts';

type Value = string | number | null;

/** Runs the same statements in the database of an installation, whether it is SQLite or PostgreSQL. */
export async function runIn(environment: NodeJS.ProcessEnv, statements: readonly string[]): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = environment;
  if (url !== undefined) {
    for (const statement of statements) await onServer(url, statement);
    await onServer(url, 'vacuum analyze');
    return;
  }
  const database = new DatabaseSync(join(folder, 'portico.sqlite'), { timeout: 5_000 });
  try {
    database.exec('begin immediate');
    for (const statement of statements) database.exec(statement);
    database.exec('commit');
  } finally {
    database.close();
  }
}

/** One statement that inserts all rows. */
export function insert(table: string, rows: readonly Record<string, Value>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column] ?? null)).join(', ')})`);
  return `insert into ${table} (${columns.map((column) => `"${column}"`).join(', ')}) values ${values.join(',\n')}`;
}

function literal(value: Value): string {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
