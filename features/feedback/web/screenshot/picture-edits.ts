import type { Store } from '#web/platform/state/store.ts';
import type { NoCapture } from './capture-tab.ts';
import { atLeast, contain, outward, type Rect, type Size, whole } from './geometry.ts';
import { type History, record, redo, undo } from './history.ts';
import type { UnreadablePicture } from './read-picture.ts';
import {
  isBlankText,
  type Mark,
  type MarkKind,
  regionOf,
  type Shape,
  withCrop,
  withMark,
  withMarkAs,
  withoutMark,
  type Work,
} from './work.ts';

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
  /** The part that is selected while the crop is chosen, in pixels of the picture as it was taken. */
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

/**
 * The edits that a person makes to the picture.
 *
 * @param onHistory is called when the history has changed
 */
export function createPictureEdits<Base extends Size>(
  store: Store<EditorState<Base>>,
  onAction: (action: EditorAction) => void,
  onHistory: (history: History<Work<Base>>) => void,
) {
  const change = (part: Partial<EditorState<Base>>) => store.set({ ...store.get(), ...part });
  const present = () => store.get().history?.present ?? null;

  function go(history: History<Work<Base>>, part: Partial<EditorState<Base>> = {}): void {
    const { selected } = { ...store.get(), ...part };
    const there = history.present.marks.some(({ id }) => id === selected);
    change({ problem: null, ...part, history, selected: there ? selected : null });
    onHistory(history);
  }

  function work(
    next: (work: Work<Base>) => Work<Base>,
    part: Partial<EditorState<Base>> = {},
    stroke: string | null = null,
  ): void {
    const { history } = store.get();
    if (history !== null) go(record(history, next(history.present), stroke), part);
  }

  const textStroke = (id: number) => `text ${id}`;

  /** Removes the selected text if it has no words; adding and removing the text then makes no undo step. */
  function withoutBlank(history: History<Work<Base>>): History<Work<Base>> {
    const { selected } = store.get();
    const blank = history.present.marks.find((mark) => mark.id === selected && isBlankText(mark));
    if (blank === undefined) return history;
    const stroke = textStroke(blank.id);
    const isNew = history.past.at(-1)?.marks.every(({ id }) => id !== blank.id) === true;
    if (isNew && history.stroke === stroke) return { ...undo(history), future: [] };
    return record(history, withoutMark(history.present, blank.id), stroke);
  }

  function confirmCrop(): void {
    const { crop, history } = store.get();
    if (crop === null || history === null) return;
    const next = withCrop(history.present, crop);
    go(record(history, next), { crop: null, tool: null });
    if (next !== history.present) onAction('CROPPED');
  }

  function leaveCrop(): void {
    if (store.get().tool === 'crop') change({ crop: null, tool: null });
  }

  return {
    go,
    /** Chooses a tool, or ends the tool if it is chosen already. Applies a crop that is being chosen. */
    choose(tool: Tool): void {
      const before = store.get().tool;
      confirmCrop();
      const { history } = store.get();
      if (history === null) return;
      const chosen = before === tool ? null : tool;
      const next = withoutBlank(history);
      go(next, { tool: chosen, selected: null, crop: chosen === 'crop' ? regionOf(next.present) : null });
    },
    /** @param least the smallest crop in pixels of the picture, for the size at which it is displayed now */
    chooseCrop(crop: Rect, least: Size): void {
      const work = present();
      if (work === null || store.get().tool !== 'crop') return;
      change({ crop: atLeast(crop, least, whole(work.base)) });
    },
    confirmCrop,
    /** Ends the crop without applying it. */
    leaveCrop,
    addMark(shape: Shape): void {
      const before = present();
      if (before === null) return;
      const next = withMark(before, { ...shape, ...contain(outward(shape), regionOf(before)) });
      const id = next.marks.at(-1)?.id ?? null;
      // A new text and what is typed into it are one step.
      work(() => next, { selected: id }, shape.kind === 'text' && id !== null ? textStroke(id) : null);
    },
    /**
     * Places, resizes or rewords a mark.
     *
     * @param stroke names a change that goes on; see `record`
     */
    changeMark(mark: Mark, stroke?: string): void {
      work(
        (before) => withMarkAs(before, { ...mark, ...outward(mark) }),
        { selected: mark.id },
        stroke === undefined ? null : `${stroke} ${mark.id}`,
      );
    },
    removeMark: (id: number) => work((before) => withoutMark(before, id)),
    /** Selects a mark. A text that was selected before and has no words is removed. */
    select(id: number | null): void {
      const { history, selected } = store.get();
      if (history === null || id === selected) return;
      const next = withoutBlank(history);
      if (next === history) change({ selected: id });
      else go(next, { selected: id });
    },
    undo(): void {
      const { history, crop } = store.get();
      if (history === null) return;
      const before = undo(history);
      if (crop !== null) leaveCrop();
      else if (before === history) return;
      else go(before);
      onAction('UNDONE');
    },
    redo(): void {
      const { history } = store.get();
      if (history === null) return;
      const next = redo(history);
      if (next === history) return;
      leaveCrop();
      go(next);
      onAction('REDONE');
    },
  };
}
