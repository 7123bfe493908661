import {
  sql,
  type Expression,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  type Transaction,
} from 'kysely';
import type { Tables } from './schema.ts';

/** What an update sets the column `version` to, so that a write against an earlier version is refused. */
export const nextVersion = sql<number>`version + 1`;

/** How many rows a query finds. */
export async function countRows<Database, From extends keyof Database>(
  query: SelectQueryBuilder<Database, From, object>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<number>().as('rows'));
  const { rows } = await counted.$castTo<{ rows: number }>().executeTakeFirstOrThrow();
  return rows;
}

/**
 * Removes up to `most` rows of a table; answers how many were removed.
 *
 * @param key a column that identifies a row
 * @param over selects the rows to remove
 */
export async function removeSome<Table extends keyof Tables>(
  tx: Transaction<Tables>,
  table: Table,
  key: keyof Tables[Table] & string,
  most: number,
  over: (rows: Rows<Table>) => Rows<Table>,
): Promise<number> {
  const rows = over(tx.selectFrom(table) as unknown as Rows<Table>);
  const { numDeletedRows } = await tx
    .deleteFrom<keyof Tables>(table)
    .where(sql.ref(key), 'in', rows.select(sql.ref(key).as(key)).limit(most))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

type Rows<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>;

/**
 * A text as it is compared and put in order: without case and accents. Folded here and stored, since SQLite's
 * own `lower` knows ASCII only and the engines' collations differ.
 */
export function searchText(text: string): string {
  // Upper case first: only then do ß and similar letters equal their spelling with two letters.
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase().trim();
}

/** Whether a stored search text contains the term, whose own `%`, `_` and `\` stand for themselves. */
export function contains(stored: Expression<string>, term: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${stored} like ${containing(term)} escape '\\'`;
}

/** As `contains`, for a text that is stored as it was written. */
export function containsInAnyCase(stored: Expression<string>, term: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`upper(${stored}) like upper(${containing(term)}) escape '\\'`;
}

function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
