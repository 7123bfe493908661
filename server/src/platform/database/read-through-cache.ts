import { LRUCache } from 'lru-cache';

/** What was read about each key, cached until it is dropped; the least recently used goes first. */
export type ReadThroughCache<V> = {
  /** The value at once where it is cached, so that a hot path need not wait; null: there is none. */
  get(key: string): V | Promise<V | null>;
  drop(key: string): void;
  dropAll(): void;
};

/**
 * Caches up to `max` values. Concurrent calls for one key share one read. A read that is under way when its key is
 * dropped is still returned to its callers but never cached: it may have seen the state before the change.
 */
export function createReadThroughCache<V extends NonNullable<unknown>>(options: {
  max: number;
  read: (key: string) => Promise<V | null>;
  /** False for a value whose change is not published. */
  keeps?: (value: V) => boolean;
}): ReadThroughCache<V> {
  const { keeps = () => true } = options;
  // With the option `max` the cache would allocate the memory for all entries at once.
  const cached = new LRUCache<string, V>({ maxSize: options.max, sizeCalculation: () => 1 });
  const underWay = new Map<string, Promise<V | null>>();

  function read(key: string): Promise<V | null> {
    const reading = options
      .read(key)
      .then((value) => {
        if (value !== null && underWay.get(key) === reading && keeps(value)) cached.set(key, value);
        return value;
      })
      .finally(() => {
        if (underWay.get(key) === reading) underWay.delete(key);
      });
    underWay.set(key, reading);
    return reading;
  }

  return {
    get: (key) => cached.get(key) ?? underWay.get(key) ?? read(key),
    drop(key) {
      cached.delete(key);
      underWay.delete(key);
    },
    dropAll() {
      cached.clear();
      underWay.clear();
    },
  };
}
