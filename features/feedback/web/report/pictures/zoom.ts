export type Size = { width: number; height: number };
export type Point = { x: number; y: number };

/**
 * The place of a picture in its frame: its upper left corner in CSS pixels, and `scale`, the CSS pixels for
 * each pixel of the picture.
 */
export type View = Point & { scale: number };

export const largestScale = 8;
/** The factor of one press on a button or a key. */
export const zoomStep = 1.25;

/** The whole picture in the middle of its frame, never larger than it is. */
export function fitView(picture: Size, frame: Size): View {
  const scale = Math.min(1, frame.width / picture.width, frame.height / picture.height);
  return withinFrame({ x: 0, y: 0, scale }, picture, frame);
}

/**
 * The picture at another scale; the point at `anchor` (in the frame) stays where it is. Never smaller than
 * fitted.
 */
export function zoomTo(view: View, scale: number, anchor: Point, picture: Size, frame: Size): View {
  const smallest = fitView(picture, frame).scale;
  const next = Math.min(largestScale, Math.max(smallest, scale));
  const ratio = next / view.scale;
  return withinFrame(
    {
      x: anchor.x - (anchor.x - view.x) * ratio,
      y: anchor.y - (anchor.y - view.y) * ratio,
      scale: next,
    },
    picture,
    frame,
  );
}

/** The picture moved by so many pixels, as far as its edges let it. */
export function panBy(view: View, by: Point, picture: Size, frame: Size): View {
  return withinFrame({ ...view, x: view.x + by.x, y: view.y + by.y }, picture, frame);
}

/** Two fingers have moved: the same part of the picture stays between them, scaled with their distance. */
export function pinchTo(
  view: View,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
  picture: Size,
  frame: Size,
): View {
  const from = middle(before);
  const to = middle(after);
  const spread = distance(before);
  const scale = spread === 0 ? view.scale : (view.scale * distance(after)) / spread;
  const moved = { ...view, x: view.x + to.x - from.x, y: view.y + to.y - from.y };
  return zoomTo(moved, scale, to, picture, frame);
}

export function centreOf(frame: Size): Point {
  return { x: frame.width / 2, y: frame.height / 2 };
}

/** A picture smaller than its frame stands in the middle; a larger one leaves no gap at an edge. */
function withinFrame(view: View, picture: Size, frame: Size): View {
  return {
    x: alongOneSide(view.x, picture.width * view.scale, frame.width),
    y: alongOneSide(view.y, picture.height * view.scale, frame.height),
    scale: view.scale,
  };
}

function alongOneSide(start: number, length: number, available: number): number {
  if (length <= available) return (available - length) / 2;
  return Math.min(0, Math.max(available - length, start));
}

function middle([a, b]: readonly [Point, Point]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distance([a, b]: readonly [Point, Point]): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
