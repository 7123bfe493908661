import type { SelectQueryBuilder } from 'kysely';

/** How many rows a query finds. */
export async function countRows<Tables, From extends keyof Tables>(
  query: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const counted = query.clearSelect().select(({ fn }) => fn.countAll<number>().as('rows'));
  const { rows } = await counted.$castTo<{ rows: number }>().executeTakeFirstOrThrow();
  return rows;
}
