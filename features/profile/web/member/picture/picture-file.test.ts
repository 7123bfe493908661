import { describe, expect, it } from 'vitest';
import { fromPercent, largestSquare, resized, toPercent, within } from './picture-file.ts';

const wide = { width: 1200, height: 800 };
const tall = { width: 300, height: 900 };

describe('PRO-1: the square of a picture', () => {
  it('PRO-1: begins as the largest one in the middle', () => {
    expect(largestSquare(wide)).toEqual({ x: 200, y: 0, side: 800 });
    expect(largestSquare(tall)).toEqual({ x: 0, y: 300, side: 300 });
  });

  it('PRO-1: stays inside the picture and large enough to be seen', () => {
    expect(within(wide, { x: 900, y: -20, side: 400 })).toEqual({ x: 800, y: 0, side: 400 });
    expect(within(wide, { x: 0, y: 0, side: 5000 })).toEqual({ x: 0, y: 0, side: 800 });
    expect(within(wide, { x: 0, y: 0, side: 1 }).side).toBe(80);
  });

  it('PRO-1: keeps its middle when it is resized', () => {
    expect(resized(wide, { x: 200, y: 0, side: 800 }, 400)).toEqual({ x: 400, y: 200, side: 400 });
    // Where the edge is near, the edge decides.
    expect(resized(wide, { x: 0, y: 0, side: 400 }, 600)).toEqual({ x: 0, y: 0, side: 600 });
  });

  it('PRO-1: is the same in percent and back', () => {
    const square = { x: 240, y: 80, side: 600 };
    const percent = toPercent(wide, square);
    expect(percent).toEqual({ unit: '%', x: 20, y: 10, width: 50, height: 75 });
    expect(fromPercent(wide, percent)).toEqual(square);
  });
});
