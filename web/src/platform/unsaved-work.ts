import { useEffect } from 'react';
import { createStore, type Readable, type Store } from './store.ts';

const work = createStore(0);
const places = createStore(0);

/** In how many places of this tab something has been typed that is not saved yet: what is counted for those who plan maintenance. */
export const unsavedWork: Readable<number> = work;

/** In how many places of this tab leaving would lose something, counted as work or not. */
export const guardedPlaces: Readable<number> = places;

/**
 * Says that something here is not saved yet. While it is so, the browser asks before the page is left, and a screen whose
 * right is taken away stays (RIGHT-6).
 */
export function useUnsavedWork(unsaved: boolean): void {
  useGuardedLeaving(unsaved);
  useEffect(() => (unsaved ? countIn(work) : undefined), [unsaved]);
}

/**
 * Guards the same, for the forms by which maintenance itself is operated: an operator who has half planned a window is none of
 * those for whose work it has to wait.
 */
export function useGuardedLeaving(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (leaving: BeforeUnloadEvent) => leaving.preventDefault();
    const out = countIn(places);
    window.addEventListener('beforeunload', ask);
    return () => {
      out();
      window.removeEventListener('beforeunload', ask);
    };
  }, [unsaved]);
}

function countIn(store: Store<number>): () => void {
  store.set(store.get() + 1);
  return () => store.set(store.get() - 1);
}
