/** Which rows of a list are selected, and from which row the next Shift-click reaches. */
export type Selection = { readonly ids: ReadonlySet<string>; readonly anchor: string | null };

export const noSelection: Selection = { ids: new Set(), anchor: null };

/**
 * Selects a row or takes it out again, as a click on its box does; with Shift all rows from the last one that
 * was clicked, which get the state that this one gets.
 *
 * @param rows the ids of the list, in its order
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

/** What is left of a selection in another list: rows that are not shown are never changed. */
export function shownSelection(selection: Selection, rows: readonly string[]): Selection {
  const shown = rows.filter((id) => selection.ids.has(id));
  return shown.length === selection.ids.size ? selection : { ids: new Set(shown), anchor: selection.anchor };
}
