import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Readable } from './store.ts';

/** The value of a store, live. */
export function useStore<T>(store: Readable<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}

/**
 * Returns a typed or chosen value once it has not changed for `afterMs`. Values are compared as JSON.
 *
 * @returns the last such value; `settled`: whether it is the current value
 */
export function useDebounced<T>(value: T, afterMs = 350): { value: T; settled: boolean } {
  const json = JSON.stringify(value);
  const [last, setLast] = useState({ json, value });
  useEffect(() => {
    const timer = setTimeout(() => setLast({ json, value: JSON.parse(json) as T }), afterMs);
    return () => clearTimeout(timer);
  }, [json, afterMs]);
  return { value: last.value, settled: last.json === json };
}
