import { expect, it } from 'vitest';
import { noSelection, shownSelection, toggleAll, toggleRow } from './selection.ts';

const rows = ['a', 'b', 'c', 'd', 'e'];
const click =
  (id: string, range = false) =>
  (now: typeof noSelection) =>
    toggleRow(now, rows, id, range);
const after = (...steps: ReturnType<typeof click>[]) =>
  [...steps.reduce((now, step) => step(now), noSelection).ids].toSorted();

it('BUG-8: a click selects a row and takes it out again', () => {
  expect(after(click('b'), click('d'))).toEqual(['b', 'd']);
  expect(after(click('b'), click('d'), click('b'))).toEqual(['d']);
});

it('BUG-8: with Shift the rows between follow the one that was clicked, in both directions', () => {
  expect(after(click('b'), click('d', true))).toEqual(['b', 'c', 'd']);
  expect(after(click('d'), click('b', true))).toEqual(['b', 'c', 'd']);
  expect(after(click('a'), click('e', true), click('c', true))).toEqual(['a', 'b']);
  expect(after(click('c', true))).toEqual(['c']);
});

it('BUG-8: all rows are selected, and then none', () => {
  const all = toggleAll(toggleRow(noSelection, rows, 'b', false), rows);
  expect([...all.ids]).toEqual(rows);
  expect(toggleAll(all, rows)).toBe(noSelection);
});

it('BUG-8: rows that left the list are no longer selected', () => {
  const some = toggleRow(toggleRow(noSelection, rows, 'b', false), rows, 'd', false);
  expect([...shownSelection(some, ['c', 'd']).ids]).toEqual(['d']);
  expect(shownSelection(some, rows)).toBe(some);
});
