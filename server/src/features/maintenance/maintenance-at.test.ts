import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maintenanceMode, severity } from '@portico/contract/maintenance';
import { maintenanceAt, type MaintenanceState } from './maintenance-at.ts';

const time = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
const state: fc.Arbitrary<MaintenanceState> = fc.record({
  mode: fc.constantFrom(...maintenanceMode.options),
  text: fc.string(),
  severity: fc.constantFrom(...severity.options),
  expectedEnd: fc.option(time),
  since: fc.option(time),
  changedAt: fc.option(time),
});

describe('maintenance at a moment', () => {
  it('MAINT-6: says in whole seconds when to try again: at the expected end, not before and not a second after', () => {
    fc.assert(
      fc.property(state, time, fc.integer({ min: 1, max: 10_000_000_000 }), (kept, now, ahead) => {
        const { retryAfter } = maintenanceAt({ ...kept, expectedEnd: now + ahead }, now);
        expect(Number.isInteger(retryAfter)).toBe(true);
        expect(retryAfter * 1000).toBeGreaterThanOrEqual(ahead);
        expect((retryAfter - 1) * 1000).toBeLessThan(ahead);
      }),
    );
  });

  it('MAINT-6: says a minute where the end is unknown or has passed', () => {
    fc.assert(
      fc.property(state, time, fc.nat(10_000_000_000), (kept, now, ago) => {
        expect(maintenanceAt({ ...kept, expectedEnd: null }, now).retryAfter).toBe(60);
        expect(maintenanceAt({ ...kept, expectedEnd: Math.max(0, now - ago) }, now).retryAfter).toBe(60);
      }),
    );
  });

  it('MAINT-1: knows neither beginning nor end while it is off, and changes nothing else', () => {
    fc.assert(
      fc.property(state, time, (kept, now) => {
        const { retryAfter: _seconds, ...seen } = maintenanceAt(Object.freeze(kept), now);
        expect(seen).toEqual(kept.mode === 'off' ? { ...kept, expectedEnd: null, since: null } : kept);
      }),
    );
  });
});
