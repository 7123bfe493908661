import { feedbackLimits } from '#features/feedback/contract/feedback.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  arrow,
  atLeast,
  canBeCropped,
  contain,
  frameWidth,
  fromPercent,
  grow,
  inPercent,
  leastInPicture,
  longestSide,
  meet,
  middle,
  move,
  outward,
  type Rect,
  resize,
  scaleToSend,
  type Size,
  smallestCrop,
  span,
  step,
  stepInPicture,
  toPicture,
  whole,
  workingSize,
} from './geometry.ts';

const side = fc.integer({ min: 1, max: 8000 });
const size = fc.record({ width: side, height: side });
const distance = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
});
const grip = fc.record({ x: fc.constantFrom(-1, 0, 1), y: fc.constantFrom(-1, 0, 1) });
/** A place and a size that need not lie inside of anything. */
const anyRect = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  width: side,
  height: side,
});
/** A picture and a rectangle of whole pixels inside of it. */
const inside = size.chain((picture) =>
  fc
    .record({
      x: fc.integer({ min: 0, max: picture.width - 1 }),
      y: fc.integer({ min: 0, max: picture.height - 1 }),
    })
    .chain(({ x, y }) =>
      fc.record({
        picture: fc.constant(picture),
        rect: fc.record({
          x: fc.constant(x),
          y: fc.constant(y),
          width: fc.integer({ min: 1, max: picture.width - x }),
          height: fc.integer({ min: 1, max: picture.height - y }),
        }),
      }),
    ),
);

function liesIn(rect: Rect, bounds: Rect): boolean {
  return (
    rect.x >= bounds.x &&
    rect.y >= bounds.y &&
    rect.x + rect.width <= bounds.x + bounds.width &&
    rect.y + rect.height <= bounds.y + bounds.height
  );
}

/**
 * How a picture of this size is displayed on a screen: by one factor for both sides, which no screen keeps
 * exactly.
 */
function displayedAt(picture: Size, factor: number): Size {
  return { width: picture.width * factor, height: picture.height * factor };
}

describe('BUG-3: rectangles stay inside of the picture', () => {
  it('BUG-3: what is moved keeps its size and never leaves', () => {
    fc.assert(
      fc.property(inside, distance, ({ picture, rect }, by) => {
        const moved = move(rect, by, whole(picture));
        expect(liesIn(moved, whole(picture))).toBe(true);
        expect([moved.width, moved.height]).toEqual([rect.width, rect.height]);
      }),
    );
  });

  it('BUG-3: what is resized never leaves, keeps its opposite side and its smallest size', () => {
    fc.assert(
      fc.property(inside, grip, distance, size, ({ picture, rect }, at, by, least) => {
        const next = resize(rect, at, by, whole(picture), least);
        expect(liesIn(next, whole(picture))).toBe(true);
        const opposite = ({ x, y, width, height }: Rect) => [
          at.x === -1 ? null : x,
          at.x === 1 ? null : x + width,
          at.y === -1 ? null : y,
          at.y === 1 ? null : y + height,
        ];
        expect(opposite(next)).toEqual(opposite(rect));
        // What was smaller before may stay so.
        expect(next.width).toBeGreaterThanOrEqual(Math.min(least.width, rect.width));
        expect(next.height).toBeGreaterThanOrEqual(Math.min(least.height, rect.height));
      }),
    );
  });

  it('BUG-3: what is grown reaches its smallest size where the picture has the room', () => {
    fc.assert(
      fc.property(inside, size, ({ picture, rect }, least) => {
        const grown = grow(rect, least, whole(picture));
        expect(liesIn(grown, whole(picture))).toBe(true);
        expect(grown.width).toBe(Math.min(picture.width, Math.max(rect.width, least.width)));
        expect(grown.height).toBe(Math.min(picture.height, Math.max(rect.height, least.height)));
        expect(grown.width > rect.width || grown.x === rect.x).toBe(true);
      }),
    );
  });

  it('BUG-3: what is contained changes nothing that lies inside already', () => {
    fc.assert(
      fc.property(inside, anyRect, ({ picture, rect }, other) => {
        expect(contain(rect, whole(picture))).toEqual(rect);
        expect(liesIn(contain(other, whole(picture)), whole(picture))).toBe(true);
      }),
    );
  });

  it('BUG-3: a rectangle is the same whichever corner it is drawn from', () => {
    fc.assert(
      fc.property(distance, distance, size, (a, b, picture) => {
        const drawn = span(a, b, whole(picture));
        expect(drawn).toEqual(span(b, a, whole(picture)));
        expect(liesIn(drawn, whole(picture))).toBe(true);
      }),
    );
    expect(span({ x: 30, y: 5 }, { x: 10, y: 25 }, whole({ width: 100, height: 20 }))).toEqual({
      x: 10,
      y: 5,
      width: 20,
      height: 15,
    });
  });

  it('BUG-3: a box in the middle lies in the selected part', () => {
    fc.assert(
      fc.property(inside, size, ({ picture, rect }, least) => {
        const box = middle(rect, least);
        expect(liesIn(box, rect)).toBe(true);
        expect(liesIn(box, whole(picture))).toBe(true);
        expect(box.width).toBeGreaterThanOrEqual(Math.min(rect.width, least.width));
      }),
    );
  });
});

