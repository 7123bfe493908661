import { type Rect, type Size, smallestCrop } from './geometry.ts';
import type { EditorAction, PictureProblem } from './editor-state.ts';
import { endsOf } from './mark-shapes.ts';
import type { Mark, MarkKind } from './work.ts';

export type CropHandle = 'nw' | 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w';
export type Nudge = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'shorter' | 'taller';

/** All texts of the screenshot part. */
export type ScreenshotLabels = {
  /** The part as a whole. */
  screenshot: string;
  captureTab: string;
  chooseFile: string;
  takePhoto: string;
  /** Names the keys, as they are called on this computer. */
  pasteHint(keys: string): string;
  working: string;
  problems: Readonly<Record<PictureProblem, string>>;
  actions: Readonly<Record<EditorAction, string>>;
  tools: string;
  crop: string;
  kinds: Readonly<Record<MarkKind, string>>;
  undo: string;
  redo: string;
  remove: string;
  confirm: string;
  leaveCrop: string;
  hints: {
    readonly idle: string;
    /** In place of `idle`, where the picture is too small to be cropped. */
    readonly small: string;
    readonly crop: string;
    /** While a tool is chosen. */
    readonly draw: Readonly<Record<MarkKind, string>>;
    /** While a mark is selected. */
    readonly mark: Readonly<Record<MarkKind, string>>;
  };
  /** The picture, with its size in pixels. */
  picture(size: Size): string;
  size(size: Size): string;
  add: Readonly<Record<MarkKind, string>>;
  deleteMark: string;
  /** The field for the words of a text. */
  text: string;
  /** A mark, counted from 1 among its kind, in the part of the picture that is displayed. */
  mark(mark: Mark, number: number, region: Rect): string;
  cropArea: string;
  cropHandles: Readonly<Record<CropHandle, string>>;
  /** The buttons that move and resize by steps. */
  steps: string;
  nudges: Readonly<Record<Nudge, string>>;
};

