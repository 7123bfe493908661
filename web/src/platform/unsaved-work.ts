import { useEffect } from 'react';
import { createStore, type Readable } from './store.ts';

const count = createStore(0);

/** In how many places of this tab something has been typed that is not saved yet. */
export const unsavedWork: Readable<number> = count;

/**
 * Says that something here is not saved yet. While it is so, the browser asks before the page is left, and a screen whose
 * right is taken away stays (RIGHT-6).
 */
export function useUnsavedWork(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return undefined;
    const ask = (leaving: BeforeUnloadEvent) => leaving.preventDefault();
    count.set(count.get() + 1);
    window.addEventListener('beforeunload', ask);
    return () => {
      count.set(count.get() - 1);
      window.removeEventListener('beforeunload', ask);
    };
  }, [unsaved]);
}
