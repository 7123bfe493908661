import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  arrow,
  type Grip,
  grow,
  inPercent,
  leastDrag,
  leastInPicture,
  move,
  outward,
  type Point,
  type Rect,
  resize,
  smallestMark,
  span,
  step,
  stepInPicture,
  toPicture,
} from './geometry.ts';
import type { ScreenshotLabels } from './labels.ts';
import type { PictureDesk } from './picture-desk.ts';
import { displayedSize, MarkShapes, PictureCanvas } from './picture-canvas.tsx';
import type { Base } from './read-picture.ts';
import { type Mark, type MarkKind, regionOf, visibleMarks, withMark, withMarkAt, type Work } from './work.ts';

type MarkStageProps = {
  labels: ScreenshotLabels;
  canvas: RefObject<HTMLCanvasElement | null>;
  desk: PictureDesk<Base>;
  work: Work<Base>;
  /** What a pointer draws where there is no mark. */
  drawing: MarkKind | null;
  selected: number | null;
};

/** What a pointer is doing, in pixels of the picture. */
type Drag = {
  readonly pointer: number;
  readonly from: Point;
  /** Where it went down on the screen: a press that hardly moves draws nothing. */
  readonly down: Point;
  readonly mark: Mark | null;
  readonly grip: Grip | null;
  /** The rectangle so far; null as long as it has hardly moved. */
  readonly rect: Rect | null;
};

const grips: readonly Grip[] = [
  { x: -1, y: -1 },
  { x: 1, y: -1 },
  { x: -1, y: 1 },
  { x: 1, y: 1 },
];
/** CSS pixels that an arrow key moves, and with Ctrl. */
const keyStep = 8;
const fineStep = 1;

/** The picture with its marks, which are drawn, moved and resized by pointer and by keys. */
export function MarkStage({ labels, canvas, desk, work, drawing, selected }: MarkStageProps) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const chosen = useRef<HTMLButtonElement>(null);
  const region = regionOf(work);
  const shown = dragged(work, drag, drawing);
  const marks = visibleMarks(shown);

  // At once: the next key is meant for it.
  useLayoutEffect(() => {
    if (selected !== null) chosen.current?.focus({ preventScroll: true });
  }, [selected]);

  function placeOf(event: PointerEvent): Point {
    const box = canvas.current?.getBoundingClientRect();
    const point = { x: event.clientX - (box?.x ?? 0), y: event.clientY - (box?.y ?? 0) };
    return toPicture(point, displayedSize(canvas.current), region);
  }

  function least() {
    return leastInPicture(smallestMark, displayedSize(canvas.current), region);
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
    const held = event.target.closest<HTMLElement>('[data-mark]')?.dataset['mark'];
    const mark = work.marks.find(({ id }) => String(id) === held) ?? null;
    const grip =
      grips[Number(event.target.closest<HTMLElement>('[data-grip]')?.dataset['grip'] ?? -1)] ?? null;
    desk.select(mark?.id ?? null);
    if (mark === null && drawing === null) return;
    // Prevents a selection of text and a drag; the focus is then set by hand.
    event.preventDefault();
    chosen.current?.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
    const down = { x: event.clientX, y: event.clientY };
    setDrag({ pointer: event.pointerId, from: placeOf(event), down, mark, grip, rect: null });
  }

  /** The rectangle if the pointer went up here; null as long as it has hardly moved. */
  function reached(drag: Drag, event: PointerEvent): Rect | null {
    const far = Math.hypot(event.clientX - drag.down.x, event.clientY - drag.down.y) >= leastDrag;
    return drag.rect !== null || far ? rectOf(drag, placeOf(event)) : null;
  }

  function onPointerMove(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.pointer) return;
    const rect = reached(drag, event);
    if (rect !== null) setDrag({ ...drag, rect });
  }

  function rectOf({ from, mark, grip }: Drag, to: Point): Rect {
    if (mark === null) return span(from, to, region);
    const by = { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) };
    return grip === null ? move(mark, by, region) : resize(mark, grip, by, region, least());
  }

  function onPointerUp(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.pointer) return;
    setDrag(null);
    // Computed from where it went up: the last move may not have been drawn yet.
    const rect = reached(drag, event);
    const { mark } = drag;
    if (rect === null) return;
    if (mark !== null) desk.placeMark(mark, rect);
    else if (drawing !== null) desk.addMark(drawing, grow(outward(rect), least(), region));
  }

  function onMarkKey(event: KeyboardEvent, mark: Mark): void {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      desk.removeMark(mark.id);
      return;
    }
    const direction = arrow(event.key);
    if (direction === null || event.altKey || event.metaKey) return;
    event.preventDefault();
    const length = event.ctrlKey ? fineStep : keyStep;
    const by = stepInPicture(direction, length, displayedSize(canvas.current), region);
    const grip = event.shiftKey
      ? ({ x: direction.x === 0 ? 0 : 1, y: direction.y === 0 ? 0 : 1 } as const)
      : null;
    desk.placeMark(mark, step(mark, { grip, by }, region, least()), event.shiftKey ? 'size' : 'place');
  }

  const counts = { highlight: 0, redaction: 0 };
  return (
    <div
      className="shot-frame"
      role="application"
      aria-label={labels.picture(region)}
      data-drawing={drawing !== null}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(null)}
    >
      <PictureCanvas canvas={canvas} base={work.base} region={region} label={labels.picture(region)} />
      <MarkShapes base={work.base} region={region} marks={marks} />
      {marks.map((mark) => {
        counts[mark.kind] += 1;
        const { x, y, width, height } = inPercent(mark, region);
        const inRegion = { ...mark, x: mark.x - region.x, y: mark.y - region.y };
        return (
          <button
            key={mark.id}
            ref={mark.id === selected ? chosen : undefined}
            type="button"
            className="shot-mark"
            aria-label={labels.mark(mark.kind, counts[mark.kind], inRegion)}
            aria-pressed={mark.id === selected}
            data-mark={mark.id}
            style={{ left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` }}
            onFocus={() => desk.select(mark.id)}
            onKeyDown={(event) => onMarkKey(event, mark)}
          >
            {mark.id !== selected
              ? null
              : grips.map((grip, index) => (
                  <span
                    key={`${grip.x} ${grip.y}`}
                    className="shot-grip"
                    data-grip={index}
                    data-x={grip.x}
                    data-y={grip.y}
                  />
                ))}
          </button>
        );
      })}
    </div>
  );
}

/** The work as it would be if the pointer went up now. */
function dragged(work: Work<Base>, drag: Drag | null, drawing: MarkKind | null): Work<Base> {
  if (drag === null || drag.rect === null) return work;
  if (drag.mark !== null) return withMarkAt(work, drag.mark.id, drag.rect);
  return drawing === null ? work : withMark(work, drawing, drag.rect);
}
