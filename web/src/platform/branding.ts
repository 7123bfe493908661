import type { Boot } from '@portico/contract/boot';
import { useSyncExternalStore } from 'react';
import { createStore } from './state/store.ts';

/** What the installation is called, and the address of its mark; null: Portico's own. */
export type ShownBranding = Boot['branding'];

const shown = createStore<ShownBranding>({ product: 'Portico', mark: null });

/** What the page has received last. */
export function currentBranding(): ShownBranding {
  return shown.get();
}

/** From now on the page calls itself so, everywhere. */
export function showBranding(branding: ShownBranding): void {
  shown.set(branding);
}

/** Name and mark, live. */
export function useBranding(): ShownBranding {
  // The maintenance page is also rendered where there is no browser.
  return useSyncExternalStore(shown.subscribe, shown.get, shown.get);
}
