import { createContext } from 'react';

/**
 * What closing a dialog would lose: typed text, or a secret that is shown only once and was not copied.
 */
export type Loss = 'typed' | 'secret';

/** Words of controls that are the same on every screen; the page provides them once. */
export type UsualWords = {
  /** The label of a button that closes. */
  close: string;
  /** How a required field is marked: `(required)`. */
  required: string;
  /** Announced when a text was copied to the clipboard; `copyFailed` when it could not be copied. */
  copied: string;
  copyFailed: string;
  /** The question of a dialog before something is lost, and the two answers. */
  loss: (loss: Loss, part: 'question' | 'stay' | 'leave') => string;
};

/** In a file of its own, so that a page can provide the words without the controls that show them. */
export const UsualWordsContext = createContext<UsualWords | null>(null);
