import { createSignal, createStore, derive } from '../state/store.ts';
import { storedChoice } from '../state/stored-choice.ts';
import { type ReactNode, useEffect, useEffectEvent } from 'react';

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

const letters = storedChoice('portico.letters', ['on', 'off']);

/**
 * Whether single letters, digits and signs do something, as chosen in this browser. A person who uses speech
 * input needs to switch them off (WCAG 2.1.4).
 */
export const letterKeys = derive([letters], (value) => value === 'on');

export const setLetterKeys = (on: boolean): void => letters.set(on ? 'on' : 'off');

/** The properties of a `keydown` event that the rules about keys read. */
export type KeyPress = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  isComposing: boolean;
};

const ownKeys = [
  'input:not([type=checkbox], [type=radio])',
  'textarea',
  'select',
  '[contenteditable]:not([contenteditable=false])',
  '[role=menu]',
  '[role=listbox]',
].join();

/** Whether an element handles letters itself: a field, a menu, a list of choices. */
export function takesLetters(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ownKeys) !== null;
}
