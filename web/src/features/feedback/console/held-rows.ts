/**
 * A list that stands still while new answers come: the rows that are shown, those of them that the answer no
 * longer holds, and newer ones that are not shown yet.
 */
export type HeldRows<Row> = {
  rows: readonly Row[];
  /** Ids of rows that are shown and are not in the list any more. */
  left: ReadonlySet<string>;
  waiting: readonly Row[];
};

const nothing: ReadonlySet<string> = new Set();

type Answer = {
  /** Ids of rows that the person has changed: they leave the list and return to it at once. */
  moved?: ReadonlySet<string>;
  /** The list has no further page: a row that is not in the answer is not in the list. */
  complete?: boolean;
};

/**
 * Puts a new answer under a list that is being read. Rows keep their places, with what is new in them; what
 * the answer adds at the end is added; rows that would push others away wait. A row that is not in the answer
 * any more stays as it was.
 */
export function holdRows<Row extends { readonly id: string }>(
  held: readonly Row[],
  fresh: readonly Row[],
  { moved = nothing, complete = false }: Answer = {},
): HeldRows<Row> {
  if (held.length === 0) return { rows: fresh, left: nothing, waiting: [] };
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const stays = held.filter(({ id }) => freshById.has(id) || !moved.has(id));
  const known = new Set(stays.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id));
  // Behind the last row that the answer holds, others may only have moved to the next page.
  const certain = complete ? stays.length : stays.findLastIndex(({ id }) => freshById.has(id));
  const left = new Set(
    stays.slice(0, Math.max(certain, 0)).flatMap(({ id }) => (freshById.has(id) ? [] : [id])),
  );
  const rows = stays.map((row) => freshById.get(row.id) ?? row);
  const waiting: Row[] = [];
  for (const [index, row] of fresh.entries()) {
    if (known.has(row.id)) continue;
    if (lastKnown >= 0 && index > lastKnown) rows.push(row);
    else if (moved.has(row.id)) rows.splice(placeOf(rows, fresh, index), 0, row);
    else waiting.push(row);
  }
  return { rows, left, waiting };
}

/** Where a row of the answer belongs among the rows that are shown: behind the nearest that stands before it. */
function placeOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  fresh: readonly Row[],
  index: number,
): number {
  for (let before = index - 1; before >= 0; before -= 1) {
    const at = rows.findIndex(({ id }) => id === fresh[before]?.id);
    if (at >= 0) return at + 1;
  }
  return 0;
}
