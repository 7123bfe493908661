import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateStableRows } from './stable-rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, status: 'new' }));
const ids = (...all: string[]) => new Set(all);

describe('BUG-8: the inbox stands still while reports come', () => {
  it('BUG-8: what is new waits at the top', () => {
    expect(updateStableRows(rows('c', 'b', 'a'), rows('e', 'd', 'c', 'b', 'a'))).toEqual({
      rows: rows('c', 'b', 'a'),
      left: ids(),
      waiting: rows('e', 'd'),
    });
  });

  it('BUG-8: what changed is seen where it stands, and what no longer fits stays', () => {
    const changed = [{ id: 'c', status: 'triaged' }, ...rows('a')];
    expect(updateStableRows(rows('c', 'b', 'a'), changed)).toEqual({
      rows: [{ id: 'c', status: 'triaged' }, ...rows('b', 'a')],
      left: ids('b'),
      waiting: [],
    });
  });

  it('BUG-8: a row behind those of the answer has left only where there is no further page', () => {
    expect(updateStableRows(rows('c', 'b', 'a'), rows('d', 'c', 'b')).left).toEqual(ids());
    expect(updateStableRows(rows('c', 'b', 'a'), rows('d', 'c', 'b'), { complete: true }).left).toEqual(
      ids('a'),
    );
  });

  it('BUG-8: what the person has changed leaves the list at once, and an undo brings it back to its place', () => {
    const moved = ids('b');
    const without = updateStableRows(rows('d', 'c', 'b', 'a'), rows('e', 'd', 'c', 'a'), { moved });
    expect(without).toEqual({ rows: rows('d', 'c', 'a'), left: ids(), waiting: rows('e') });
    const back = updateStableRows(without.rows, rows('e', 'd', 'c', 'b', 'a'), { moved });
    expect(back).toEqual({ rows: rows('d', 'c', 'b', 'a'), left: ids(), waiting: rows('e') });
    expect(updateStableRows(rows('c'), rows('d', 'c'), { moved: ids('d') }).rows).toEqual(rows('d', 'c'));
  });

  it('BUG-8: a further page is added at the end, also when new reports have pushed its rows down', () => {
    expect(updateStableRows(rows('d', 'c'), rows('d', 'c', 'b', 'a'))).toEqual({
      rows: rows('d', 'c', 'b', 'a'),
      left: ids(),
      waiting: [],
    });
    expect(updateStableRows(rows('d', 'c'), rows('f', 'e', 'd', 'c', 'b', 'a'))).toEqual({
      rows: rows('d', 'c', 'b', 'a'),
      left: ids(),
      waiting: rows('f', 'e'),
    });
  });

  it('BUG-8: the first answer is the list, and one of new reports alone waits whole', () => {
    expect(updateStableRows([], rows('b', 'a'))).toEqual({ rows: rows('b', 'a'), left: ids(), waiting: [] });
    expect(updateStableRows(rows('a'), rows('c', 'b'))).toEqual({
      rows: rows('a'),
      left: ids(),
      waiting: rows('c', 'b'),
    });
    expect(updateStableRows(rows('a'), [])).toEqual({ rows: rows('a'), left: ids(), waiting: [] });
  });

  it('BUG-8: no row moves, none is shown twice, and none is forgotten', () => {
    const list = fc
      .uniqueArray(fc.integer({ min: 0, max: 30 }))
      .map((numbers) => rows(...numbers.map(String)));
    fc.assert(
      fc.property(list, list, (held, fresh) => {
        const next = updateStableRows(held, fresh);
        const shown = next.rows.map((row) => row.id);
        expect(shown.slice(0, held.length)).toEqual(held.map((row) => row.id));
        const all = [...shown, ...next.waiting.map((row) => row.id)];
        expect(new Set(all).size).toBe(all.length);
        expect(new Set(all)).toEqual(new Set([...held, ...fresh].map((row) => row.id)));
      }),
    );
  });
});
