import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

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

/**
 * Zooms and moves a picture in its frame: by hand, by one or two fingers, by wheel (with Ctrl it zooms, as a
 * pinch on a trackpad does).
 */
export function useZoom(picture: Size, frame: RefObject<HTMLElement | null>) {
  const [available, setAvailable] = useState<Size>({ width: 0, height: 0 });
  // null: fitted into the frame.
  const [chosen, setChosen] = useState<View | null>(null);
  const fingers = useRef(new Map<number, Point>());
  const measured = available.width > 0 && available.height > 0 ? available : picture;
  const fitting = fitView(picture, measured);

  const change = (next: (view: View) => View) =>
    setChosen((before) => {
      const view = next(before ?? fitting);
      return view.scale <= fitting.scale ? null : view;
    });
  const inFrame = (event: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const to = (scale: number, anchor: Point = centreOf(measured)) =>
    change((view) => zoomTo(view, scale, anchor, picture, measured));
  const pan = (by: Point) => change((view) => panBy(view, by, picture, measured));

  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined)
        setAvailable({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);

  const turn = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    // Some mice count lines or pages: each counts as 16 pixels.
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 16;
    if (event.ctrlKey) {
      const factor = Math.exp(-Math.max(-50, Math.min(50, event.deltaY * unit)) / 100);
      change((view) => zoomTo(view, view.scale * factor, inFrame(event), picture, measured));
    } else if (event.shiftKey) pan({ x: -event.deltaY * unit, y: -event.deltaX * unit });
    else pan({ x: -event.deltaX * unit, y: -event.deltaY * unit });
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    // React's own listener is passive and cannot keep the browser from zooming the page.
    const listener = (event: WheelEvent) => turn(event);
    element.addEventListener('wheel', listener, { passive: false });
    return () => element.removeEventListener('wheel', listener);
  }, [frame]);

  const release = (event: PointerEvent<HTMLElement>) => void fingers.current.delete(event.pointerId);

  return {
    view: chosen ?? fitting,
    /** Whether the whole picture is shown and follows the size of the frame. */
    fits: chosen === null,
    /** Whether the picture is larger than fitted, so that it can be moved. */
    moves: chosen !== null && chosen.scale > fitting.scale,
    fit: () => setChosen(null),
    // A chosen scale stays if the window changes, even if it is the scale that fits now.
    to: (scale: number) => setChosen(zoomTo(chosen ?? fitting, scale, centreOf(measured), picture, measured)),
    by: (factor: number) =>
      change((view) => zoomTo(view, view.scale * factor, centreOf(measured), picture, measured)),
    pan,
    /** For the element that shows the picture. */
    pointers: {
      onPointerDown(event: PointerEvent<HTMLElement>): void {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        fingers.current.set(event.pointerId, inFrame(event));
      },
      onPointerMove(event: PointerEvent<HTMLElement>): void {
        const before = fingers.current.get(event.pointerId);
        if (before === undefined) return;
        const after = inFrame(event);
        const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId);
        fingers.current.set(event.pointerId, after);
        if (other === undefined) pan({ x: after.x - before.x, y: after.y - before.y });
        else change((view) => pinchTo(view, [before, other[1]], [after, other[1]], picture, measured));
      },
      onPointerUp: release,
      onPointerCancel: release,
      onDoubleClick(event: { clientX: number; clientY: number }): void {
        if (chosen === null) to(Math.max(1, fitting.scale * 2), inFrame(event));
        else setChosen(null);
      },
    },
  };
}
