/** Which rows of a list are selected, and from which row the next Shift-click reaches. */
export type Selection = { readonly ids: ReadonlySet<string>; readonly anchor: string | null };

export const noSelection: Selection = { ids: new Set(), anchor: null };

/**
 * Selects or deselects a row, as a click on its checkbox does. With `range` (Shift), all rows from the last clicked
 * row to this one get the new state of this row.
 *
 * @param rows the ids of all rows, in the order of the list
 */
export function toggleRow(
  { ids, anchor }: Selection,
  rows: readonly string[],
  id: string,
  range: boolean,
): Selection {
  const from = range && anchor !== null ? rows.indexOf(anchor) : -1;
  const to = rows.indexOf(id);
  const meant = from < 0 || to < 0 ? [id] : rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  const selected = new Set(ids);
  const adds = !ids.has(id);
  for (const one of meant) {
    if (adds) selected.add(one);
    else selected.delete(one);
  }
  return { ids: selected, anchor: id };
}

/** Selects all rows, or none if all of them are selected already. */
export function toggleAll({ ids }: Selection, rows: readonly string[]): Selection {
  return rows.every((id) => ids.has(id)) ? noSelection : { ids: new Set(rows), anchor: null };
}

/** Drops from a selection the rows that are not in the list: rows that are not shown are never changed. */
export function shownSelection(selection: Selection, rows: readonly string[]): Selection {
  const shown = rows.filter((id) => selection.ids.has(id));
  return shown.length === selection.ids.size ? selection : { ids: new Set(shown), anchor: selection.anchor };
}
