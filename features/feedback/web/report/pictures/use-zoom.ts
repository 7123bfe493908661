import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { centreOf, fitView, panBy, pinchTo, type Point, type Size, type View, zoomTo } from './zoom.ts';

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
