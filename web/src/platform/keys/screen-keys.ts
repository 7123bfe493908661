import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { createSignal, createStore } from '../state/store.ts';

/** One line of the list of keys: the keys that do the same, and what they do. */
export type KeyRow = readonly [keys: readonly string[], does: ReactNode];

/** Keys under a heading. */
export type KeySection = { title: string; rows: readonly KeyRow[] };

type ScreenKeys = { title(): string; rows(): readonly KeyRow[]; isReady(): boolean };

/** The keys of those parts of the screen that have their own keys. */
export const screenKeys = createStore<readonly ScreenKeys[]>([]);

/** Asks for the list of all keys (`?`). */
export const keysAsked = createSignal();

/**
 * Adds the keys of a screen to the list of all keys, as long as the screen is there.
 *
 * @param ready whether its letter keys have something to act on now; the command palette then lists them first
 */
export function useScreenKeys(title: string, rows: () => readonly KeyRow[], ready: boolean): void {
  const readyNow = useEffectEvent(() => ready);
  const titleNow = useEffectEvent(() => title);
  const rowsNow = useEffectEvent(() => rows());
  useEffect(() => {
    const own: ScreenKeys = { title: () => titleNow(), rows: () => rowsNow(), isReady: () => readyNow() };
    screenKeys.set([...screenKeys.get(), own]);
    return () => screenKeys.set(screenKeys.get().filter((other) => other !== own));
  }, []);
}
