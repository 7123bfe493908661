import type { Clock } from '#web/platform/time/clock.ts';
import type { Picture } from '../picture.ts';
import type { Size } from './geometry.ts';
import type { History } from './history.ts';
import type { Work } from './work.ts';

/** How the picture that is edited goes into the draft. */
export type PublishingParts<Base extends Size> = {
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
 * @param history what is edited now
 * @param onFailure a change that was to be published after a rest could not be drawn
 */
export function createPublishing<Base extends Size>(
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

  /** Draws the present state and publishes it, unless it has changed meanwhile. */
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
    /** What was published or opened last. */
    last: () => published,
    /** The draft has this state already; drawing it again would only make another PNG of the same. */
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
