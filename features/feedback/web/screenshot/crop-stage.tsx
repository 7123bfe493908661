import { useTranslation } from 'react-i18next';
import {
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { ReactCrop } from 'react-image-crop';
import 'react-image-crop/dist/ReactCrop.css';
import {
  arrow,
  fromPercent,
  type Grip,
  inPercent,
  leastDrag,
  leastInPicture,
  type Rect,
  sameRect,
  type Size,
  smallestCrop,
  step,
  stepInPicture,
  whole,
} from './geometry.ts';
import { displayedSize, MarkCanvas, PictureCanvas } from './picture-canvas.tsx';
import type { Base } from './read-picture.ts';
import type { Work } from './work.ts';

type CropStageProps = {
  canvas: RefObject<HTMLCanvasElement | null>;
  work: Work<Base>;
  /** Pixels of the picture as it was taken. */
  crop: Rect;
  onCrop: (crop: Rect, least: Size) => void;
};

/** A pointer went down outside the selected part, in CSS pixels. */
type Press = { readonly before: Rect; readonly x: number; readonly y: number };

/** CSS pixels that an arrow key moves: alone, with Shift, and with Ctrl. */
const keyStep = 4;
const largeStep = 32;
const fineStep = 1;

/** The whole picture with the selected part. */
export function CropStage({ canvas, work, crop, onCrop }: CropStageProps) {
  const { t } = useTranslation();
  const press = useRef<Press | null>(null);
  const { width, height } = work.base;
  const picture = t('FEEDBACK.SCREENSHOT.PICTURE', { width, height });
  const all = whole(work.base);
  const share = inPercent(crop, all);

  function least(): Size {
    return leastInPicture(smallestCrop, displayedSize(canvas.current), all);
  }
  function choose(next: Rect): void {
    onCrop(next, least());
  }

  // The size or zoom of the window may change while the part is chosen.
  const chooseAgain = useRef(() => {});
  useLayoutEffect(() => {
    chooseAgain.current = () => choose(crop);
  });
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const observer = new ResizeObserver(() => chooseAgain.current());
    observer.observe(canvas.current);
    return () => observer.disconnect();
  }, [canvas]);

  /** A press outside the part starts a new part; if the pointer hardly moves, the previous part stays. */
  function onPointerUp(event: PointerEvent): void {
    if (press.current === null) return;
    const { before, x, y } = press.current;
    if (Math.hypot(event.clientX - x, event.clientY - y) < leastDrag) choose(before);
  }

  // Replaces the library's handling, which moves both sides of a corner with each key.
  function onKeyDown(event: KeyboardEvent): void {
    const direction = arrow(event.key);
    if (direction === null || event.altKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    event.preventDefault();
    event.stopPropagation();
    const displayed = displayedSize(canvas.current);
    const length = event.ctrlKey ? fineStep : event.shiftKey ? largeStep : keyStep;
    const by = stepInPicture(direction, length, displayed, all);
    const grip = gripOf(event.target.dataset['ord']);
    choose(step(crop, { grip, by }, all, least()));
  }

  return (
    <div
      className="shot-crop"
      // If the whole picture is selected there is nothing to move: a pointer then draws a new part.
      data-whole={sameRect(crop, all)}
      role="application"
      aria-label={picture}
      onKeyDownCapture={onKeyDown}
      onPointerDownCapture={(event: ReactPointerEvent) => {
        press.current = isOnSelection(event.target)
          ? null
          : { before: crop, x: event.clientX, y: event.clientY };
      }}
    >
      <ReactCrop
        crop={{ ...share, unit: '%' }}
        minWidth={smallestCrop}
        minHeight={smallestCrop}
        ariaLabels={{
          cropArea: t('FEEDBACK.SCREENSHOT.CROP_AREA'),
          nwDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.TOP_LEFT'),
          nDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.TOP'),
          neDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.TOP_RIGHT'),
          eDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.RIGHT'),
          seDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM_RIGHT'),
          sDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM'),
          swDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM_LEFT'),
          wDragHandle: t('FEEDBACK.SCREENSHOT.HANDLES.LEFT'),
        }}
        onChange={(_pixels, percent) => choose(fromPercent(percent, all))}
        onDragEnd={onPointerUp}
      >
        <PictureCanvas canvas={canvas} base={work.base} region={all} label={picture} />
        <MarkCanvas base={work.base} region={all} marks={work.marks} />
      </ReactCrop>
    </div>
  );
}

/** Whether `target` is the selected part or one of its handles. */
function isOnSelection(target: EventTarget): boolean {
  return target instanceof Element && target.closest('.ReactCrop__crop-selection') !== null;
}

/** A side or corner as the library names it; null for the part as a whole. */
function gripOf(name: string | undefined): Grip | null {
  if (name === undefined) return null;
  const towards = (low: string, high: string) => (name.includes(low) ? -1 : name.includes(high) ? 1 : 0);
  return { x: towards('w', 'e'), y: towards('n', 's') };
}
