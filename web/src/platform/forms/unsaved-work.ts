import { useEffect, useEffectEvent } from 'react';
import { createStore, derive, type Readable } from '../state/store.ts';

/** What a place shows and does when a person leaves it. */
export type Leaving = {
  /** A sentence that says what would be lost; left out: the general sentence about typed text. */
  sentence?: string;
  /** Called when the person leaves and discards the work. */
  onDiscard?: () => void;
  /** Whether the place has its own entry in the browser's history, which "back" removes on the same screen. */
  ownEntry?: boolean;
  /**
   * Whether it counts as work that maintenance has to wait for; left out: yes. The forms that plan
   * maintenance do not: maintenance does not wait for the operator who plans it.
   */
  counted?: boolean;
};

type Place = { sentence(): string | undefined; discard(): void; ownEntry: boolean };

const work = createStore(0);
const places = createStore<readonly Place[]>([]);

/**
 * The number of places in this tab with unsaved work; operators who plan maintenance see this number.
 */
export const unsavedWork: Readable<number> = work;

const stored = createStore(0);

/** The number of places whose unsaved work is stored (`stored-work.ts`), so that it can outlive the tab. */
export const storedPlaces: Readable<number> = stored;

/** Counts a place whose typed text is stored. */
export function useStoredPlace(isStored: boolean): void {
  useEffect(() => {
    if (!isStored) return undefined;
    stored.set(stored.get() + 1);
    return () => stored.set(stored.get() - 1);
  }, [isStored]);
}

/** The number of places in this tab where leaving would lose something, whether `counted` or not. */
export const guardedPlaces: Readable<number> = derive([places], ({ length }) => length);

/** Whether "back" or "forward" would lose something while the screen stays. */
export function isLostByHistory(): boolean {
  return places.get().some(({ ownEntry }) => ownEntry);
}

/** Returns the sentences of all places about what leaving now would lose. */
export function sentencesOnLeaving(): string[] {
  return places
    .get()
    .map((place) => place.sentence())
    .filter((sentence) => sentence !== undefined);
}

/** Discards what is not saved, in every place: the person leaves. */
export function discardWork(): void {
  for (const place of places.get()) place.discard();
}

/**
 * Marks this place as having unsaved work. While it is marked, leaving asks first (`LeaveGuard` for another screen
 * and "back", the browser itself for another page), and the screen stays even if its right is withdrawn
 * (RIGHT-6).
 */
export function useUnsavedWork(unsaved: boolean, leaving: Leaving = {}): void {
  const sentence = useEffectEvent(() => leaving.sentence);
  const discard = useEffectEvent(() => leaving.onDiscard?.());
  const { ownEntry = false, counted = true } = leaving;
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const place: Place = { sentence: () => sentence(), discard: () => discard(), ownEntry };
    const count = counted ? 1 : 0;
    places.set([...places.get(), place]);
    work.set(work.get() + count);
    window.addEventListener('beforeunload', ask);
    return () => {
      places.set(places.get().filter((other) => other !== place));
      work.set(work.get() - count);
      window.removeEventListener('beforeunload', ask);
    };
  }, [unsaved, ownEntry, counted]);
}
