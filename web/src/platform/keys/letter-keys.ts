import { derive } from '../state/store.ts';
import { storedChoice } from '../state/stored-choice.ts';

const letters = storedChoice('portico.letters', ['on', 'off']);

/**
 * Whether single letters, digits and signs do something, as chosen in this browser. A person who speaks to
 * the computer needs to switch them off (WCAG 2.1.4).
 */
export const letterKeys = derive([letters], (value) => value === 'on');

export const setLetterKeys = (on: boolean): void => letters.set(on ? 'on' : 'off');
