import { expect, it, vi } from 'vitest';
import { createReadThroughCache } from './read-through-cache.ts';

it('RIGHT-3: answers at once what it has read, until that is dropped', async () => {
  const read = vi.fn<(key: string) => Promise<{ key: string }>>((key) => Promise.resolve({ key }));
  const cache = createReadThroughCache({ max: 10, read });
  const first = cache.get('a');
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toEqual({ key: 'a' });
  expect(cache.get('a')).toEqual({ key: 'a' });
  cache.drop('a');
  expect(cache.get('a')).toBeInstanceOf(Promise);
  cache.dropAll();
  await cache.get('a');
  expect(read).toHaveBeenCalledTimes(3);
});

it('RIGHT-3: calls at once share one reading', async () => {
  const read = vi.fn<(key: string) => Promise<{ key: string }>>((key) => Promise.resolve({ key }));
  const cache = createReadThroughCache({ max: 10, read });
  await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')]);
  expect(read.mock.calls).toEqual([['a'], ['b']]);
});

it('RIGHT-3: what was being read when it changed is not cached', async () => {
  const readings = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  let next = 0;
  const cache = createReadThroughCache({
    max: 10,
    read: () => readings[next++]?.promise ?? Promise.resolve(null),
  });
  const before = cache.get('a');
  cache.drop('a');
  const after = cache.get('a');
  readings[1]?.resolve('new');
  readings[0]?.resolve('old');
  expect(await before).toBe('old');
  expect(await after).toBe('new');
  expect(cache.get('a')).toBe('new');
});

it('RIGHT-3: nothing, failures and what is never published are read again', async () => {
  const answers = [
    () => Promise.resolve(null),
    () => Promise.reject(new Error('gone')),
    () => Promise.resolve('brief'),
  ];
  let next = 0;
  const cache = createReadThroughCache<string>({
    max: 10,
    read: () => answers[next++]?.() ?? Promise.resolve('kept'),
    keeps: (value) => value !== 'brief',
  });
  expect(await cache.get('a')).toBeNull();
  await expect(cache.get('a')).rejects.toThrow('gone');
  expect(await cache.get('a')).toBe('brief');
  expect(await cache.get('a')).toBe('kept');
  expect(cache.get('a')).toBe('kept');
});

it('RIGHT-3: keeps no more than its bound', async () => {
  const cache = createReadThroughCache({ max: 2, read: (key) => Promise.resolve(key) });
  for (const key of ['a', 'b', 'c']) await cache.get(key);
  expect(cache.get('a')).toBeInstanceOf(Promise);
  expect(cache.get('c')).toBe('c');
});
