import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import {
  type Grip,
  type Point,
  type Rect,
  arrow,
  inPercent,
  leastDrag,
  stepInPicture,
  toPicture,
} from './geometry.ts';
import {
  type LayText,
  type Measures,
  drawnShape,
  endsOf,
  gripsOf,
  isPlaced,
  moved,
  resized,
} from './mark-shapes.ts';
import type { PictureEditor } from './picture-editor.ts';
import { displayedSize, MarkCanvas, PictureCanvas } from './picture-canvas.tsx';
import type { Base } from './read-picture.ts';
import {
  type Mark,
  type MarkKind,
  type Shape,
  type Work,
  countedMarks,
  regionOf,
  visibleMarks,
  withMark,
  withMarkAs,
} from './work.ts';

type MarkStageProps = {
  canvas: RefObject<HTMLCanvasElement | null>;
  editor: PictureEditor<Base>;
  work: Work<Base>;
  /** What a pointer draws where there is no mark. */
  drawing: MarkKind | null;
  selected: number | null;
  measures: () => Measures;
  lay: LayText;
  /** Called when the person wants to type the words of the selected text. */
  onWrite: () => void;
};

/** What a pointer is doing, in pixels of the picture. */
type Drag = {
  readonly pointer: number;
  readonly from: Point;
  /** Where the pointer went down on the screen: a press that hardly moves draws nothing. */
  readonly down: Point;
  /** The mark that the pointer moves or resizes. */
  readonly mark: Mark | null;
  /** The mark below the pointer, which is pressed if the pointer does not move. */
  readonly below: Mark | null;
  readonly grip: Grip | null;
  /** Where the pointer is; null as long as the pointer has hardly moved. */
  readonly to: Point | null;
};

/** CSS pixels that an arrow key moves a mark: alone, and with Ctrl. */
const keyStep = 8;
const fineStep = 1;

/** The picture with its marks, which are drawn, moved and resized by pointer and by keys. */
export function MarkStage(props: MarkStageProps) {
  const { t } = useTranslation();
  const { canvas, editor, work, drawing, selected, measures, lay, onWrite } = props;
  const [drag, setDrag] = useState<Drag | null>(null);
  const chosen = useRef<HTMLButtonElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const isDragging = drag !== null;
  const region = regionOf(work);
  const { width, height } = region;
  const picture = t('FEEDBACK.SCREENSHOT.PICTURE', { width, height });
  const shown = drag?.to == null ? work : dragged(drag, drag.to);
  const marks = visibleMarks(shown);

  // The selected mark gets the focus at once: the next key is meant for it.
  useLayoutEffect(() => {
    if (selected !== null) chosen.current?.focus({ preventScroll: true });
  }, [selected]);

  useEffect(() => {
    const element = frame.current;
    if (!isDragging || element === null) return undefined;
    // A finger that rests would open the browser's menu and end the press.
    const prevent = (event: Event) => event.preventDefault();
    element.addEventListener('contextmenu', prevent);
    return () => element.removeEventListener('contextmenu', prevent);
  }, [isDragging]);

  function placeOf(event: PointerEvent): Point {
    const box = canvas.current?.getBoundingClientRect();
    const point = { x: event.clientX - (box?.x ?? 0), y: event.clientY - (box?.y ?? 0) };
    return toPicture(point, displayedSize(canvas.current), region);
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
    const held = event.target.closest<HTMLElement>('[data-mark]')?.dataset['mark'];
    const below = work.marks.find(({ id }) => String(id) === held) ?? null;
    // While a tool is chosen, only the selected mark can be moved: a new mark may begin on any other.
    const mark = drawing === null || below?.id === selected ? below : null;
    const grip = event.target.closest<HTMLElement>('[data-grip]')?.dataset;
    const wasWriting = work.marks.some(({ id, kind }) => id === selected && kind === 'text');
    editor.select(mark?.id ?? null);
    // A press outside a text ends its editing, and adds no other text.
    if (below === null && (drawing === null || (drawing === 'text' && wasWriting))) return;
    // Prevents a selection of text and a drag; the focus is then set by hand.
    event.preventDefault();
    chosen.current?.focus({ preventScroll: true });
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({
      pointer: event.pointerId,
      from: placeOf(event),
      down: { x: event.clientX, y: event.clientY },
      mark,
      below,
      grip: grip === undefined ? null : gripOf(grip),
      to: null,
    });
  }

  /** Where the pointer is; null as long as it has hardly moved. */
  function reached({ down, to }: Drag, event: PointerEvent): Point | null {
    const far = Math.hypot(event.clientX - down.x, event.clientY - down.y) >= leastDrag;
    return to !== null || far ? placeOf(event) : null;
  }

  function onPointerMove(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.pointer) return;
    const to = reached(drag, event);
    if (to !== null) setDrag({ ...drag, to });
  }

  function onPointerUp(event: PointerEvent): void {
    if (drag === null || event.pointerId !== drag.pointer) return;
    setDrag(null);
    // Computed from where the pointer went up: the last move may not have been drawn yet.
    const to = reached(drag, event);
    const { mark, below, grip } = drag;
    // A grip is larger than its visible part: a press on a grip is meant for the picture below.
    const isBeside = to === null && grip !== null && drawing !== null && isPlaced(drawing);
    if (mark !== null && !isBeside) {
      if (to !== null) editor.changeMark(changed(drag, mark, to));
      else if (mark.kind === 'text') onWrite();
    } else if (drawing !== null) {
      const isPress = to === null && !isBeside && (!isPlaced(drawing) || below?.kind === drawing);
      if (isPress) editor.select(below?.id ?? null);
      else editor.addMark(shapeOf(drag, drawing, placeOf(event)));
    }
  }

  function shapeOf({ from }: Drag, kind: MarkKind, to: Point): Shape {
    return drawnShape(kind, from, to, region, measures());
  }

  function changed({ from, grip }: Drag, mark: Mark, to: Point): Mark {
    const by = { x: Math.round(to.x - from.x), y: Math.round(to.y - from.y) };
    return grip === null ? moved(mark, by, region) : resized(mark, grip, by, region, measures(), lay);
  }

  /** The work as it would be if the pointer went up at `to`. */
  function dragged(drag: Drag, to: Point): Work<Base> {
    if (drag.mark !== null) return withMarkAs(work, changed(drag, drag.mark, to));
    return drawing === null ? work : withMark(work, shapeOf(drag, drawing, to));
  }

  function onMarkKey(event: KeyboardEvent, mark: Mark): void {
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      editor.removeMark(mark.id);
      return;
    }
    if (event.key === 'Enter' && mark.kind === 'text') {
      event.preventDefault();
      onWrite();
      return;
    }
    const direction = arrow(event.key);
    if (direction === null || event.altKey || event.metaKey) return;
    event.preventDefault();
    const length = event.ctrlKey ? fineStep : keyStep;
    const by = stepInPicture(direction, length, displayedSize(canvas.current), region);
    if (!event.shiftKey) editor.changeMark(moved(mark, by, region), 'place');
    else {
      const corner = { x: direction.x === 0 ? 0 : 1, y: direction.y === 0 ? 0 : 1 } as const;
      const grip = mark.kind === 'arrow' ? mark.tip : corner;
      editor.changeMark(resized(mark, grip, by, region, measures(), lay), 'size');
    }
  }

  return (
    <div
      ref={frame}
      className="shot-frame"
      role="application"
      aria-label={picture}
      data-drawing={drawing !== null}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(null)}
    >
      <PictureCanvas canvas={canvas} base={work.base} region={region} label={picture} />
      <MarkCanvas base={work.base} region={region} marks={marks} />
      {countedMarks(marks).map(({ mark, number }) => (
        <MarkButton
          key={mark.id}
          button={mark.id === selected ? chosen : undefined}
          mark={mark}
          region={region}
          label={wordsOfMark(t, mark, number, region)}
          isSelected={mark.id === selected}
          onFocus={() => editor.select(mark.id)}
          onKeyDown={(event) => onMarkKey(event, mark)}
        />
      ))}
    </div>
  );
}