describe('BUG-3: from the screen to the picture and back', () => {
  it('BUG-3: whole pixels of the picture are unchanged after a round trip to the screen', () => {
    fc.assert(
      fc.property(inside, ({ picture, rect }) => {
        expect(fromPercent(inPercent(rect, whole(picture)), whole(picture))).toEqual(rect);
      }),
    );
  });

  it('BUG-3: a point on the screen lies at the same share of the part of the picture that is displayed', () => {
    fc.assert(
      fc.property(
        inside,
        fc.double({ min: 0.05, max: 2, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        ({ rect: region }, factor, across, down) => {
          const displayed = displayedAt(region, factor);
          const point = toPicture(
            { x: displayed.width * across, y: displayed.height * down },
            displayed,
            region,
          );
          expect(point.x).toBeCloseTo(region.x + region.width * across, 6);
          expect(point.y).toBeCloseTo(region.y + region.height * down, 6);
        },
      ),
    );
  });

  it('BUG-3: the smallest crop is displayed at 33 pixels or more in both measures, or is all there is', () => {
    /** As a browser measures it: in steps of a 64th of a pixel, rounded down. */
    const measured = (pixels: number, all: number, shown: number) =>
      Math.floor((pixels / all) * shown * 64) / 64;
    fc.assert(
      fc.property(inside, fc.double({ min: 0.02, max: 1, noNaN: true }), ({ picture, rect }, factor) => {
        const displayed = displayedAt(picture, factor);
        const least = leastInPicture(smallestCrop, displayed, whole(picture));
        const crop = atLeast(rect, least, whole(picture));
        expect(liesIn(crop, whole(picture))).toBe(true);
        for (const side of ['width', 'height'] as const) {
          const shown = measured(crop[side], picture[side], displayed[side]);
          expect(crop[side] === picture[side] || shown >= 33).toBe(true);
          // What is sent has as many pixels too.
          expect(crop[side]).toBeGreaterThanOrEqual(Math.min(33, picture[side]));
          // And no more than two pixels of the picture more than it has to be.
          expect(least[side] * factor).toBeLessThan(33 + 2 * factor + 1 / 64);
        }
        expect(canBeCropped(picture)).toBe(picture.width > 33 || picture.height > 33);
      }),
    );
    expect(smallestCrop).toBe(33);
    const screen = whole({ width: 1600, height: 1200 });
    expect(leastInPicture(33, { width: 988, height: 741 }, screen)).toEqual({ width: 54, height: 54 });
    expect(leastInPicture(33, { width: 1600, height: 1200 }, screen)).toEqual({ width: 33, height: 33 });
    expect(leastInPicture(33, { width: 20, height: 300 }, whole({ width: 20, height: 300 }))).toEqual({
      width: 20,
      height: 33,
    });
  });

  it('BUG-3: a picture that has to be made smaller for the server keeps 33 pixels on each side', () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0.001, max: 0.9, noNaN: true }), (picture, factor) => {
        const sent = scaleToSend(picture, factor);
        for (const side of ['width', 'height'] as const) {
          expect(sent[side]).toBeGreaterThanOrEqual(Math.min(33, picture[side]));
          expect(sent[side]).toBeLessThanOrEqual(picture[side]);
        }
      }),
    );
  });

  it('BUG-3: what is blacked out covers every pixel that it touches', () => {
    fc.assert(
      fc.property(
        fc.record({
          x: fc.double({ min: 0, max: 4000, noNaN: true }),
          y: fc.double({ min: 0, max: 4000, noNaN: true }),
          width: fc.double({ min: 1, max: 4000, noNaN: true }),
          height: fc.double({ min: 1, max: 4000, noNaN: true }),
        }),
        (rect) => {
          const covered = outward(rect);
          for (const value of Object.values(covered)) expect(Number.isInteger(value)).toBe(true);
          expect(covered.x).toBeLessThanOrEqual(rect.x + 0.001);
          expect(covered.y).toBeLessThanOrEqual(rect.y + 0.001);
          expect(covered.x + covered.width).toBeGreaterThanOrEqual(rect.x + rect.width - 0.001);
          expect(covered.y + covered.height).toBeGreaterThanOrEqual(rect.y + rect.height - 0.001);
          expect(covered.width).toBeLessThan(rect.width + 2);
        },
      ),
    );
    const exact = { x: 3, y: 4, width: 50, height: 60 };
    expect(outward(exact)).toEqual(exact);
  });

  it('BUG-3: a step by keys moves at least one pixel of the picture', () => {
    const picture = { width: 3840, height: 2160 };
    const displayed = { width: 384, height: 216 };
    expect(stepInPicture({ x: 1, y: 0 }, 8, displayed, whole(picture))).toEqual({ x: 80, y: 0 });
    const tiny = { width: 20, height: 20 };
    const large = { width: 200, height: 200 };
    expect(stepInPicture({ x: 0, y: -1 }, 1, large, whole(tiny))).toEqual({ x: 0, y: -1 });
  });

  it('BUG-3: a step moves the whole, or one side of it', () => {
    const bounds = whole({ width: 100, height: 100 });
    const rect = { x: 10, y: 10, width: 20, height: 20 };
    const least = { width: 5, height: 5 };
    expect(step(rect, { grip: null, by: { x: -30, y: 0 } }, bounds, least)).toEqual({
      ...rect,
      x: 0,
    });
    expect(step(rect, { grip: { x: 1, y: 0 }, by: { x: -30, y: 0 } }, bounds, least)).toEqual({
      ...rect,
      width: 5,
    });
    expect(arrow('ArrowUp')).toEqual({ x: 0, y: -1 });
    expect(arrow('Enter')).toBeNull();
  });

  it('BUG-3: rectangles that only touch do not meet', () => {
    const rect = { x: 10, y: 10, width: 20, height: 20 };
    expect(meet(rect, { x: 30, y: 10, width: 5, height: 5 })).toBe(false);
    expect(meet(rect, { x: 29, y: 29, width: 5, height: 5 })).toBe(true);
  });
});

