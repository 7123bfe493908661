import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { windowAt } from '../../testing/window.ts';
import { currentWindow, leadBeginsAt, notifiedFrom, overlaps, phaseAt, whatPeopleSee } from './phase-at.ts';

const minute = 60_000;
const start = Date.parse('2027-03-27T21:00Z');

const window = (change: Partial<MaintenanceWindow> = {}) => windowAt(start, change);

describe('MAINT-5 MAINT-7: the phase on the screen', () => {
  it.each([
    ['scheduled', -15 * minute - 1],
    ['imminent', -15 * minute],
    ['imminent', -1],
    ['active', 0],
    ['active', 60 * minute - 1],
    ['ended', 60 * minute],
  ] as const)('MAINT-5: is %s %i ms from the start', (phase, after) => {
    expect(phaseAt(window(), start + after)).toBe(phase);
  });

  it('MAINT-5: a window that waits for an operator becomes overdue; an announcement ends all the same', () => {
    const late = start + 60 * minute;
    expect(phaseAt(window({ endsByItself: false }), late)).toBe('overdue');
    expect(phaseAt(window({ endsByItself: false, mode: 'announce' }), late)).toBe('ended');
  });

  it('MAINT-5: what is over stays over, whatever the clock shows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), (after) => {
        expect(phaseAt(window({ phase: 'cancelled', overAt: start - 5 }), start + after)).toBe('cancelled');
      }),
    );
  });

  it('MAINT-5: phases come in their order as time goes on', () => {
    const order = ['scheduled', 'imminent', 'active', 'overdue', 'ended'];
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.nat(10_080),
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.nat(1e9),
        (endsByItself, leadMinutes, at, later) => {
          const one = window({ endsByItself, leadMinutes });
          const first = order.indexOf(phaseAt(one, start + at));
          expect(order.indexOf(phaseAt(one, start + at + later))).toBeGreaterThanOrEqual(first);
        },
      ),
    );
  });

  it('MAINT-7: what is in force comes before what comes next, and what is over counts no more', () => {
    const over = window({ id: 'over', phase: 'ended', overAt: start });
    const overdue = window({ id: 'overdue', endsByItself: false });
    const next = window({ id: 'next', startsAt: start + 70 * minute, endsAt: start + 90 * minute });
    const far = window({ id: 'far', startsAt: start + 900 * minute, endsAt: start + 960 * minute });
    expect(currentWindow([far, next, overdue, over], start + 65 * minute)?.id).toBe('overdue');
    expect(currentWindow([far, next, over], start)?.id).toBe('next');
    expect(currentWindow([over], start)).toBeNull();
  });

  it('MAINT-5: a lead time counts back from the start; windows that touch do not overlap', () => {
    expect(leadBeginsAt({ startsAt: start, leadMinutes: 15 })).toBe(start - 15 * minute);
    expect(overlaps({ startsAt: 0, endsAt: 5 }, { startsAt: 5, endsAt: 9 })).toBe(false);
    expect(overlaps({ startsAt: 0, endsAt: 6 }, { startsAt: 5, endsAt: 9 })).toBe(true);
  });
});

const day = 1_440 * minute;

it('MAINT-7: what people see of a window has a countdown only on its last day', () => {
  const seen = (before: number, change: object = {}) =>
    whatPeopleSee({
      mode: 'off',
      text: '',
      heldOpen: false,
      window: window({ leadMinutes: 6 * 1_440 }),
      now: start - before,
      ...change,
    });
  expect([7 * day, 6 * day, day, day - 1].map((before) => seen(before))).toEqual([
    'NOTHING',
    'DATE',
    'DATE',
    'COUNTDOWN',
  ]);
  expect(seen(minute, { heldOpen: true, text: 'Slow today.' })).toBe('NOTICE');
  expect([seen(minute, { mode: 'full' }), seen(minute, { mode: 'read-only' })]).toEqual([
    'PAGE',
    'READ_ONLY',
  ]);
});

it('MAINT-7: people are notified from the lead time on, and not before the window was planned', () => {
  expect(notifiedFrom(window())).toBe(start - 15 * minute);
  expect(notifiedFrom(window({ leadMinutes: 0 }))).toBeNull();
  const planned = start - 6 * day;
  expect(notifiedFrom(window({ leadMinutes: 6 * 1_440 + 367, createdAt: planned }))).toBe(planned);
});
