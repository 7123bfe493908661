import type { KeyPress } from '../../platform/keys/keys.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys that open the palette on this computer. On Apple's systems Ctrl+K deletes a line in fields. */
export const paletteChord: { modifier: 'metaKey' | 'ctrlKey'; shown: string; aria: string } = isApple
  ? { modifier: 'metaKey', shown: '⌘ K', aria: 'Meta+K' }
  : { modifier: 'ctrlKey', shown: 'Ctrl K', aria: 'Control+K' };

/** What a key does on every screen. */
export type Shortcut =
  | { do: 'palette' | 'search' | 'help' | 'undo' | 'wait-for-letter' }
  /** The letter after `g`. It does nothing else, even if no screen has this letter. */
  | { do: 'go'; letter: string };

export type KeySituation = {
  /** The modifier that opens the palette together with K. */
  chord: 'ctrlKey' | 'metaKey';
  /** A field, a menu or a list of choices has the focus. */
  typing: boolean;
  /** Whether single letters and signs do something (WCAG 2.1.4). */
  letters: boolean;
  /** Whether `g` was pressed just before. */
  waiting: boolean;
};

/** Returns what the key does on every screen; null: nothing. */
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
