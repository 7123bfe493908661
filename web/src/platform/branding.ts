import type { Boot } from '#contract/boot.ts';
import { useSyncExternalStore } from 'react';
import { createStore } from './state/store.ts';

/** The name, mark and other branding of the installation. */
export type ShownBranding = Boot['branding'];

const shown = createStore<ShownBranding>({
  product: 'Portico',
  mark: null,
  panel: 'drawing',
  contact: null,
  statusUrl: null,
});

/** The branding that the page received last. */
export function currentBranding(): ShownBranding {
  return shown.get();
}

/** Replaces the branding on the whole page. */
export function showBranding(branding: ShownBranding): void {
  shown.set(branding);
}

/** The branding that the page received last, live. */
export function useBranding(): ShownBranding {
  // The maintenance page is also rendered without a browser.
  return useSyncExternalStore(shown.subscribe, shown.get, shown.get);
}