describe('BUG-3: the size at which a picture is worked on', () => {
  const arriving = fc.integer({ min: 1, max: longestSide });

  it('BUG-3: the server accepts it, whatever the original size', () => {
    fc.assert(
      fc.property(arriving, arriving, (width, height) => {
        const working = workingSize({ width, height });
        expect(Math.max(working.width, working.height)).toBeLessThanOrEqual(feedbackLimits.pictureSide);
        expect(working.width * working.height).toBeLessThanOrEqual(feedbackLimits.picturePixels);
        // What a canvas holds on every phone.
        expect(working.width * working.height).toBeLessThanOrEqual(4096 * 4096);
        expect(working.width).toBeLessThanOrEqual(width);
        expect(working.height).toBeLessThanOrEqual(height);
        expect(Math.min(working.width, working.height)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('BUG-3: the shape stays', () => {
    fc.assert(
      fc.property(arriving, arriving, (width, height) => {
        const working = workingSize({ width, height });
        const factor = working.width / width;
        expect(Math.abs(working.height - height * factor)).toBeLessThanOrEqual(1 + height / width);
      }),
    );
  });

  it.each([
    ['a screen', 1920, 1080, 1920, 1080],
    ['a photograph', 8000, 6000, 4096, 3072],
    ['a long page, which stays readable', 1200, 12_000, 1200, 12_000],
    ['a long page of a sharp screen', 2560, 16_000, 1280, 8000],
    ['a wide wall', 16_384, 1000, 16_384, 1000],
  ])('BUG-3: %s', (_what, width, height, toWidth, toHeight) => {
    expect(workingSize({ width, height })).toEqual({ width: toWidth, height: toHeight });
  });

  it('BUG-3: a frame can be seen in a large picture too', () => {
    expect(frameWidth({ width: 200, height: 100 })).toBe(3);
    expect(frameWidth({ width: 4096, height: 3072 })).toBe(16);
  });
});
