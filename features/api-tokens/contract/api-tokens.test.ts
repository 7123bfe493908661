import { describe, expect, it } from 'vitest';
import { endsSoon, weekMs } from './api-tokens.ts';

describe('CON-2: a token that ends soon', () => {
  const now = 1_800_000_000_000;
  it.each([
    ['within a week', -weekMs, weekMs, true],
    ['later', -weekMs, weekMs + 1, false],
    ['already', -2 * weekMs, 0, false],
    ['made for less than two weeks', -weekMs + 1, weekMs, false],
  ])('%s', (_when, created, ends, soon) => {
    expect(endsSoon({ createdAt: now + created, expiresAt: now + ends }, now)).toBe(soon);
  });
});
