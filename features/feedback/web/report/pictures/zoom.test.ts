import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centreOf, fitView, largestScale, panBy, pinchTo, type Size, type View, zoomTo } from './zoom.ts';

const picture = { width: 2000, height: 1000 };
const frame = { width: 500, height: 500 };

describe('BUG-8: a picture at full size', () => {
  it('BUG-8: fits as a whole, in the middle, and a small one is not blown up', () => {
    expect(fitView(picture, frame)).toEqual({ x: 0, y: 125, scale: 0.25 });
    expect(fitView({ width: 100, height: 50 }, frame)).toEqual({ x: 200, y: 225, scale: 1 });
  });

  it('BUG-8: zooms about the point that is pointed at', () => {
    const view = zoomTo(fitView(picture, frame), 1, { x: 250, y: 250 }, picture, frame);
    expect(view).toEqual({ x: -750, y: -250, scale: 1 });
    // What was at the right edge of the frame, at the height of its middle, is still there.
    const right = zoomTo(view, 2, { x: 500, y: 250 }, picture, frame);
    expect((500 - right.x) / right.scale).toBe((500 - view.x) / view.scale);
    expect((250 - right.y) / right.scale).toBe((250 - view.y) / view.scale);
  });

  it('BUG-8: moves up to its edges, and not at all where it has room', () => {
    const view = zoomTo(fitView(picture, frame), 1, centreOf(frame), picture, frame);
    expect(panBy(view, { x: 10_000, y: -30 }, picture, frame)).toEqual({ x: 0, y: -280, scale: 1 });
    expect(panBy(view, { x: -10_000, y: -10_000 }, picture, frame)).toEqual({ x: -1500, y: -500, scale: 1 });
    const whole = fitView(picture, frame);
    expect(panBy(whole, { x: 40, y: 40 }, picture, frame)).toEqual(whole);
  });

  it('BUG-8: two fingers move what is between them', () => {
    const view = zoomTo(fitView(picture, frame), 1, centreOf(frame), picture, frame);
    const spread = pinchTo(
      view,
      [
        { x: 200, y: 250 },
        { x: 300, y: 250 },
      ],
      [
        { x: 200, y: 260 },
        { x: 400, y: 260 },
      ],
      picture,
      frame,
    );
    expect(spread.scale).toBe(2);
    // Between the fingers was the middle of the frame; it is now below the new middle between them.
    expect((300 - spread.x) / spread.scale).toBeCloseTo((250 - view.x) / view.scale);
    expect((260 - spread.y) / spread.scale).toBeCloseTo((250 - view.y) / view.scale);
    const still = [
      { x: 7, y: 7 },
      { x: 7, y: 7 },
    ] as const;
    expect(pinchTo(view, still, still, picture, frame)).toEqual(view);
  });

  it('BUG-8: whatever is done, the picture stays in its frame and its scale within its bounds', () => {
    const size = fc.record({
      width: fc.integer({ min: 1, max: 16_384 }),
      height: fc.integer({ min: 1, max: 16_384 }),
    });
    const point = fc.record({
      x: fc.integer({ min: -5000, max: 5000 }),
      y: fc.integer({ min: -5000, max: 5000 }),
    });
    type Step = (view: View, of: Size, place: Size) => View;
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.tuple(fc.double({ min: 0.001, max: 50, noNaN: true }), point).map(
        ([scale, at]): Step =>
          (view, of, place) =>
            zoomTo(view, scale, at, of, place),
      ),
      point.map(
        (by): Step =>
          (view, of, place) =>
            panBy(view, by, of, place),
      ),
      fc.tuple(point, point, point, point).map(
        ([a, b, c, d]): Step =>
          (view, of, place) =>
            pinchTo(view, [a, b], [c, d], of, place),
      ),
    );
    fc.assert(
      fc.property(size, size, fc.array(step, { maxLength: 8 }), (of, place, steps) => {
        const view = steps.reduce((before, act) => act(before, of, place), fitView(of, place));
        expect(view.scale).toBeLessThanOrEqual(largestScale);
        expect(view.scale).toBeGreaterThanOrEqual(fitView(of, place).scale);
        for (const [start, length, available] of [
          [view.x, of.width * view.scale, place.width],
          [view.y, of.height * view.scale, place.height],
        ] as const) {
          const before = start;
          const after = available - start - length;
          const standsRight =
            length <= available ? Math.abs(before - after) < 1e-6 : before <= 0 && after <= 1e-6;
          expect({ before, after, standsRight }).toMatchObject({ standsRight: true });
        }
      }),
    );
  });
});
