import type { NoCapture } from './capture-tab.ts';
import type { Rect, Size } from './geometry.ts';
import type { History } from './history.ts';
import type { UnreadablePicture } from './read-picture.ts';
import type { MarkKind, Work } from './work.ts';

export type Tool = 'crop' | MarkKind;

/** What went wrong; the labels have the words. */
export type PictureProblem =
  | Exclude<NoCapture, 'CANCELLED'>
  | UnreadablePicture
  | 'DRAFT_LOST'
  | 'NOT_DRAWN'
  /** The picture is there, and may not show what the person sees. */
  | 'ONE_COLOUR';

export type EditorState<Base extends Size> = {
  /** Null where there is no picture. */
  readonly history: History<Work<Base>> | null;
  readonly tool: Tool | null;
  /** The mark that keys and buttons act on. */
  readonly selected: number | null;
  /** The part to select, while the crop is chosen: pixels of the picture as it was taken. */
  readonly crop: Rect | null;
  /** A picture is being loaded or captured. */
  readonly working: boolean;
  readonly problem: PictureProblem | null;
};

/** An action, announced for people who do not see it. */
export type EditorAction = 'ADDED' | 'REPLACED' | 'CROPPED' | 'UNDONE' | 'REDONE' | 'REMOVED';

export const emptyEditorState = {
  history: null,
  tool: null,
  selected: null,
  crop: null,
  working: false,
  problem: null,
};
