import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';

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