/** Puts the labels together from the texts under `FEEDBACK.SCREENSHOT`. */
export function screenshotLabels(
  t: (key: string, values?: Record<string, string | number>) => string,
): ScreenshotLabels {
  const dimensions = ({ width, height }: Size) => ({ width, height });
  const ofKinds = (key: string): Record<MarkKind, string> => ({
    highlight: t(`FEEDBACK.SCREENSHOT.${key}.HIGHLIGHT`),
    arrow: t(`FEEDBACK.SCREENSHOT.${key}.ARROW`),
    text: t(`FEEDBACK.SCREENSHOT.${key}.TEXT`),
    number: t(`FEEDBACK.SCREENSHOT.${key}.NUMBER`),
    redaction: t(`FEEDBACK.SCREENSHOT.${key}.REDACTION`),
  });
  return {
    screenshot: t('FEEDBACK.SCREENSHOT.LABEL'),
    captureTab: t('FEEDBACK.SCREENSHOT.CAPTURE_TAB'),
    chooseFile: t('FEEDBACK.SCREENSHOT.CHOOSE_FILE'),
    takePhoto: t('FEEDBACK.SCREENSHOT.TAKE_PHOTO'),
    pasteHint: (keys) => t('FEEDBACK.SCREENSHOT.PASTE_HINT', { keys }),
    working: t('FEEDBACK.SCREENSHOT.WORKING'),
    problems: {
      REFUSED: t('FEEDBACK.SCREENSHOT.PROBLEMS.REFUSED'),
      FAILED: t('FEEDBACK.SCREENSHOT.PROBLEMS.FAILED'),
      ONE_COLOUR: t('FEEDBACK.SCREENSHOT.PROBLEMS.ONE_COLOUR'),
      TIMED_OUT: t('FEEDBACK.SCREENSHOT.PROBLEMS.TIMED_OUT'),
      NOT_A_PICTURE: t('FEEDBACK.SCREENSHOT.PROBLEMS.NOT_A_PICTURE'),
      TOO_HEAVY: t('FEEDBACK.SCREENSHOT.PROBLEMS.TOO_HEAVY'),
      TOO_LARGE: t('FEEDBACK.SCREENSHOT.PROBLEMS.TOO_LARGE'),
      DRAFT_LOST: t('FEEDBACK.SCREENSHOT.PROBLEMS.DRAFT_LOST'),
      NOT_DRAWN: t('FEEDBACK.SCREENSHOT.PROBLEMS.NOT_DRAWN'),
    },
    actions: {
      ADDED: t('FEEDBACK.SCREENSHOT.DEEDS.ADDED'),
      REPLACED: t('FEEDBACK.SCREENSHOT.DEEDS.REPLACED'),
      CROPPED: t('FEEDBACK.SCREENSHOT.DEEDS.CROPPED'),
      UNDONE: t('FEEDBACK.SCREENSHOT.DEEDS.UNDONE'),
      REDONE: t('FEEDBACK.SCREENSHOT.DEEDS.REDONE'),
      REMOVED: t('FEEDBACK.SCREENSHOT.DEEDS.REMOVED'),
    },
    tools: t('FEEDBACK.SCREENSHOT.TOOLS'),
    crop: t('FEEDBACK.SCREENSHOT.CROP'),
    kinds: ofKinds('KINDS'),
    undo: t('FEEDBACK.SCREENSHOT.UNDO'),
    redo: t('FEEDBACK.SCREENSHOT.REDO'),
    remove: t('FEEDBACK.SCREENSHOT.REMOVE'),
    confirm: t('FEEDBACK.SCREENSHOT.CONFIRM'),
    leaveCrop: t('FEEDBACK.SCREENSHOT.LEAVE_CROP'),
    hints: {
      idle: t('FEEDBACK.SCREENSHOT.HINTS.IDLE'),
      small: t('FEEDBACK.SCREENSHOT.HINTS.SMALL', { least: smallestCrop }),
      crop: t('FEEDBACK.SCREENSHOT.HINTS.CROP'),
      draw: ofKinds('HINTS.DRAW'),
      mark: ofKinds('HINTS.MARK'),
    },
    picture: (size) => t('FEEDBACK.SCREENSHOT.PICTURE', dimensions(size)),
    size: (size) => t('FEEDBACK.SCREENSHOT.SIZE', dimensions(size)),
    add: ofKinds('ADD'),
    deleteMark: t('FEEDBACK.SCREENSHOT.DELETE_MARK'),
    text: t('FEEDBACK.SCREENSHOT.TEXT'),
    mark(mark, number, region) {
      const { width, height } = mark;
      const place = { number, width, height, x: mark.x - region.x, y: mark.y - region.y };
      switch (mark.kind) {
        case 'highlight':
          return t('FEEDBACK.SCREENSHOT.AT.HIGHLIGHT', place);
        case 'redaction':
          return t('FEEDBACK.SCREENSHOT.AT.REDACTION', place);
        case 'number':
          return t('FEEDBACK.SCREENSHOT.AT.NUMBER', place);
        case 'text':
          return t('FEEDBACK.SCREENSHOT.AT.TEXT', { ...place, text: mark.text });
        case 'arrow': {
          const { tail, tip } = endsOf(mark);
          const [x, y, tipX, tipY] = [
            tail.x - region.x,
            tail.y - region.y,
            tip.x - region.x,
            tip.y - region.y,
          ];
          return t('FEEDBACK.SCREENSHOT.AT.ARROW', { number, x, y, tipX, tipY });
        }
      }
    },
    cropArea: t('FEEDBACK.SCREENSHOT.CROP_AREA'),
    cropHandles: {
      nw: t('FEEDBACK.SCREENSHOT.HANDLES.TOP_LEFT'),
      n: t('FEEDBACK.SCREENSHOT.HANDLES.TOP'),
      ne: t('FEEDBACK.SCREENSHOT.HANDLES.TOP_RIGHT'),
      e: t('FEEDBACK.SCREENSHOT.HANDLES.RIGHT'),
      se: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM_RIGHT'),
      s: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM'),
      sw: t('FEEDBACK.SCREENSHOT.HANDLES.BOTTOM_LEFT'),
      w: t('FEEDBACK.SCREENSHOT.HANDLES.LEFT'),
    },
    steps: t('FEEDBACK.SCREENSHOT.STEPS'),
    nudges: {
      left: t('FEEDBACK.SCREENSHOT.NUDGES.LEFT'),
      right: t('FEEDBACK.SCREENSHOT.NUDGES.RIGHT'),
      up: t('FEEDBACK.SCREENSHOT.NUDGES.UP'),
      down: t('FEEDBACK.SCREENSHOT.NUDGES.DOWN'),
      narrower: t('FEEDBACK.SCREENSHOT.NUDGES.NARROWER'),
      wider: t('FEEDBACK.SCREENSHOT.NUDGES.WIDER'),
      shorter: t('FEEDBACK.SCREENSHOT.NUDGES.SHORTER'),
      taller: t('FEEDBACK.SCREENSHOT.NUDGES.TALLER'),
    },
  };
}
