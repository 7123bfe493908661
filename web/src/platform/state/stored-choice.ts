import { createStore, type Store } from './store.ts';

/**
 * A choice among a few values that this browser stores; without storage the choice lasts as long as the page.
 *
 * @param name the key in the storage
 * @param values the possible values; the first is the default, also where something else is stored
 */
export function storedChoice<const T extends string>(
  name: string,
  values: readonly [T, ...(readonly T[])],
): Store<T> {
  const store = createStore<T>(stored(name, values));
  return {
    ...store,
    set(value) {
      store.set(value);
      try {
        localStorage.setItem(name, value);
      } catch {
        // Storage is switched off or full: the choice holds for this page.
      }
    },
  };
}

function stored<T extends string>(name: string, values: readonly [T, ...(readonly T[])]): T {
  try {
    const text = localStorage.getItem(name);
    return values.find((value) => value === text) ?? values[0];
  } catch {
    return values[0];
  }
}
