import type { Clock } from '../../../platform/time/clock.ts';
import { createStore, type Readable } from '../../../platform/state/store.ts';
import type { Picture } from '../picture.ts';
import type { NoCapture } from './capture-tab.ts';
import { atLeast, contain, outward, type Rect, type Size, whole } from './geometry.ts';
import { begin, type History, record, redo, undo } from './history.ts';
import type { UnreadablePicture } from './read-picture.ts';
import {
  type Mark,
  type MarkKind,
  regionOf,
  untouched,
  withCrop,
  withMark,
  withMarkAt,
  withoutMark,
  type Work,
} from './work.ts';

export type Tool = 'crop' | MarkKind;

/** What went wrong; the labels have the words. */
export type PictureProblem = Exclude<NoCapture, 'CANCELLED'> | UnreadablePicture | 'DRAFT_LOST' | 'NOT_DRAWN';

export type DeskState<Base extends Size> = {
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
export type Deed = 'ADDED' | 'REPLACED' | 'CROPPED' | 'UNDONE' | 'REDONE' | 'REMOVED';

type Surroundings<Base extends Size> = {
  read(file: Blob): Promise<Base | UnreadablePicture>;
  capture(): Promise<Base | NoCapture>;
  draw(work: Work<Base>): Promise<Picture>;
  onPicture(picture: Picture | null): void;
  onBusy(busy: boolean): void;
  onDeed(deed: Deed): void;
  /** The history of each picture that was published, so that a dialog opened again can still undo. */
  histories: WeakMap<Blob, History<Work<Base>>>;
  clock: Clock;
};

export type PictureDesk<Base extends Size> = {
  readonly state: Readable<DeskState<Base>>;
  /** Opens the picture of the draft; one that this desk has published has its history. */
  open(picture: Picture | null): Promise<void>;
  takeTab(): Promise<void>;
  takeFile(file: Blob): Promise<void>;
  remove(): void;
  /** Chooses another tool; a crop that is being chosen is applied. The same tool again ends it. */
  choose(tool: Tool): void;
  /** @param least the smallest crop in pixels of the picture, for the size at which it is displayed now */
  chooseCrop(crop: Rect, least: Size): void;
  confirmCrop(): void;
  /** Ends the crop without applying it. */
  leaveCrop(): void;
  addMark(kind: MarkKind, rect: Rect): void;
  /** @param stroke names a change that goes on; see `record` */
  placeMark(mark: Mark, rect: Rect, stroke?: string): void;
  removeMark(id: number): void;
  select(id: number | null): void;
  undo(): void;
  redo(): void;
  /** Applies a crop that was not confirmed and returns the picture to send (BUG-3). Rejects if it cannot be drawn. */
  settle(): Promise<Picture | null>;
  /** Publishes pending changes at once. */
  flush(): void;
};

/** Milliseconds of rest after which a change goes into the draft. */
const restBeforeDraft = 400;

const empty = {
  history: null,
  tool: null,
  selected: null,
  crop: null,
  working: false,
  problem: null,
};

/**
 * Holds a picture while it is edited. It comes from the tab, a file or the draft; edits can be undone;
 * the picture that is published and sent is drawn from it.
 */
export function createPictureDesk<Base extends Size>({
  read,
  capture,
  draw,
  onPicture,
  onBusy,
  onDeed,
  histories,
  clock,
}: Surroundings<Base>): PictureDesk<Base> {
  const store = createStore<DeskState<Base>>(empty);
  const drawn = new WeakMap<Work<Base>, Promise<Picture>>();
  let published: Work<Base> | null = null;
  let cancelPublishing = () => {};
  let onItsWay: Promise<void> = Promise.resolve();
  // The picture that was asked for last wins.
  let asking = 0;

  const change = (part: Partial<DeskState<Base>>) => store.set({ ...store.get(), ...part });
  const present = () => store.get().history?.present ?? null;

  function pictureOf(work: Work<Base>): Promise<Picture> {
    const ready = drawn.get(work);
    if (ready !== undefined) return ready;
    const picture = draw(work);
    drawn.set(work, picture);
    picture.catch(() => drawn.delete(work));
    return picture;
  }

  /** Draws the present state and publishes it, unless it has changed meanwhile. */
  async function publish(): Promise<Picture | null> {
    cancelPublishing();
    const work = present();
    if (work === null) return null;
    const picture = await pictureOf(work);
    const { history } = store.get();
    if (history?.present === work) {
      histories.set(picture.blob, history);
      if (published !== work) {
        published = work;
        onPicture(picture);
      }
    }
    return picture;
  }

  function publishAfterRest(): void {
    cancelPublishing();
    cancelPublishing = clock.after(restBeforeDraft, () => {
      publish().catch(() => change({ problem: 'NOT_DRAWN' }));
    });
  }

  function go(history: History<Work<Base>>, part: Partial<DeskState<Base>> = {}): void {
    const { selected } = { ...store.get(), ...part };
    const there = history.present.marks.some(({ id }) => id === selected);
    change({ problem: null, ...part, history, selected: there ? selected : null });
    if (history.present !== published) publishAfterRest();
  }

  function work(
    next: (work: Work<Base>) => Work<Base>,
    part: Partial<DeskState<Base>> = {},
    stroke: string | null = null,
  ): void {
    const { history } = store.get();
    if (history !== null) go(record(history, next(history.present), stroke), part);
  }

  function confirmCrop(): void {
    const { crop, history } = store.get();
    if (crop === null || history === null) return;
    const next = withCrop(history.present, crop);
    go(record(history, next), { crop: null, tool: null });
    if (next !== history.present) onDeed('CROPPED');
  }

  function leaveCrop(): void {
    if (store.get().tool === 'crop') change({ crop: null, tool: null });
  }

  async function take(source: () => Promise<Base | PictureProblem | 'CANCELLED'>): Promise<void> {
    asking += 1;
    const own = asking;
    change({ working: true, problem: null });
    onBusy(true);
    try {
      const base = await source().catch(() => 'FAILED' as const);
      if (own !== asking) return;
      if (base === 'CANCELLED') return;
      if (typeof base === 'string') return change({ problem: base });
      const { history } = store.get();
      const fresh = untouched(base);
      go(history === null ? begin(fresh) : record(history, fresh), { tool: null, crop: null });
      onDeed(history === null ? 'ADDED' : 'REPLACED');
      await publish().catch(() => change({ problem: 'NOT_DRAWN' }));
    } finally {
      if (own === asking) {
        change({ working: false });
        onBusy(false);
      }
    }
  }

  function coming(work: Promise<void>): Promise<void> {
    onItsWay = work;
    return work;
  }

  function drop(): void {
    asking += 1;
    cancelPublishing();
    published = null;
    if (store.get().working) onBusy(false);
    store.set(empty);
  }

  async function openDraft(picture: Picture): Promise<void> {
    drop();
    const own = asking;
    change({ working: true });
    onBusy(true);
    try {
      const base = await read(picture.blob).catch(() => 'DRAFT_LOST' as const);
      if (own !== asking) return;
      if (typeof base === 'string') {
        change({ problem: 'DRAFT_LOST' });
        onPicture(null);
        return;
      }
      const history = begin(untouched(base));
      // The draft has this state already; drawing it again would only make another PNG of the same.
      published = history.present;
      drawn.set(history.present, Promise.resolve(picture));
      histories.set(picture.blob, history);
      change({ history });
    } finally {
      if (own === asking) {
        change({ working: false });
        onBusy(false);
      }
    }
  }

  return {
    state: store,
    async open(picture) {
      const stored = picture === null ? undefined : histories.get(picture.blob);
      if (picture === null) {
        if (published !== null) drop();
      } else if (stored === undefined) {
        await coming(openDraft(picture));
      } else if (store.get().history === null && !store.get().working) {
        published = stored.present;
        drawn.set(stored.present, Promise.resolve(picture));
        change({ history: stored });
      }
    },
    takeTab: () => coming(take(capture)),
    takeFile: (file) => coming(take(() => read(file))),
    remove() {
      const had = store.get().history !== null;
      drop();
      if (!had) return;
      onPicture(null);
      onDeed('REMOVED');
    },
    choose(tool) {
      const before = store.get().tool;
      confirmCrop();
      const work = present();
      if (work === null) return;
      const chosen = before === tool ? null : tool;
      change({ tool: chosen, selected: null, crop: chosen === 'crop' ? regionOf(work) : null });
    },
    chooseCrop(crop, least) {
      const work = present();
      if (work === null || store.get().tool !== 'crop') return;
      change({ crop: atLeast(crop, least, whole(work.base)) });
    },
    confirmCrop,
    leaveCrop,
    addMark(kind, rect) {
      const before = present();
      if (before === null) return;
      const next = withMark(before, kind, contain(outward(rect), regionOf(before)));
      work(() => next, { selected: next.marks.at(-1)?.id ?? null });
    },
    placeMark(mark, rect, stroke) {
      work(
        (before) => withMarkAt(before, mark.id, outward(rect)),
        { selected: mark.id },
        stroke === undefined ? null : `${stroke} ${mark.id}`,
      );
    },
    removeMark: (id) => work((before) => withoutMark(before, id)),
    select: (id) => change({ selected: id }),
    undo() {
      const { history, crop } = store.get();
      if (history === null) return;
      const before = undo(history);
      if (crop !== null) leaveCrop();
      else if (before === history) return;
      else go(before);
      onDeed('UNDONE');
    },
    redo() {
      const { history } = store.get();
      if (history === null) return;
      const next = redo(history);
      if (next === history) return;
      leaveCrop();
      go(next);
      onDeed('REDONE');
    },
    async settle() {
      await onItsWay;
      confirmCrop();
      try {
        return await publish();
      } catch (error) {
        change({ problem: 'NOT_DRAWN' });
        throw error;
      }
    },
    flush() {
      if (present() !== published) publish().catch(() => undefined);
    },
  };
}
