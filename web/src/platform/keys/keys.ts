import { derive } from '../state/store.ts';
import { storedChoice } from '../state/stored-choice.ts';

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
