import { createContext } from 'react';

/**
 * What closing a dialog would lose: what was typed, or a secret that is shown this once and was not copied.
 */
export type Loss = 'typed' | 'secret';

/** Words of controls that are the same on every screen; the page provides them once. */
export type UsualWords = {
  /** The label of a button that closes. */
  close: string;
  /** How a required field is marked: `(required)`. */
  required: string;
  /** Announced once a text is in the clipboard, and where it could not be put there. */
  copied: string;
  copyFailed: string;
  /** The question of a dialog before something is lost, and the two answers. */
  loss: (loss: Loss, part: 'question' | 'stay' | 'leave') => string;
};

/** In a file of its own, so that a page can provide the words without the controls that show them. */
export const UsualWordsContext = createContext<UsualWords | null>(null);
