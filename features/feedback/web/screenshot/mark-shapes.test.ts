import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grip, Rect } from './geometry.ts';
import {
  addedShape,
  arrowBetween,
  drawnShape,
  endsOf,
  gripsOf,
  type LayText,
  moved,
  resized,
  reworded,
} from './mark-shapes.ts';
import { drawnMarks, type Mark, type MarkKind, untouched, withMark } from './work.ts';

const bounds: Rect = { x: 40, y: 30, width: 300, height: 200 };
const measures = { least: { width: 8, height: 8 }, number: 28, text: 18, smallestText: 9 };
/** Letters that are half as wide as high, on lines as long as the picture allows. */
const lay: LayText = (text, size, most) => {
  const perLine = Math.max(1, Math.floor((2 * most.width) / size));
  const count = Math.max(1, Math.ceil(text.length / perLine));
  if (count * size > most.height && size > 1) return lay(text, size * 0.8, most);
  const lines = Array.from({ length: count }, (_, at) => text.slice(at * perLine, (at + 1) * perLine));
  return {
    lines,
    size,
    width: Math.min(most.width, (text.length * size) / 2),
    height: Math.min(most.height, count * size),
  };
};

const kinds: readonly MarkKind[] = ['highlight', 'arrow', 'text', 'number', 'redaction'];
const point = fc.record({ x: fc.integer({ min: -50, max: 500 }), y: fc.integer({ min: -50, max: 400 }) });
const marks = fc
  .tuple(fc.constantFrom(...kinds), point, point, fc.string({ unit: 'grapheme', maxLength: 200 }))
  .map(([kind, from, to, text]): Mark => {
    const mark: Mark = { id: 1, ...drawnShape(kind, from, to, bounds, measures) };
    return mark.kind === 'text' ? reworded(mark, text, bounds, lay) : mark;
  });

function expectInside(rect: Rect): void {
  expect(rect.x).toBeGreaterThanOrEqual(bounds.x);
  expect(rect.y).toBeGreaterThanOrEqual(bounds.y);
  expect(rect.x + rect.width).toBeLessThanOrEqual(bounds.x + bounds.width);
  expect(rect.y + rect.height).toBeLessThanOrEqual(bounds.y + bounds.height);
  expect(Math.min(rect.width, rect.height)).toBeGreaterThanOrEqual(1);
}

describe('BUG-3: marks of each kind', () => {
  it('BUG-3: stay in the picture, however they are drawn, worded, moved and resized', () => {
    const far = fc.record({ x: fc.integer({ min: -400, max: 400 }), y: fc.integer({ min: -400, max: 400 }) });
    fc.assert(
      fc.property(marks, far, far, fc.nat({ max: 7 }), (mark, by, again, which) => {
        expectInside(mark);
        const grips: readonly Grip[] = [...gripsOf(mark), { x: 1, y: 0 }, { x: 0, y: 1 }];
        const next = resized(mark, grips[which % grips.length] ?? { x: 1, y: 1 }, by, bounds, measures, lay);
        for (const one of [next, moved(next, again, bounds)]) {
          expectInside(one);
          expect(one).toMatchObject({ id: 1, kind: mark.kind });
        }
        const isSquare = next.width === next.height;
        expect(next.kind !== 'number' || isSquare).toBe(true);
        const words = (one: Mark) => (one.kind === 'text' ? one.text : '');
        expect(words(next)).toBe(words(mark));
      }),
      { numRuns: 1000 },
    );
  });

  it('BUG-3: an arrow begins and ends where it was drawn, and one end moves alone, also past the other', () => {
    const inside = fc.record({
      x: fc.integer({ min: bounds.x, max: bounds.x + bounds.width - 1 }),
      y: fc.integer({ min: bounds.y, max: bounds.y + bounds.height - 1 }),
    });
    fc.assert(
      fc.property(inside, inside, inside, (tail, tip, other) => {
        fc.pre(tip.x !== tail.x && tip.y !== tail.y && other.x !== tail.x && other.y !== tail.y);
        const arrow: Mark = { id: 1, ...arrowBetween(tail, tip, bounds) };
        const by = { x: other.x - tip.x, y: other.y - tip.y };
        const turned = arrow.kind === 'arrow' ? resized(arrow, arrow.tip, by, bounds, measures, lay) : arrow;
        expect([arrow, turned].map((one) => one.kind === 'arrow' && endsOf(one))).toEqual([
          { tail, tip },
          { tail, tip: other },
        ]);
      }),
    );
  });

  it('BUG-3: numbers that are added by keys do not cover each other; five hundred count to five hundred', () => {
    let work = untouched({ width: 4000, height: 3000 });
    for (let count = 0; count < 500; count += 1)
      work = withMark(
        work,
        addedShape('number', bounds, { x: 0, y: 0, width: 4000, height: 3000 }, measures, work.marks),
      );
    expect(drawnMarks(work.marks).at(-1)?.number).toBe(500);
    expect(new Set(work.marks.slice(0, 200).map(({ x, y }) => `${x} ${y}`)).size).toBe(200);
  });
});
