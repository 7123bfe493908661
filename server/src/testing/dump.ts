import type { Database } from '../platform/database/database.ts';

/** Columns that are written at any use, even at a refused one. */
const noted = new Set(['seen_at', 'last_seen_at', 'last_used_at']);

/** The people who are connected now, and figures of the time, which no comparison needs. */
const passing = new Set(['presence', 'presence_process', 'activity', 'flag_usage']);

/**
 * Everything that is stored: rows by table, as JSON, in an order of their own. To compare before and after.
 */
export async function dump({ read }: Database): Promise<Record<string, string[]>> {
  const tables = await read.introspection.getTables();
  const rows = await Promise.all(
    tables
      .filter(({ name }) => !passing.has(name))
      .map(async ({ name }) => {
        const found = await read
          .selectFrom(name as 'setting')
          .selectAll()
          .execute();
        return [name, found.map(asText).toSorted()] as const;
      }),
  );
  return Object.fromEntries(rows);
}

function asText(row: object): string {
  const columns = Object.entries(row)
    .filter(([column]) => !noted.has(column))
    // The engines answer bytes in different classes.
    .map(([column, value]) => [column, value instanceof Uint8Array ? [...value] : value] as const);
  return JSON.stringify(Object.fromEntries(columns.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
