import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdRows } from './held-rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id, status: 'new' }));

describe('BUG-8: the inbox stands still while reports come', () => {
  it('BUG-8: what is new waits at the top', () => {
    expect(holdRows(rows('c', 'b', 'a'), rows('e', 'd', 'c', 'b', 'a'))).toEqual({
      rows: rows('c', 'b', 'a'),
      waiting: rows('e', 'd'),
    });
  });

  it('BUG-8: what changed is seen where it stands, and what no longer fits stays', () => {
    const changed = [{ id: 'c', status: 'triaged' }, ...rows('a')];
    expect(holdRows(rows('c', 'b', 'a'), changed)).toEqual({
      rows: [{ id: 'c', status: 'triaged' }, ...rows('b', 'a')],
      waiting: [],
    });
  });

  it('BUG-8: a further page is added at the end, also when new reports have pushed its rows down', () => {
    expect(holdRows(rows('d', 'c'), rows('d', 'c', 'b', 'a'))).toEqual({
      rows: rows('d', 'c', 'b', 'a'),
      waiting: [],
    });
    expect(holdRows(rows('d', 'c'), rows('f', 'e', 'd', 'c', 'b', 'a'))).toEqual({
      rows: rows('d', 'c', 'b', 'a'),
      waiting: rows('f', 'e'),
    });
  });

  it('BUG-8: the first answer is the list, and one of new reports alone waits whole', () => {
    expect(holdRows([], rows('b', 'a'))).toEqual({ rows: rows('b', 'a'), waiting: [] });
    expect(holdRows(rows('a'), rows('c', 'b'))).toEqual({ rows: rows('a'), waiting: rows('c', 'b') });
    expect(holdRows(rows('a'), [])).toEqual({ rows: rows('a'), waiting: [] });
  });

  it('BUG-8: no row moves, none is shown twice, and none is forgotten', () => {
    const list = fc.uniqueArray(fc.integer({ min: 0, max: 30 })).map((ids) => rows(...ids.map(String)));
    fc.assert(
      fc.property(list, list, (held, fresh) => {
        const next = holdRows(held, fresh);
        const shown = next.rows.map((row) => row.id);
        expect(shown.slice(0, held.length)).toEqual(held.map((row) => row.id));
        const all = [...shown, ...next.waiting.map((row) => row.id)];
        expect(new Set(all).size).toBe(all.length);
        expect(new Set(all)).toEqual(new Set([...held, ...fresh].map((row) => row.id)));
      }),
    );
  });
});
