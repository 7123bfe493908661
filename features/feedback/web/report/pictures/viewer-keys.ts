import type { KeyPress } from '#web/platform/keys/key-press.ts';

/** What a key does to the picture. Arrows move the view, not the picture. */
export type ViewerAction =
  | { do: 'in' | 'out' | 'fit' | 'full-size' | 'next' | 'previous' }
  | { do: 'pan'; x: -1 | 0 | 1; y: -1 | 0 | 1; far: boolean };

/** @returns null for keys of the browser, such as its own zoom, and for keys without a meaning here */
export function viewerAction({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey: far,
}: Omit<KeyPress, 'isComposing'>): ViewerAction | null {
  if (ctrlKey || metaKey || altKey) return null;
  switch (key) {
    case '+':
    case '=':
      return { do: 'in' };
    case '-':
    case '_':
      return { do: 'out' };
    case '0':
      return { do: 'fit' };
    case '1':
      return { do: 'full-size' };
    case 'PageDown':
      return { do: 'next' };
    case 'PageUp':
      return { do: 'previous' };
    case 'ArrowLeft':
      return { do: 'pan', x: 1, y: 0, far };
    case 'ArrowRight':
      return { do: 'pan', x: -1, y: 0, far };
    case 'ArrowUp':
      return { do: 'pan', x: 0, y: 1, far };
    case 'ArrowDown':
      return { do: 'pan', x: 0, y: -1, far };
    default:
      return null;
  }
}
