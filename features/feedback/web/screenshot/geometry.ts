/*
 * Places and sizes are in pixels of the picture as it was taken, or in CSS pixels as it is displayed; no
 * function takes both unless its comment names both.
 */

export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };
export type Rect = Point & Size;

/** A corner or a side of a rectangle: −1 is left or top, 1 right or bottom, 0 the middle between them. */
export type Grip = { readonly x: -1 | 0 | 1; readonly y: -1 | 0 | 1 };

/** The smallest crop in CSS pixels, as displayed. */
export const smallestCrop = 33;

/** The smallest mark in CSS pixels, as displayed. */
export const smallestMark = 8;

/** CSS pixels that a pointer has to move before it draws: a press is not always still. */
export const leastDrag = 4;

/** The most pixels on one side of a picture that is read; a larger picture is refused. */
export const longestSide = 16_384;

const aimedSide = 4096;
/** Pixels that the short side should keep, so that a long page stays readable. */
const readableSide = 1280;
/** The most pixels that a canvas holds on every phone. */
const mostPixels = 4096 * 4096;

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** The whole picture as a rectangle. */
export function whole(size: Size): Rect {
  return { x: 0, y: 0, width: size.width, height: size.height };
}

export function sameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/** Whether two rectangles share any area. */
export function meet(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** The rectangle moved into `bounds`, and cut if it is larger than `bounds`. */
export function contain(rect: Rect, bounds: Rect): Rect {
  const width = Math.min(rect.width, bounds.width);
  const height = Math.min(rect.height, bounds.height);
  return {
    x: clamp(rect.x, bounds.x, bounds.x + bounds.width - width),
    y: clamp(rect.y, bounds.y, bounds.y + bounds.height - height),
    width,
    height,
  };
}

export function move(rect: Rect, by: Point, bounds: Rect): Rect {
  return contain({ ...rect, x: rect.x + by.x, y: rect.y + by.y }, bounds);
}

/**
 * Moves one corner or side; the opposite one stays where it is. The result neither leaves `bounds` nor falls
 * below `least`.
 */
export function resize(rect: Rect, grip: Grip, by: Point, bounds: Rect, least: Size): Rect {
  const inside = contain(rect, bounds);
  const [x, width] = stretch(inside.x, inside.width, grip.x, by.x, bounds.x, bounds.width, least.width);
  const [y, height] = stretch(inside.y, inside.height, grip.y, by.y, bounds.y, bounds.height, least.height);
  return { x, y, width, height };
}

function stretch(
  start: number,
  length: number,
  grip: -1 | 0 | 1,
  by: number,
  from: number,
  available: number,
  least: number,
): [start: number, length: number] {
  const end = start + length;
  // A rectangle that was smaller before may stay so, but shrinks no further.
  const floor = Math.min(least, length);
  if (grip === 1) {
    const moved = clamp(end + by, Math.min(start + floor, from + available), from + available);
    return [start, moved - start];
  }
  if (grip === -1) {
    const moved = clamp(start + by, from, Math.max(end - floor, from));
    return [moved, end - moved];
  }
  return [start, length];
}

/** Grows a rectangle around its middle to at least `least`, if `bounds` are large enough. */
export function grow(rect: Rect, least: Size, bounds: Rect): Rect {
  const width = Math.max(rect.width, least.width);
  const height = Math.max(rect.height, least.height);
  return contain(
    {
      x: Math.floor(rect.x - (width - rect.width) / 2),
      y: Math.floor(rect.y - (height - rect.height) / 2),
      width,
      height,
    },
    bounds,
  );
}

/**
 * At least as large as `least` where `bounds` are large enough, grown to the right and down as far as
 * possible.
 */
export function atLeast(rect: Rect, least: Size, bounds: Rect): Rect {
  const width = Math.max(rect.width, least.width);
  const height = Math.max(rect.height, least.height);
  return contain({ ...rect, width, height }, bounds);
}

/** The rectangle between two points, cut to `bounds`. */
export function span(a: Point, b: Point, bounds: Rect): Rect {
  const inX = (x: number) => clamp(x, bounds.x, bounds.x + bounds.width);
  const inY = (y: number) => clamp(y, bounds.y, bounds.y + bounds.height);
  const [left, right] = [inX(Math.min(a.x, b.x)), inX(Math.max(a.x, b.x))];
  const [top, bottom] = [inY(Math.min(a.y, b.y)), inY(Math.max(a.y, b.y))];
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whole pixels that cover all of a rectangle. A side within a thousandth of a whole pixel counts as whole. */
export function outward(rect: Rect): Rect {
  const slack = 0.001;
  const x = Math.floor(rect.x + slack);
  const y = Math.floor(rect.y + slack);
  return {
    x,
    y,
    width: Math.ceil(rect.x + rect.width - slack) - x,
    height: Math.ceil(rect.y + rect.height - slack) - y,
  };
}

/** The nearest whole pixels. */
export function nearest(rect: Rect): Rect {
  const x = Math.round(rect.x);
  const y = Math.round(rect.y);
  return {
    x,
    y,
    width: Math.round(rect.x + rect.width) - x,
    height: Math.round(rect.y + rect.height) - y,
  };
}

/**
 * The point of the picture that is displayed at a point of the screen.
 *
 * @param point CSS pixels from the upper left corner of the displayed part
 * @param displayed the size of the displayed part, in CSS pixels
 * @param region the displayed part of the picture
 */
export function toPicture(point: Point, displayed: Size, region: Rect): Point {
  return {
    x: region.x + (point.x / displayed.width) * region.width,
    y: region.y + (point.y / displayed.height) * region.height,
  };
}

/** A distance in CSS pixels, in pixels of the picture. */
export function distanceInPicture(distance: Point, displayed: Size, region: Rect): Point {
  return {
    x: (distance.x / displayed.width) * region.width,
    y: (distance.y / displayed.height) * region.height,
  };
}

/** Browsers lay out in steps of a 64th of a CSS pixel, and round down to them. */
const layoutStep = 64;

/**
 * The fewest whole pixels of the picture that are displayed at `side` CSS pixels or more, but no more than
 * `region`.
 */
export function leastInPicture(side: number, displayed: Size, region: Rect): Size {
  const least = (shown: number, pixels: number): number => {
    let count = Math.max(1, Math.ceil((side / shown) * pixels));
    // Rounding may have made `count` too small.
    while (count < pixels && Math.floor((count / pixels) * shown * layoutStep) < side * layoutStep)
      count += 1;
    return Math.min(pixels, count);
  };
  return {
    width: least(displayed.width, region.width),
    height: least(displayed.height, region.height),
  };
}

/** Whether any part of a picture can be cropped away. A smaller one is sent as it is. */
export function canBeCropped({ width, height }: Size): boolean {
  return width > smallestCrop || height > smallestCrop;
}

/** A rectangle of the picture as shares of `region` in percent, for elements over it. */
export function inPercent(rect: Rect, region: Rect): Rect {
  return {
    x: ((rect.x - region.x) / region.width) * 100,
    y: ((rect.y - region.y) / region.height) * 100,
    width: (rect.width / region.width) * 100,
    height: (rect.height / region.height) * 100,
  };
}

/** The inverse of `inPercent`, in the nearest whole pixels and inside of `region`. */
export function fromPercent(share: Rect, region: Rect): Rect {
  return contain(
    nearest({
      x: region.x + (share.x / 100) * region.width,
      y: region.y + (share.y / 100) * region.height,
      width: (share.width / 100) * region.width,
      height: (share.height / 100) * region.height,
    }),
    region,
  );
}

/** The size in whole pixels, rounded down but never below one. */
export function scale(size: Size, factor: number): Size {
  // In floating point, 6000 × (4096 ÷ 6000) is slightly below 4096.
  const scaled = (side: number) => Math.max(1, Math.floor(side * factor + 1e-6));
  return { width: scaled(size.width), height: scaled(size.height) };
}

/** Like `scale`, but no side shrinks below `smallestCrop`; a side that is already smaller keeps its size. */
export function scaleToSend(size: Size, factor: number): Size {
  const { width, height } = scale(size, factor);
  return {
    width: Math.max(width, Math.min(size.width, smallestCrop)),
    height: Math.max(height, Math.min(size.height, smallestCrop)),
  };
}

/**
 * The size at which a picture is edited and sent. The long side aims at 4096 pixels, but a long narrow page
 * keeps a width at which it can be read. A picture is never enlarged.
 */
export function workingSize(size: Size): Size {
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const factor = Math.min(
    1,
    Math.max(aimedSide / long, readableSide / short),
    longestSide / long,
    Math.sqrt(mostPixels / (size.width * size.height)),
  );
  return scale(size, factor);
}

/** How thick a highlight's frame is, in pixels of a picture of this size. */
export function frameWidth(size: Size): number {
  return Math.max(3, Math.round(Math.max(size.width, size.height) / 260));
}

/** A step by key or button: of the whole rectangle, or of one of its sides. */
export type Step = { readonly grip: Grip | null; readonly by: Point };

export function step(rect: Rect, { grip, by }: Step, bounds: Rect, least: Size): Rect {
  return grip === null ? move(rect, by, bounds) : resize(rect, grip, by, bounds, least);
}

/** The direction of an arrow key, of length one; null for other keys. */
export function arrow(key: string): Point | null {
  if (key === 'ArrowLeft') return { x: -1, y: 0 };
  if (key === 'ArrowRight') return { x: 1, y: 0 };
  if (key === 'ArrowUp') return { x: 0, y: -1 };
  return key === 'ArrowDown' ? { x: 0, y: 1 } : null;
}

/** `length` CSS pixels in a direction, as whole pixels of the picture, at least one. */
export function stepInPicture(direction: Point, length: number, displayed: Size, region: Rect): Point {
  const { x, y } = distanceInPicture({ x: length, y: length }, displayed, region);
  return {
    x: direction.x * Math.max(1, Math.round(x)),
    y: direction.y * Math.max(1, Math.round(y)),
  };
}

/** A rectangle in the middle of `region`, a third as wide and a fifth as high. */
export function middle(region: Rect, least: Size): Rect {
  const width = Math.round(region.width / 3);
  const height = Math.round(region.height / 5);
  return grow(
    {
      x: Math.round(region.x + (region.width - width) / 2),
      y: Math.round(region.y + (region.height - height) / 2),
      width,
      height,
    },
    least,
    region,
  );
}
