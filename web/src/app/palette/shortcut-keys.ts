import type { KeyPress } from '../../platform/keys/keys.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys of the palette on this computer. With Ctrl+K fields of Apple's systems delete a line. */
export const paletteChord: { modifier: 'metaKey' | 'ctrlKey'; shown: string; aria: string } = isApple
  ? { modifier: 'metaKey', shown: '⌘ K', aria: 'Meta+K' }
  : { modifier: 'ctrlKey', shown: 'Ctrl K', aria: 'Control+K' };

/** What a key does on every screen. */
export type Shortcut =
  | { do: 'palette' | 'search' | 'help' | 'undo' | 'wait-for-letter' }
  /** The letter after `g`. It does nothing else, also where no screen has it. */
  | { do: 'go'; letter: string };

export type KeySituation = {
  /** The modifier that opens the palette together with K. */
  chord: 'ctrlKey' | 'metaKey';
  /** A field, a menu or a list of choices has the focus. */
  typing: boolean;
  /** Whether single letters and signs do something (WCAG 2.1.4). */
  letters: boolean;
  /** `g` was the key before. */
  waiting: boolean;
};

/** Null: the key is not for the application as a whole. */
export function shortcutOf(
  press: KeyPress,
  { chord, typing, letters, waiting }: KeySituation,
): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (press.isComposing) return null;
  if (key.toLowerCase() === 'k' && press[chord] && !altKey && !shiftKey && ctrlKey !== metaKey)
    return { do: 'palette' };
  if (ctrlKey || metaKey || altKey || typing || !letters) return null;
  if (waiting && key !== 'Shift') return { do: 'go', letter: key.toLowerCase() };
  if (key === 'g') return { do: 'wait-for-letter' };
  if (key === '/') return { do: 'search' };
  if (key === '?') return { do: 'help' };
  if (key === 'z') return { do: 'undo' };
  return null;
}
