import { describe, expect, it } from 'vitest';
import { barsOf, indexAt, linesOf, placeOf } from './trend.tsx';

describe('CON-2: the pictures of figures over time', () => {
  it('draw a line from gap to gap, the highest value below the top', () => {
    expect(linesOf([0, 10, null, 5])).toEqual([
      [
        [0, 1],
        [1 / 3, expect.closeTo(0.06)],
      ],
      [
        [expect.closeTo(1 - 1 / 12), expect.closeTo(0.53)],
        [1, expect.closeTo(0.53)],
      ],
    ]);
    expect(linesOf([])).toEqual([]);
    expect(linesOf([null, null])).toEqual([]);
    expect(linesOf([0, 0])).toEqual([
      [
        [0, 1],
        [1, 1],
      ],
    ]);
    expect(linesOf([3])).toHaveLength(1);
  });

  it('draw one among thousands as a bar that is seen, and none as none', () => {
    expect(barsOf([0, 1, 5_000, null])).toEqual([0, 0.06, 1, 0]);
    expect(barsOf([0, 0])).toEqual([0, 0]);
  });

  it('find the value below the pointer, and where it stands', () => {
    expect([0, 0.49, 0.51, 1, 1.2, -1].map((place) => indexAt(place, 3, 'line'))).toEqual([0, 1, 1, 2, 2, 0]);
    expect([0, 0.49, 0.51, 1].map((place) => indexAt(place, 2, 'bars'))).toEqual([0, 0, 1, 1]);
    for (const kind of ['line', 'bars'] as const)
      for (let index = 0; index < 14; index += 1)
        expect(indexAt(placeOf(index, 14, kind), 14, kind)).toBe(index);
  });
});
