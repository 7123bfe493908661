/**
 * A list whose rows do not move while new answers arrive: the shown rows, and newer ones that are not shown
 * yet.
 */
export type StableRows<Row> = {
  rows: readonly Row[];
  /** Ids of shown rows that the latest answer no longer contains. */
  left: ReadonlySet<string>;
  waiting: readonly Row[];
};

const nothing: ReadonlySet<string> = new Set();

type Answer = {
  /** Ids of rows that the person has changed: these are removed and inserted at once. */
  moved?: ReadonlySet<string>;
  /** The answer is the whole list, without a further page. */
  complete?: boolean;
};

/**
 * Merges a new answer into the rows that are shown. Shown rows keep their place with their new content, or as
 * they were if the answer no longer contains them. New rows at the end are appended; new rows that would move
 * others wait.
 */
export function updateStableRows<Row extends { readonly id: string }>(
  held: readonly Row[],
  fresh: readonly Row[],
  { moved = nothing, complete = false }: Answer = {},
): StableRows<Row> {
  if (held.length === 0) return { rows: fresh, left: nothing, waiting: [] };
  const freshById = new Map(fresh.map((row) => [row.id, row]));
  const stays = held.filter(({ id }) => freshById.has(id) || !moved.has(id));
  const known = new Set(stays.map((row) => row.id));
  const lastKnown = fresh.findLastIndex((row) => known.has(row.id));
  // Rows after the last one in the answer may just have moved to the next page.
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

/** The index at which a new row is inserted: after the nearest shown row that precedes it in the answer. */
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
