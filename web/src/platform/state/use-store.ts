import { useSyncExternalStore } from 'react';
import type { Readable } from './store.ts';

/** The value of a store, live. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
