import { describe, expect, it } from 'vitest';
import { afterTry, readRetryAfter } from './sender.ts';

const failed = { ok: false, status: 500, retryAfter: null };

describe('what follows a try', () => {
  it('MAINT-7: is a wait that grows and is spread, and an end after the eighth', () => {
    const waits = (random: number) =>
      Array.from({ length: 8 }, (_none, tries) => afterTry(failed, tries, 0, random).nextTryAt);
    expect(waits(0.5)).toEqual([5e3, 3e4, 12e4, 6e5, 36e5, 144e5, 432e5, null]);
    expect(waits(0).slice(0, 2)).toEqual([4e3, 24e3]);
    expect(waits(1).slice(0, 2)).toEqual([6e3, 36e3]);
    expect(afterTry(failed, 7, 0, 0.5).state).toBe('failed');
    expect(afterTry({ ...failed, status: 410 }, 0, 0, 0.5).state).toBe('failed');
    expect(afterTry({ ok: true, status: 204, retryAfter: 9 }, 3, 0, 0.5).state).toBe('delivered');
  });

  it('MAINT-7: is never sooner than the receiver asks, within twelve hours', () => {
    const next = (status: number, retryAfter: number | null) =>
      afterTry({ ok: false, status, retryAfter }, 0, 1_000, 0.5).nextTryAt;
    expect(next(429, 60_000)).toBe(61_000);
    expect(next(503, 60_000)).toBe(61_000);
    expect(next(503, 1_000)).toBe(6_000);
    expect(next(429, 1e12)).toBe(43_201_000);
    expect(next(500, 60_000)).toBe(6_000);
  });

  it('MAINT-7: reads both forms of Retry-After', () => {
    const now = Date.parse('2026-11-03T10:00:00Z');
    expect(readRetryAfter('120', now)).toBe(120_000);
    expect(readRetryAfter('Tue, 03 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
    expect(readRetryAfter('Tue, 03 Nov 2026 09:00:00 GMT', now)).toBe(0);
    for (const odd of [undefined, '', 'soon', '-1'])
      expect([odd, readRetryAfter(odd, now) ?? 0]).toEqual([odd, 0]);
  });
});
