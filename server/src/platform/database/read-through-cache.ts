import { LRUCache } from 'lru-cache';

/** What was read about each key, cached until it is dropped; the least recently used goes first. */
export type ReadThroughCache<V> = {
  /** The value at once where it is cached, so that a hot path need not wait; null: there is none. */
  get(key: string): V | Promise<V | null>;
  drop(key: string): void;
  dropAll(): void;
};

/**
 * Keeps up to `max` values. Calls for the same key during it share one reading, and a reading that was under
 * way when its key was dropped is answered to those who wait but never cached: it may have seen the state
 * before the change.
 */
export function createReadThroughCache<V extends NonNullable<unknown>>(options: {
  max: number;
  read: (key: string) => Promise<V | null>;
  /** False for a value whose change is not published. */
  keeps?: (value: V) => boolean;
}): ReadThroughCache<V> {
  const { keeps = () => true } = options;
  // With `max` the room for all of them would be taken at once.
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
