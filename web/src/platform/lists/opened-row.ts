import { useState } from 'react';

/** The opened row of a list; `gone`: the list no longer holds it. */
export type OpenedRow<Row> = { readonly row: Row; readonly gone: boolean };

/**
 * Returns the row that the address names, or its last state once another person has removed it; null: no row.
 *
 * @param rows the rows of the list; undefined: not loaded yet
 * @param last the result of the previous call
 */
export function openedRow<Row>(
  rows: readonly Row[] | undefined,
  id: string,
  idOf: (row: Row) => string,
  last: OpenedRow<Row> | null,
): OpenedRow<Row> | null {
  const row = rows?.find((one) => idOf(one) === id);
  if (row !== undefined) return last?.row === row && !last.gone ? last : { row, gone: false };
  if (last === null || idOf(last.row) !== id) return null;
  return last.gone || rows === undefined ? last : { row: last.row, gone: true };
}

/**
 * The opened row of a list that others may change. Its form stays open when the row is removed, so that
 * nothing typed is lost.
 *
 * @param rows the rows from the query, in which an unchanged row stays the same object
 * @param id the id of the opened row, or ''
 */
export function useOpenedRow<Row>(
  rows: readonly Row[] | undefined,
  id: string,
  idOf: (row: Row) => string,
): OpenedRow<Row> | null {
  const [last, setLast] = useState<OpenedRow<Row> | null>(null);
  const opened = openedRow(rows, id, idOf, last);
  if (opened !== last) setLast(opened);
  return opened;
}
