import { describe, expect, it } from 'vitest';
import { openedRow, type OpenedRow } from './opened-row.ts';

type Row = { id: string; name: string };

const mine: Row = { id: 'mine', name: 'Mine' };
const other: Row = { id: 'other', name: 'Other' };

/** The answers to one state of the list and the address after the other. */
function follow(...states: [rows: readonly Row[] | undefined, id: string][]): (OpenedRow<Row> | null)[] {
  let last: OpenedRow<Row> | null = null;
  return states.map(([rows, id]) => (last = openedRow(rows, id, (row) => row.id, last)));
}

describe('CON-1: the opened row of a list that others change', () => {
  it('CON-1: is the latest that the list holds', () => {
    const renamed = { ...mine, name: 'Renamed' };
    expect(follow([undefined, 'mine'], [[mine, other], 'mine'], [[renamed], 'mine'])).toEqual([
      null,
      { row: mine, gone: false },
      { row: renamed, gone: false },
    ]);
  });

  it('CON-1: is its last state once it is removed, until it is closed', () => {
    const [, removed, reloaded, closed, again] = follow(
      [[mine, other], 'mine'],
      [[other], 'mine'],
      [[], 'mine'],
      [[], ''],
      [[], 'mine'],
    );
    expect(removed).toEqual({ row: mine, gone: true });
    expect(reloaded).toBe(removed);
    expect([closed, again]).toEqual([null, null]);
  });

  it('CON-1: is not gone while the list is not loaded, or after the row has returned', () => {
    const [first, unloaded, , returned] = follow(
      [[mine], 'mine'],
      [undefined, 'mine'],
      [[], 'mine'],
      [[mine], 'mine'],
    );
    expect(unloaded).toBe(first);
    expect(returned).toEqual({ row: mine, gone: false });
  });

  it('CON-1: gives way to another one, and an unknown id opens none', () => {
    expect(follow([[mine, other], 'mine'], [[other], 'other'], [[other], 'unknown'])).toEqual([
      { row: mine, gone: false },
      { row: other, gone: false },
      null,
    ]);
  });
});
