/** A value that can be read at any time and watched. `subscribe` returns a function that unsubscribes. */
export type Readable<T> = {
  get(): T;
  subscribe(listener: () => void): () => void;
};

export type Store<T> = Readable<T> & { set(value: T): void };

/** Holds a value. Setting an equal value (by `same`, default `Object.is`) calls no listener. */
export function createStore<T>(initial: T, same: (a: T, b: T) => boolean = Object.is): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (same(value, next)) return;
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      // A new function each time, so that a listener added twice is called twice and removed one at a time.
      const entry = () => listener();
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}

type Values<S extends readonly Readable<unknown>[]> = {
  [K in keyof S]: S[K] extends Readable<infer T> ? T : never;
};

/**
 * A value computed from others. It is computed again only when one of them has changed, and stays the same
 * object while the result is the same, so that it can be used with `useSyncExternalStore`.
 */
export function derive<const S extends readonly Readable<unknown>[], T>(
  sources: S,
  compute: (...values: Values<S>) => T,
  same: (a: T, b: T) => boolean = Object.is,
): Readable<T> {
  let seen: readonly unknown[] | undefined;
  let value: T;
  const get = (): T => {
    const now = sources.map((source) => source.get());
    const before = seen;
    if (before !== undefined && now.every((one, index) => Object.is(one, before[index]))) return value;
    const next = compute(...(now as Values<S>));
    if (before === undefined || !same(value, next)) value = next;
    seen = now;
    return value;
  };
  return {
    get,
    subscribe(listener) {
      let published = get();
      const check = () => {
        const next = get();
        if (Object.is(published, next)) return;
        published = next;
        listener();
      };
      const stops = sources.map((source) => source.subscribe(check));
      return () => stops.forEach((stop) => stop());
    },
  };
}

/** Calls `react` with the value now and after each change; returns a function that stops this. */
export function watch<T>(source: Readable<T>, react: (value: T) => void): () => void {
  let published = source.get();
  react(published);
  return source.subscribe(() => {
    const next = source.get();
    if (Object.is(published, next)) return;
    published = next;
    react(next);
  });
}

/** A listener list without a value. */
export type Signal<T = void> = { publish(what: T): void; subscribe(listener: (what: T) => void): () => void };

export function createSignal<T = void>(): Signal<T> {
  const listeners = new Set<(what: T) => void>();
  return {
    publish(what) {
      for (const listener of listeners) listener(what);
    },
    subscribe(listener) {
      const entry = (what: T) => listener(what);
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
  };
}
