import { expect, it } from 'vitest';
import { z } from 'zod/mini';
import { flagKey } from './flags.ts';

it.each([
  ['NEW_SEARCH', true],
  ['new-search.v2:a|b', true],
  ['$holdout', true],
  ['__proto__x', true],
  ['__proto__', false],
  ['', false],
  ['$', false],
  ['a b', false],
  ['x'.repeat(101), false],
])('FLAG-3: whether %j is the key of a flag: %j', (key, expected) => {
  expect(z.safeParse(flagKey, key).success).toBe(expected);
});
