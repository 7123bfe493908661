import { sql, type SelectQueryBuilder, type Expression, type RawBuilder, type SqlBool } from 'kysely';

/** What an update sets the column `version` to, so that a write against an earlier version is refused. */
export const nextVersion = sql<number>`version + 1`;

/** How many rows a query finds. */
export async function countRows<Tables, From extends keyof Tables>(
  query: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<number>().as('rows'));
  const { rows } = await counted.$castTo<{ rows: number }>().executeTakeFirstOrThrow();
  return rows;
}

/**
 * A text as it is compared and put in order: without case and accents. Folded here and stored, since SQLite's
 * own `lower` knows ASCII only and the engines' collations differ.
 */
export function searchText(text: string): string {
  // Upper case first: only so do ß and ß's like meet their two letters.
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase().toLowerCase().trim();
}

/** Whether a stored search text contains the term, whose own `%`, `_` and `\` stand for themselves. */
export function contains(stored: Expression<string>, term: string): RawBuilder<SqlBool> {
  const pattern = `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`${stored} like ${pattern} escape '\\'`;
}
