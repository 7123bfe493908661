import type { KeyPress } from '#web/platform/keys/keys.ts';

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
  return arrows[key] === undefined ? (actions[key] ?? null) : { do: 'pan', ...arrows[key], far };
}

const arrows: Readonly<Record<string, { x: -1 | 0 | 1; y: -1 | 0 | 1 }>> = {
  ArrowLeft: { x: 1, y: 0 },
  ArrowRight: { x: -1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

const actions: Readonly<Record<string, ViewerAction>> = {
  '+': { do: 'in' },
  '=': { do: 'in' },
  '-': { do: 'out' },
  _: { do: 'out' },
  '0': { do: 'fit' },
  '1': { do: 'full-size' },
  PageDown: { do: 'next' },
  PageUp: { do: 'previous' },
};
