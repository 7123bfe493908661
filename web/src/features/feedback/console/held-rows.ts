/**
 * A list that stands still while new answers come: the rows that are shown, and newer ones that are not shown
 * yet.
 */
export type HeldRows<Row> = { rows: readonly Row[]; waiting: readonly Row[] };

/**
 * Puts a new answer under a list that is being read. Rows keep their places, with what is new in them; what
 * the answer adds at the end is added; rows that would push others away wait. A row that is not in the answer
 * any more stays as it was.
 */
export function holdRows<Row extends { readonly id: string }>(
  held: readonly Row[],
  fresh: readonly Row[],
): HeldRows<Row> {
  if (held.length === 0) return { rows: fresh, waiting: [] };
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const known = new Set(held.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id));
  const added = fresh.filter((row, index) => lastKnown >= 0 && index > lastKnown && !known.has(row.id));
  const waiting = fresh.filter((row, index) => (lastKnown < 0 || index < lastKnown) && !known.has(row.id));
  return { rows: [...held.map((row) => freshById.get(row.id) ?? row), ...added], waiting };
}
