import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FlagRule, RampAction } from './flags.ts';
import { boundaries, rampAfter, ruleAt } from './schedules.ts';

const minute = 60_000;
const monday = Date.UTC(2026, 10, 30, 8);

/** Rules with a schedule, and for most a ramp; and two moments around it, the earlier first. */
const timed = fc
  .record({
    from: fc.integer({ min: -50, max: 50 }),
    lasts: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
    minutes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 19 }),
    paused: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    moments: fc.tuple(fc.integer({ min: -100, max: 300 }), fc.integer({ min: -100, max: 300 })),
    hasRamp: fc.boolean(),
  })
  .map(({ from, lasts, minutes, paused, moments, hasRamp }) => {
    const at = (minutesLater: number) => monday + minutesLater * minute;
    const lengths = [...minutes, undefined];
    const steps = lengths.map((length, place) => ({
      coverage: (place + 1) / lengths.length,
      ...(length === undefined ? {} : { minutes: length }),
    }));
    const until = lasts === undefined ? {} : { until: at(from + lasts) };
    const ramp = { steps, ...(paused === undefined ? {} : { paused: at(from + paused) }) };
    return {
      rule: {
        force: true,
        hashAttribute: 'id',
        schedule: { from: at(from), ...until, zone: 'Europe/Berlin' },
        ...(hasRamp ? { ramp } : {}),
      },
      expected(minutesLater: number) {
        if (minutesLater < from || (lasts !== undefined && minutesLater >= from + lasts)) return null;
        if (!hasRamp) return { force: true, hashAttribute: 'id' };
        let left = Math.min(minutesLater - from, paused ?? Infinity);
        let place = 0;
        for (const length of minutes) {
          if (left < length) break;
          left -= length;
          place += 1;
        }
        return { force: true, hashAttribute: 'id', coverage: (place + 1) / lengths.length };
      },
      moments: moments.toSorted((one, other) => one - other) as [number, number],
      at,
    };
  });

it('FLAG-15: a rule is at each moment what its schedule and the running step say, and shows nothing of the future', () => {
  fc.assert(
    fc.property(timed, ({ rule, expected, moments: [one], at }) => {
      expect(ruleAt(rule, at(one))).toEqual(expected(one));
    }),
  );
});

it('FLAG-15: the time of the last boundary is never after now and never goes back, and between boundaries nothing changes', () => {
  fc.assert(
    fc.property(timed, ({ rule, moments: [one, other], at }) => {
      const [before, after] = [boundaries([rule], at(one)), boundaries([rule], at(other))];
      expect(before.last).toBeLessThanOrEqual(at(one));
      expect(before.next).toBeGreaterThan(at(one));
      expect(after.last).toBeGreaterThanOrEqual(before.last);
      expect(ruleAt(rule, before.last)).toEqual(ruleAt(rule, at(one)));
      expect(ruleAt(rule, Math.min(before.next - 1, at(999)))).toEqual(ruleAt(rule, at(one)));
    }),
  );
});

it('FLAG-15: each boundary changes the rule, until there is none', () => {
  fc.assert(
    fc.property(timed, ({ rule, at }) => {
      for (
        let { next } = boundaries([rule], at(-101));
        next !== Infinity;
        next = boundaries([rule], next).next
      )
        expect(ruleAt(rule, next)).not.toEqual(ruleAt(rule, next - 1));
    }),
  );
});

it('FLAG-15: a pause freezes the step, resuming goes on with the rest of it, and an end begins the last step', () => {
  const after = (action: RampAction, from: FlagRule, now: number): FlagRule => ({
    ...from,
    ramp: rampAfter(from, action, now),
  });
  fc.assert(
    fc.property(timed, fc.nat(100), fc.nat(300), ({ rule: given, moments: [one], at }, waited, later) => {
      const rule: FlagRule = { ...given, schedule: { from: given.schedule.from, zone: 'UTC' } };
      fc.pre(rampAfter(rule, 'pause', at(one)) !== null);
      expect(ruleAt(after('end', rule, at(one)), at(one))).toMatchObject({ coverage: 1 });
      const paused = after('pause', rule, at(one));
      expect(ruleAt(paused, at(one + later))).toEqual(ruleAt(rule, at(one)));
      expect(rampAfter(paused, 'pause', at(one + later))).toBeNull();
      const resumed = after('resume', paused, at(one + waited));
      expect(ruleAt(resumed, at(one + waited + later))).toEqual(ruleAt(rule, at(one + later)));
    }),
  );
});
