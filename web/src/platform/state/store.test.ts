import { describe, expect, it } from 'vitest';
import { createStore, derive, watch } from './store.ts';

describe('a store', () => {
  it('calls listeners on changes only, and not after they have stopped', () => {
    const store = createStore(1);
    const seen: number[] = [];
    const stop = store.subscribe(() => seen.push(store.get()));
    store.set(1);
    store.set(2);
    stop();
    store.set(3);
    expect(seen).toEqual([2]);
  });

  it('calls a listener that was added twice twice, and stops one of them at a time', () => {
    const store = createStore(1);
    let seen = 0;
    const listener = () => void (seen += 1);
    const stop = store.subscribe(listener);
    store.subscribe(listener);
    store.set(2);
    stop();
    store.set(3);
    expect(seen).toBe(3);
  });
});

describe('a derived value', () => {
  it('keeps its identity while what it comes from is the same, and while the result counts as the same', () => {
    const source = createStore({ list: ['a'] });
    const length = derive(
      [source],
      ({ list }) => ({ of: list.length }),
      (a, b) => a.of === b.of,
    );
    const first = length.get();
    expect(length.get()).toBe(first);
    source.set({ list: ['b'] });
    expect(length.get()).toBe(first);
    source.set({ list: ['b', 'c'] });
    expect(length.get()).toEqual({ of: 2 });
  });

  it('calls listeners only when its result has changed, whichever source moved', () => {
    const a = createStore(1);
    const b = createStore(1);
    const sum = derive([a, b], (x, y) => x + y);
    const seen: number[] = [];
    const stop = sum.subscribe(() => seen.push(sum.get()));
    a.set(2);
    b.set(0);
    a.set(3);
    stop();
    a.set(9);
    expect(seen).toEqual([3, 2, 3]);
  });

  it('is computed when one of its sources has changed, and not again', () => {
    const source = createStore<number | undefined>(undefined);
    let computed = 0;
    const count = derive([source], (value) => {
      computed += 1;
      return value ?? 'nothing';
    });
    expect([count.get(), count.get(), computed]).toEqual(['nothing', 'nothing', 1]);
    source.set(2);
    expect([count.get(), count.get(), computed]).toEqual([2, 2, 2]);
  });

  it('calls no listener when a source has changed and its result has not', () => {
    const source = createStore(1);
    let seen = 0;
    derive([source], (value) => value > 0).subscribe(() => (seen += 1));
    source.set(2);
    expect(seen).toBe(0);
    source.set(-1);
    expect(seen).toBe(1);
  });

  it('is watched from what it is now', () => {
    const source = createStore(1);
    const seen: number[] = [];
    watch(
      derive([source], (value) => value * 10),
      (value) => seen.push(value),
    );
    source.set(2);
    expect(seen).toEqual([10, 20]);
  });
});

it('a value that a listener replaces at once reaches who watches it once', () => {
  const source = createStore(0);
  source.subscribe(() => {
    if (source.get() === 1) source.set(2);
  });
  const seen: number[] = [];
  watch(source, (value) => seen.push(value));
  source.set(1);
  expect(seen).toEqual([0, 2]);
});
