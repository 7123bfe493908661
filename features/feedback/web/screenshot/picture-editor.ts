import { createStore, type Readable } from '#web/platform/state/store.ts';
import type { Clock } from '#web/platform/time/clock.ts';
import type { Picture } from '../picture.ts';
import type { NoCapture } from './capture-tab.ts';
import {
  type EditorAction,
  type EditorState,
  emptyEditorState,
  type PictureProblem,
  createPictureEdits,
} from './picture-edits.ts';
import type { Size } from './geometry.ts';
import { type History, begin, record } from './history.ts';
import type { UnreadablePicture } from './read-picture.ts';
import { type Work, untouched } from './work.ts';

type Surroundings<Base extends Size> = PublishingParts<Base> & {
  read(file: Blob): Promise<Base | UnreadablePicture>;
  /** `isPlain`: the picture has a single colour. */
  capture(): Promise<(Base & { readonly isPlain?: boolean }) | NoCapture>;
  /** The address of the page that is shown. */
  address(): string;
  onBusy(busy: boolean): void;
  onAction(action: EditorAction): void;
};

export type PictureEditor<Base extends Size> = ReturnType<typeof createPictureEditor<Base>>;

/**
 * The state of a picture that is edited. It is captured from the tab, read from a file or taken from the
 * draft; edits can be undone; the picture that is published and sent is rendered from it.
 */
export function createPictureEditor<Base extends Size>(surroundings: Surroundings<Base>) {
  const { read, capture, onPicture, onBusy, onAction, histories } = surroundings;
  const store = createStore<EditorState<Base>>(emptyEditorState);
  const change = (part: Partial<EditorState<Base>>) => store.set({ ...store.get(), ...part });
  const history = () => store.get().history;
  const notDrawn = () => change({ problem: 'NOT_DRAWN' });
  const publishing = createPublishing(surroundings, history, notDrawn);
  const { go, ...edits } = createPictureEdits(store, onAction, ({ present }) => {
    if (present !== publishing.last()) publishing.afterRest();
  });
  let onItsWay: Promise<void> = Promise.resolve();
  // The picture that was requested last wins.
  let asking = 0;

  /** @param onLoaded called with what was loaded, unless another picture was requested since */
  async function load<Loaded>(
    source: () => Promise<Loaded>,
    onLoaded: (loaded: Loaded) => Promise<void> | void,
  ): Promise<void> {
    asking += 1;
    const own = asking;
    change({ working: true, problem: null });
    onBusy(true);
    try {
      const loaded = await source();
      if (own === asking) await onLoaded(loaded);
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

  function take(
    source: () => Promise<(Base & { readonly isPlain?: boolean }) | PictureProblem | 'CANCELLED'>,
  ): Promise<void> {
    return load(
      () => source().catch(() => 'FAILED' as const),
      async (base) => {
        if (base === 'CANCELLED') return;
        if (typeof base === 'string') return change({ problem: base });
        const before = history();
        const fresh = untouched(base, surroundings.address());
        go(before === null ? begin(fresh) : record(before, fresh), {
          tool: null,
          crop: null,
          problem: base.isPlain === true ? 'ONE_COLOUR' : null,
        });
        onAction(before === null ? 'ADDED' : 'REPLACED');
        await publishing.now().catch(notDrawn);
      },
    );
  }

  function drop(): void {
    asking += 1;
    publishing.forget();
    if (store.get().working) onBusy(false);
    store.set(emptyEditorState);
  }

  function openDraft(picture: Picture): Promise<void> {
    drop();
    return load(
      () => read(picture.blob).catch(() => 'DRAFT_LOST' as const),
      (base) => {
        if (typeof base === 'string') {
          change({ problem: 'DRAFT_LOST' });
          onPicture(null);
          return;
        }
        const opened = begin(untouched(base, picture.address));
        publishing.opened(picture, opened);
        change({ history: opened });
      },
    );
  }

  return {
    ...edits,
    state: store as Readable<EditorState<Base>>,
    /** Opens the picture of the draft; a picture that was published here is opened with its history. */
    async open(picture: Picture | null): Promise<void> {
      const stored = picture === null ? undefined : histories.get(picture.blob);
      if (picture === null) {
        if (publishing.last() !== null) drop();
      } else if (stored === undefined) {
        await coming(openDraft(picture));
      } else if (history() === null && !store.get().working) {
        publishing.opened(picture, stored);
        change({ history: stored });
      }
    },
    takeTab: () => coming(take(capture)),
    takeFile: (file: Blob) => coming(take(() => read(file))),
    remove(): void {
      const had = history() !== null;
      drop();
      if (!had) return;
      onPicture(null);
      onAction('REMOVED');
    },
    /**
     * Applies a crop that was not confirmed and returns the picture to send (BUG-3). Rejects if it cannot be
     * drawn.
     */
    async settle(): Promise<Picture | null> {
      await onItsWay;
      edits.confirmCrop();
      try {
        return await publishing.now();
      } catch (error) {
        notDrawn();
        throw error;
      }
    },
    /** Publishes pending changes at once. */
    flush(): void {
      if ((history()?.present ?? null) !== publishing.last()) publishing.now().catch(() => undefined);
    },
  };
}

/** How the picture that is edited goes into the draft. */
type PublishingParts<Base extends Size> = {
  draw(work: Work<Base>): Promise<Picture>;
  onPicture(picture: Picture | null): void;
  /** The history of each picture that was published, so that a dialog opened again can still undo. */
  histories: WeakMap<Blob, History<Work<Base>>>;
  clock: Clock;
};

/** Milliseconds of rest after which a change goes into the draft. */
const restBeforeDraft = 400;

/**
 * Draws the picture that is edited and publishes it, each of its states once.
 *
 * @param history returns the history of the picture that is edited now
 * @param onFailure called if the drawing that starts after `restBeforeDraft` fails
 */
function createPublishing<Base extends Size>(
  { draw, onPicture, histories, clock }: PublishingParts<Base>,
  history: () => History<Work<Base>> | null,
  onFailure: () => void,
) {
  const drawn = new WeakMap<Work<Base>, Promise<Picture>>();
  let published: Work<Base> | null = null;
  let cancelRest = () => {};

  function pictureOf(work: Work<Base>): Promise<Picture> {
    const ready = drawn.get(work);
    if (ready !== undefined) return ready;
    const { address } = work;
    const picture = draw(work).then((made) => ({ ...made, address }));
    drawn.set(work, picture);
    picture.catch(() => drawn.delete(work));
    return picture;
  }

  /** Draws the present state and publishes it, unless it has changed since. */
  async function now(): Promise<Picture | null> {
    cancelRest();
    const work = history()?.present;
    if (work === undefined) return null;
    const picture = await pictureOf(work);
    const present = history();
    if (present?.present === work) {
      histories.set(picture.blob, present);
      if (published !== work) {
        published = work;
        onPicture(picture);
      }
    }
    return picture;
  }

  function afterRest(): void {
    cancelRest();
    cancelRest = clock.after(restBeforeDraft, () => {
      now().catch(onFailure);
    });
  }

  return {
    now,
    afterRest,
    /** The state that was published or opened last. */
    last: () => published,
    /** Marks a state as published: the draft has it already, and drawing it again would only repeat its PNG. */
    opened(picture: Picture, opened: History<Work<Base>>): void {
      published = opened.present;
      drawn.set(opened.present, Promise.resolve(picture));
      histories.set(picture.blob, opened);
    },
    forget(): void {
      cancelRest();
      published = null;
    },
  };
}
