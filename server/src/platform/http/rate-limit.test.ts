import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { movableClock } from '../../testing/movable-clock.ts';
import { HttpProblem } from './http-problem.ts';
import { createAddressLimit, createRateLimit, type RateLimit } from './rate-limit.ts';

/** Seconds to wait, or null where the call was taken. */
function take(limit: RateLimit, key = 'one'): number | null {
  try {
    limit.take(key);
    return null;
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.code !== 'TOO_MANY_REQUESTS') throw error;
    return error.details.retryAfter ?? 0;
  }
}

describe('a rate limit', () => {
  it('API-2: takes a burst at once, then as many as time gives back', () => {
    const clock = movableClock();
    const limit = createRateLimit({ burst: 3, perSecond: 2 }, clock, 1);
    expect([take(limit), take(limit), take(limit), take(limit)]).toEqual([null, null, null, 1]);
    clock.move(499);
    expect(take(limit)).toBe(1);
    clock.move(1);
    expect([take(limit), take(limit)]).toEqual([null, 1]);
    clock.move(60_000);
    expect([take(limit), take(limit), take(limit), take(limit)]).toEqual([null, null, null, 1]);
  });

  it('API-2: counts each key for itself', () => {
    const limit = createRateLimit({ burst: 1, perSecond: 1 }, movableClock(), 1);
    expect([take(limit, 'ada'), take(limit, 'bob'), take(limit, 'ada'), take(limit, 'bob')]).toEqual([
      null,
      null,
      1,
      1,
    ]);
  });

  it('API-2: is scaled as a whole, and lets one call through at the least', () => {
    const clock = movableClock();
    const wide = createRateLimit({ burst: 2, perSecond: 1 }, clock, 10);
    expect(Array.from({ length: 21 }, () => take(wide))).toEqual([
      ...Array.from({ length: 20 }, () => null),
      1,
    ]);
    const narrow = createRateLimit({ burst: 2, perSecond: 1 }, clock, 0.1);
    expect([take(narrow), take(narrow)]).toEqual([null, 10]);
    clock.move(10_000);
    expect(take(narrow)).toBeNull();
  });

  it('API-2: gives nothing back for a clock that goes backwards, and is not stuck after it', () => {
    const clock = movableClock();
    const limit = createRateLimit({ burst: 1, perSecond: 1 }, clock, 1);
    expect(take(limit)).toBeNull();
    clock.move(-3_600_000);
    expect(take(limit)).toBe(1);
    clock.move(1_000);
    expect(take(limit)).toBeNull();
  });

  it('API-2: never takes more than the burst and what time gave back, and its waits are long enough and no longer', () => {
    const limits = fc.record({
      burst: fc.integer({ min: 1, max: 20 }),
      perSecond: fc.double({ min: 0.05, max: 50, noNaN: true }),
    });
    const pauses = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(limits, pauses, (figures, waits) => {
        const clock = movableClock();
        const limit = createRateLimit(figures, clock, 1);
        const start = clock.now();
        let taken = 0;
        for (const wait of waits) {
          clock.move(wait);
          const retryAfter = take(limit);
          if (retryAfter === null) taken += 1;
          else {
            clock.move(retryAfter * 1000);
            if (take(limit) !== null) throw new Error(`still refused after ${retryAfter} s`);
            taken += 1;
          }
          const atMost = figures.burst + ((clock.now() - start) / 1000) * figures.perSecond;
          if (taken > atMost + 1e-6) throw new Error(`${taken} taken, at most ${atMost}`);
        }
      }),
    );
  });

  it('API-2: forgets the least used key first when there are too many', () => {
    const limit = createRateLimit({ burst: 1, perSecond: 0.001 }, movableClock(), 1);
    expect([take(limit, 'first'), take(limit, 'first')]).toEqual([null, 1000]);
    for (let other = 0; other < 50_000; other += 1) take(limit, `other-${other}`);
    expect(take(limit, 'first')).toBeNull();
  });
});

describe('a limit by address', () => {
  it('API-2: counts a /64 of IPv6 as one, with a limit for its /48 that has four times the room', () => {
    const limit = createAddressLimit({ burst: 2, perSecond: 1 }, movableClock(), 1);
    const from = (address: string) => take(limit, address);
    expect([from('2a00:1:2:3::1'), from('2a00:1:2:3::2'), from('2a00:1:2:3:ffff::3')]).toEqual([
      null,
      null,
      1,
    ]);
    expect([from('2a00:1:2:4::1'), from('2a00:1:2:4::1'), from('2a00:1:2:4::1')]).toEqual([null, null, 1]);
    expect([5, 6, 7].map((net) => from(`2a00:1:2:${net}::1`))).toEqual([null, null, null]);
    expect(from('2a00:1:2:8::1')).toBe(null);
    expect([limit.secondsUntil('2a00:1:2:9::1'), from('2a00:1:2:9::1'), limit.left('2a00:1:2:9::1')]).toEqual(
      [1, 1, 0],
    );
    expect(from('2a00:1:3::1')).toBe(null);
  });

  it('API-2: counts an IPv4 address alike in all its forms', () => {
    const limit = createAddressLimit({ burst: 2, perSecond: 1 }, movableClock(), 1);
    expect([
      take(limit, '192.0.2.1'),
      take(limit, '::ffff:192.0.2.1'),
      take(limit, '::ffff:c000:201'),
    ]).toEqual([null, null, 1]);
  });
});
