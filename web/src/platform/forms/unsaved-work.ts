import { useEffect, useEffectEvent } from 'react';
import { createStore, derive, type Readable } from '../state/store.ts';

/** What a place shows and does when a person leaves it. */
export type Leaving = {
  /** What would be lost, as a sentence; left out: what is typed. */
  sentence?: string;
  /** The person leaves and gives it up. */
  onDiscard?: () => void;
  /** It has an entry of its own in the browser's history, which "back" takes away on the same screen. */
  ownEntry?: boolean;
  /**
   * Whether it counts as work that maintenance has to wait for; left out: yes. The forms by which maintenance itself is operated do
   * not: an operator who has half planned a window is none of those for whom it waits.
   */
  counted?: boolean;
};

type Place = { sentence(): string | undefined; discard(): void; ownEntry: boolean };

const work = createStore(0);
const places = createStore<readonly Place[]>([]);

/** In how many places of this tab something has been typed that is not saved yet: what is counted for those who plan maintenance. */
export const unsavedWork: Readable<number> = work;

const stored = createStore(0);

/** How many of these have stored what is typed (`stored-work.ts`), so that it can outlive the tab. */
export const storedPlaces: Readable<number> = stored;

/** Counts a place in which what is typed is stored. */
export function useStoredPlace(isStored: boolean): void {
  useEffect(() => {
    if (!isStored) return undefined;
    stored.set(stored.get() + 1);
    return () => stored.set(stored.get() - 1);
  }, [isStored]);
}

/** In how many places of this tab leaving would lose something, counted as work or not. */
export const guardedPlaces: Readable<number> = derive([places], ({ length }) => length);

/** Whether "back" or "forward" would lose something though the screen stays. */
export function isLostByHistory(): boolean {
  return places.get().some(({ ownEntry }) => ownEntry);
}

/** What would be lost by leaving now, in the sentences of the places that have one. */
export function sentencesOnLeaving(): string[] {
  return places
    .get()
    .map((place) => place.sentence())
    .filter((sentence) => sentence !== undefined);
}

/** The person leaves and gives up what is not saved, in every place. */
export function discardWork(): void {
  for (const place of places.get()) place.discard();
}

/**
 * Marks that something here is not saved yet. While it is so, leaving asks first (`LeaveGuard` for another screen and "back", the
 * browser itself for another page), and a screen whose right is taken away stays (RIGHT-6).
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
