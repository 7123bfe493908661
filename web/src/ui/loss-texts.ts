import { createContext } from 'react';

/**
 * What closing a dialog would lose: what was typed, or a secret that is shown this once and was not copied.
 */
export type Loss = 'typed' | 'secret';

/** The question of a dialog before something is lost, and the two answers. */
export type LossTexts = (loss: Loss, part: 'question' | 'stay' | 'leave') => string;

/** In a file of its own, so that a page can provide the texts without the dialog that shows them. */
export const LossTextsContext = createContext<LossTexts | null>(null);