/** Describes a mark, with its number among its kind and its place in the displayed part of the picture. */
function wordsOfMark(t: TFunction, mark: Mark, number: number, region: Rect): string {
  const { x, y } = region;
  const key = `FEEDBACK.SCREENSHOT.AT.${mark.kind.toUpperCase()}`;
  if (mark.kind === 'arrow') {
    const { tail, tip } = endsOf(mark);
    return t(key, { number, x: tail.x - x, y: tail.y - y, tipX: tip.x - x, tipY: tip.y - y });
  }
  const { width, height } = mark;
  const text = mark.kind === 'text' ? mark.text : '';
  return t(key, { number, width, height, x: mark.x - x, y: mark.y - y, text });
}

function gripOf({ x, y }: DOMStringMap): Grip {
  const side = (text: string | undefined) => (text === '1' ? 1 : text === '-1' ? -1 : 0);
  return { x: side(x), y: side(y) };
}

type MarkButtonProps = {
  button: Ref<HTMLButtonElement> | undefined;
  mark: Mark;
  /** The part of the picture that is displayed. */
  region: Rect;
  label: string;
  isSelected: boolean;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** The button by which a mark is pressed and focused; the mark is drawn on the canvas below. */
function MarkButton({ button, mark, region, label, isSelected, ...on }: MarkButtonProps) {
  return (
    <button
      ref={button}
      type="button"
      className="shot-mark"
      aria-label={label}
      aria-pressed={isSelected}
      data-mark={mark.id}
      data-kind={mark.kind}
      style={mark.kind === 'arrow' ? alongArrow(mark, region) : placeOf(mark, region)}
      {...on}
    >
      {isSelected
        ? gripsOf(mark).map(({ x, y }, index) => (
            <span
              key={`${x} ${y}`}
              className="shot-grip"
              data-grip={index}
              data-x={x}
              data-y={y}
              data-end={mark.kind === 'arrow' ? (index === 0 ? 'tail' : 'tip') : undefined}
            />
          ))
        : null}
    </button>
  );
}

function placeOf(mark: Rect, region: Rect): CSSProperties {
  const { x, y, width, height } = inPercent(mark, region);
  return { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%` };
}

/** A band along the arrow, so that marks next to the arrow in its rectangle can be pressed. */
function alongArrow(mark: Mark & { kind: 'arrow' }, region: Rect): CSSProperties {
  const { tail, tip } = endsOf(mark);
  const { x, y } = inPercent({ ...tail, width: 0, height: 0 }, region);
  const length = Math.hypot(tip.x - tail.x, tip.y - tail.y);
  const turn = Math.atan2(tip.y - tail.y, tip.x - tail.x);
  return {
    left: `${x}%`,
    top: `${y}%`,
    width: `${(length / region.width) * 100}%`,
    transform: `rotate(${turn}rad)`,
  };
}
