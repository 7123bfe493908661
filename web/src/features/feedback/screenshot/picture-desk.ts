import { createStore, type Readable } from '../../../platform/state/store.ts';
import type { Picture } from '../picture.ts';
import type { NoCapture } from './capture-tab.ts';
import { type Deed, type DeskState, emptyDesk, type PictureProblem } from './desk-state.ts';
import type { Size } from './geometry.ts';
import { begin, record } from './history.ts';
import { createPictureEdits, type PictureEdits } from './picture-edits.ts';
import { createPublishing, type PublishingParts } from './picture-publishing.ts';
import type { UnreadablePicture } from './read-picture.ts';
import { untouched } from './work.ts';

type Surroundings<Base extends Size> = PublishingParts<Base> & {
  read(file: Blob): Promise<Base | UnreadablePicture>;
  /** `isPlain`: it has one colour only. */
  capture(): Promise<(Base & { readonly isPlain?: boolean }) | NoCapture>;
  onBusy(busy: boolean): void;
  onDeed(deed: Deed): void;
};

export type PictureDesk<Base extends Size> = PictureEdits & {
  readonly state: Readable<DeskState<Base>>;
  /** Opens the picture of the draft; one that this desk has published has its history. */
  open(picture: Picture | null): Promise<void>;
  takeTab(): Promise<void>;
  takeFile(file: Blob): Promise<void>;
  remove(): void;
  /**
   * Applies a crop that was not confirmed and returns the picture to send (BUG-3). Rejects if it cannot be
   * drawn.
   */
  settle(): Promise<Picture | null>;
  /** Publishes pending changes at once. */
  flush(): void;
};

/**
 * Holds a picture while it is edited. It comes from the tab, a file or the draft; edits can be undone;
 * the picture that is published and sent is drawn from it.
 */
export function createPictureDesk<Base extends Size>(surroundings: Surroundings<Base>): PictureDesk<Base> {
  const { read, capture, onPicture, onBusy, onDeed, histories } = surroundings;
  const store = createStore<DeskState<Base>>(emptyDesk);
  const change = (part: Partial<DeskState<Base>>) => store.set({ ...store.get(), ...part });
  const history = () => store.get().history;
  const notDrawn = () => change({ problem: 'NOT_DRAWN' });
  const publishing = createPublishing(surroundings, history, notDrawn);
  const { go, ...edits } = createPictureEdits(store, onDeed, ({ present }) => {
    if (present !== publishing.last()) publishing.afterRest();
  });
  let onItsWay: Promise<void> = Promise.resolve();
  // The picture that was asked for last wins.
  let asking = 0;

  /** @param onLoaded called with what was loaded, unless another picture was asked for meanwhile */
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
        const fresh = untouched(base);
        go(before === null ? begin(fresh) : record(before, fresh), {
          tool: null,
          crop: null,
          problem: base.isPlain === true ? 'ONE_COLOUR' : null,
        });
        onDeed(before === null ? 'ADDED' : 'REPLACED');
        await publishing.now().catch(notDrawn);
      },
    );
  }

  function drop(): void {
    asking += 1;
    publishing.forget();
    if (store.get().working) onBusy(false);
    store.set(emptyDesk);
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
        const opened = begin(untouched(base));
        publishing.opened(picture, opened);
        change({ history: opened });
      },
    );
  }

  return {
    ...edits,
    state: store,
    async open(picture) {
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
    takeFile: (file) => coming(take(() => read(file))),
    remove() {
      const had = history() !== null;
      drop();
      if (!had) return;
      onPicture(null);
      onDeed('REMOVED');
    },
    async settle() {
      await onItsWay;
      edits.confirmCrop();
      try {
        return await publishing.now();
      } catch (error) {
        notDrawn();
        throw error;
      }
    },
    flush() {
      if ((history()?.present ?? null) !== publishing.last()) publishing.now().catch(() => undefined);
    },
  };
}
