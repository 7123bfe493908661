import { describe, expect, it } from 'vitest';
import { nextLook } from './webhooks-queries.ts';

describe('the log of a webhook', () => {
  it('MAINT-7: is asked again when something may have come of what waits', () => {
    const look = (...nextTryAt: (number | null)[]) =>
      nextLook(
        nextTryAt.map((at) => ({ nextTryAt: at })),
        100_000,
      );
    expect(look()).toBe(15_000);
    expect(look(null, null)).toBe(15_000);
    expect(look(null, 105_000)).toBe(5_000);
    expect(look(3_700_000, 105_000)).toBe(5_000);
    expect(look(3_700_000)).toBe(15_000);
    expect(look(90_000)).toBe(1_000);
  });
});
