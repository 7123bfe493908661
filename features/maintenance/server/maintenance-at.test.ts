import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maintenanceMode, severity, windowMode } from '#features/maintenance/contract/maintenance.ts';
import type { WindowPhase } from '#features/maintenance/contract/windows.ts';
import { off } from './flag-host.ts';
import {
  boundaryOf,
  clockToleranceMs,
  isLater,
  isUnrecorded,
  maintenanceAt,
  nextBoundary,
  phaseAt,
  phasesUntil,
  retryAfterAt,
  returnWithinFor,
  type StoredState,
  type MaintenanceState,
  type PlannedWindow,
} from './maintenance-at.ts';

const minute = 60_000;
const anyTime = fc.integer({ min: 0, max: 8_640_000_000_000_000 });
/** Close together, so that a lot happens. */
const time = fc.integer({ min: 0, max: 300 }).map((tenSeconds) => 1_000_000_000 + tenSeconds * 10_000);
const anyText = fc.oneof(fc.constant(''), fc.string());

const manual: fc.Arbitrary<MaintenanceState> = fc.record({
  mode: fc.constantFrom(...maintenanceMode.options),
  text: anyText,
  texts: fc.constant({}),
  severity: fc.constantFrom(...severity.options),
  expectedEnd: fc.option(time),
  since: fc.option(time),
  changedAt: fc.option(time),
});

const recorded: WindowPhase[] = ['scheduled', 'imminent', 'active', 'overdue'];

const plannedWindow: fc.Arbitrary<PlannedWindow> = fc
  .record({
    id: fc.uuid(),
    title: fc.string({ minLength: 1 }),
    text: anyText,
    texts: fc.constant({}),
    severity: fc.constantFrom(...severity.options),
    mode: fc.constantFrom(...windowMode.options),
    startsAt: time,
    length: fc.integer({ min: 1, max: 30 * minute }),
    leadMinutes: fc.integer({ min: 0, max: 20 }),
    endsByItself: fc.boolean(),
    phase: fc.constantFrom(...recorded),
    over: fc.option(fc.constantFrom('ended' as const, 'cancelled' as const), { freq: 6 }),
  })
  .map(({ length, over, ...window }) => ({
    ...window,
    endsAt: window.startsAt + length,
    ...(over === null ? { overAt: null } : { overAt: window.startsAt, phase: over }),
  }));

/** As it is planned and nothing of it is recorded yet. */
const unrecorded = plannedWindow.map((window) => ({ ...window, phase: 'scheduled' as const, overAt: null }));
const windows = fc.uniqueArray(plannedWindow, { maxLength: 5, selector: ({ id }) => id });
const state: fc.Arbitrary<StoredState> = fc.record({
  manual,
  windows,
  changedAt: time,
  heldOpen: fc.constant(false),
});

const window: PlannedWindow = {
  id: 'one',
  title: 'New pumps',
  text: '',
  texts: {},
  severity: 'MEDIUM',
  mode: 'full',
  startsAt: 100 * minute,
  endsAt: 130 * minute,
  leadMinutes: 60,
  endsByItself: false,
  phase: 'scheduled',
  overAt: null,
};

describe('the phase of a window', () => {
  it.each<[minutes: number, ms: number, phase: WindowPhase]>([
    [0, 0, 'scheduled'],
    [40, -1, 'scheduled'],
    [40, 0, 'imminent'],
    [100, -1, 'imminent'],
    [100, 0, 'active'],
    [130, -1, 'active'],
    [130, 0, 'overdue'],
    [9_999, 0, 'overdue'],
  ])('MAINT-5: %i minutes and %i ms on it is %s', (minutes, ms, phase) => {
    expect(phaseAt(window, minutes * minute + ms)).toBe(phase);
    const byItself = phase === 'overdue' ? 'ended' : phase;
    expect(phaseAt({ ...window, endsByItself: true }, minutes * minute + ms)).toBe(byItself);
    expect(phaseAt({ ...window, mode: 'announce' }, minutes * minute + ms)).toBe(byItself);
  });

  it('MAINT-5: only goes on while time goes on, whatever is recorded', () => {
    fc.assert(
      fc.property(unrecorded, fc.array(fc.tuple(time, fc.boolean())), (planned, times) => {
        let current: PlannedWindow = planned;
        let before: WindowPhase = 'scheduled';
        for (const [now, isRecorded] of times.toSorted(([a], [b]) => a - b)) {
          const phase = phaseAt(current, now);
          expect(isLater(before, phase)).toBe(false);
          before = phase;
          if (isRecorded) current = { ...current, phase, overAt: phase === 'ended' ? current.endsAt : null };
        }
      }),
    );
  });

  it('MAINT-5: is the same whether or not it was recorded on the way, so a restart finds it where it is', () => {
    fc.assert(
      fc.property(unrecorded, time, fc.nat(100 * minute), (planned, now, later) => {
        const phase = phaseAt(planned, now);
        const stored = { ...planned, phase, overAt: phase === 'ended' ? planned.endsAt : null };
        expect(phaseAt(stored, now + later)).toBe(phaseAt(planned, now + later));
      }),
    );
  });

  it('MAINT-5: two clocks that are not far apart never take turns: what one has recorded the other holds to', () => {
    const skew = fc.integer({ min: -clockToleranceMs, max: clockToleranceMs });
    const times = fc.array(fc.tuple(time, fc.nat(10_000), fc.boolean()), { minLength: 1 });
    fc.assert(
      fc.property(unrecorded, skew, times, (planned, apart, looks) => {
        let stored: PlannedWindow = planned;
        const seen: WindowPhase[] = [];
        for (const [base, more, other] of looks.toSorted(([a, b], [c, d]) => a + b - c - d)) {
          const now = base + more + (other ? apart : 0);
          const phase = phaseAt(stored, now);
          seen.push(phase);
          if (phase !== stored.phase)
            stored = { ...stored, phase, overAt: phase === 'ended' ? stored.endsAt : null };
        }
        for (const [index, phase] of seen.entries())
          expect(index > 0 && isLater(seen[index - 1] ?? phase, phase)).toBe(false);
      }),
    );
  });

  it('MAINT-5: a clock set back further than that leaves a phase again', () => {
    const active: PlannedWindow = { ...window, phase: 'active' };
    expect(phaseAt(active, window.startsAt - clockToleranceMs)).toBe('active');
    expect(phaseAt(active, window.startsAt - clockToleranceMs - 1)).toBe('imminent');
    expect(phasesUntil(active, 0)).toEqual([{ phase: 'scheduled', due: null }]);
  });

  it('MAINT-5: what is over stays over, at any time', () => {
    fc.assert(
      fc.property(plannedWindow, fc.constantFrom('ended', 'cancelled'), anyTime, (planned, phase, now) => {
        const over: PlannedWindow = { ...planned, phase, overAt: 0 };
        expect(phaseAt(over, now)).toBe(phase);
        expect(phasesUntil(over, now)).toEqual([]);
        const alone = { manual: off, windows: [over], changedAt: 0, heldOpen: false };
        expect(maintenanceAt(alone, now)).toMatchObject({
          mode: 'off',
          text: '',
          upcoming: null,
          changedAt: 0,
        });
      }),
    );
  });

  it('MAINT-5: several boundaries at once are listed one by one, in order, each when it was due', () => {
    expect(phasesUntil(window, 500 * minute)).toEqual([
      { phase: 'imminent', due: 40 * minute },
      { phase: 'active', due: 100 * minute },
      { phase: 'overdue', due: 130 * minute },
    ]);
    expect(phasesUntil({ ...window, endsByItself: true, leadMinutes: 0 }, 500 * minute)).toEqual([
      { phase: 'active', due: 100 * minute },
      { phase: 'ended', due: 130 * minute },
    ]);
    fc.assert(
      fc.property(unrecorded, time, (planned, now) => {
        const phases = phasesUntil(planned, now);
        const phase = phaseAt(planned, now);
        expect(phases.at(-1)?.phase ?? 'scheduled').toBe(phase);
        expect(phases.every(({ due }) => due !== null && due <= now)).toBe(true);
        expect(phases.map((one) => one.due)).toEqual(phases.map((one) => boundaryOf(planned, one.phase)));
      }),
    );
  });
});

describe('maintenance at a time', () => {
  it('MAINT-1: is the switch alone where nothing is planned', () => {
    fc.assert(
      fc.property(manual, time, (stored, now) => {
        const { changedAt, ...seen } = maintenanceAt(
          { manual: Object.freeze(stored), windows: [], changedAt: 0, heldOpen: false },
          now,
        );
        const { changedAt: storedAt, ...set } = stored;
        expect(seen).toEqual({
          ...set,
          ...(stored.mode === 'off' ? { expectedEnd: null, since: null } : {}),
          upcoming: null,
        });
        expect(changedAt).toBe(storedAt ?? 0);
      }),
    );
  });

  it('MAINT-5: the strictest of the switch and of the windows in force decides, with its beginning and its end', () => {
    fc.assert(
      fc.property(state, time, (stored, now) => {
        const closing = [
          stored.manual,
          ...stored.windows
            .filter((one) => ['active', 'overdue'].includes(phaseAt(one, now)) && one.mode !== 'announce')
            .map((one) => ({ mode: one.mode, expectedEnd: one.endsAt, since: one.startsAt })),
        ];
        const modes = closing.map(({ mode }) => mode);
        const mode = modes.includes('full') ? 'full' : modes.includes('read-only') ? 'read-only' : 'off';
        const those = mode === 'off' ? [] : closing.filter((one) => one.mode === mode);
        const ends = those.map((one) => one.expectedEnd);
        const seen = maintenanceAt(stored, now);
        expect(seen.mode).toBe(mode);
        expect(seen.expectedEnd).toBe(
          mode === 'off' || ends.includes(null) ? null : Math.max(...ends.map(Number)),
        );
        const since = those.flatMap((one) => one.since ?? []);
        expect(seen.since).toBe(since.length === 0 ? null : Math.min(...since));
      }),
    );
  });

  it('MAINT-5: where two close equally, the end is the later one, and unknown where one of them does not know it', () => {
    const closed = { ...off, mode: 'full', since: 90 * minute } as const;
    const at = (by: MaintenanceState, planned = window) =>
      maintenanceAt({ manual: by, windows: [planned], changedAt: 0, heldOpen: false }, 110 * minute);
    expect(at(closed)).toMatchObject({ mode: 'full', since: 90 * minute, expectedEnd: null });
    expect(at({ ...closed, expectedEnd: 120 * minute }).expectedEnd).toBe(130 * minute);
    expect(at({ ...closed, expectedEnd: 140 * minute }).expectedEnd).toBe(140 * minute);
    // A lesser mode does not count.
    expect(at({ ...closed, mode: 'read-only' })).toMatchObject({
      since: 100 * minute,
      expectedEnd: 130 * minute,
    });
    expect(at(closed, { ...window, mode: 'announce' })).toMatchObject({ mode: 'full', expectedEnd: null });
  });

  it('MAINT-5: the gravest notice is shown, and none only where there is none', () => {
    const grave = { HIGH: 3, MEDIUM: 2, INFO: 1 };
    fc.assert(
      fc.property(state, time, (stored, now) => {
        const showing = stored.windows.filter((one) =>
          ['imminent', 'active', 'overdue'].includes(phaseAt(one, now)),
        );
        const all = [
          ...showing.map((one) => ({ text: one.text === '' ? one.title : one.text, severity: one.severity })),
          ...(stored.manual.text === '' ? [] : [stored.manual]),
        ];
        const seen = maintenanceAt(stored, now);
        const gravest = Math.max(...all.map((one) => grave[one.severity]));
        const texts = all.filter((one) => grave[one.severity] === gravest).map(({ text }) => text);
        expect(all.length === 0 ? [''] : texts).toContain(seen.text);
        expect(all.length === 0 || grave[seen.severity] === gravest).toBe(true);
      }),
    );
  });

  it('MAINT-5: among equally grave notices a window in force speaks before one that is imminent, and that before the switch', () => {
    const now = window.startsAt;
    const later: PlannedWindow = {
      ...window,
      id: 'two',
      title: 'Later',
      startsAt: now + 60 * minute,
      endsAt: now + 90 * minute,
    };
    const spoken = { ...off, text: 'By hand', severity: 'MEDIUM' } as const;
    const at = (planned: PlannedWindow[], by: MaintenanceState = spoken) =>
      maintenanceAt({ manual: by, windows: planned, changedAt: 0, heldOpen: false }, now).text;
    expect(at([later, window])).toBe('New pumps');
    expect(at([later])).toBe('Later');
    expect(at([])).toBe('By hand');
    expect(at([later, window], { ...spoken, severity: 'HIGH' })).toBe('By hand');
    expect(at([{ ...later, severity: 'HIGH' }, window])).toBe('Later');
    expect(at([{ ...window, text: 'Save your work' }])).toBe('Save your work');
  });

  it('MAINT-5: the next window is announced while its lead time runs, and not otherwise', () => {
    fc.assert(
      fc.property(state, time, (stored, now) => {
        const imminent = stored.windows
          .filter((one) => phaseAt(one, now) === 'imminent')
          .map(({ startsAt }) => startsAt);
        const { upcoming } = maintenanceAt(stored, now);
        expect(upcoming?.startsAt ?? null).toBe(imminent.length === 0 ? null : Math.min(...imminent));
      }),
    );
  });

  it('MAINT-5: does not depend on the order of the windows', () => {
    fc.assert(
      fc.property(state, time, fc.func(fc.nat()), (stored, now, rank) => {
        const shuffled = stored.windows.toSorted((a, b) => rank(a.id) - rank(b.id));
        expect(maintenanceAt({ ...stored, windows: shuffled }, now)).toEqual(maintenanceAt(stored, now));
      }),
    );
  });

  it('MAINT-5: two windows that start at once stand in one order, whichever was read first', () => {
    const [one, two] = ['one', 'two'].map((id) => ({ ...window, id, title: id })) as [
      PlannedWindow,
      PlannedWindow,
    ];
    for (const windows of [
      [one, two],
      [two, one],
    ]) {
      const at = (now: number) => maintenanceAt({ manual: off, windows, changedAt: 0, heldOpen: false }, now);
      expect([at(50 * minute).upcoming?.title, at(window.startsAt).text]).toEqual(['one', 'one']);
    }
  });

  it('MAINT-5: a phase that another clock has recorded is no change before its time', () => {
    const ahead: StoredState = {
      manual: off,
      windows: [{ ...window, phase: 'active' }],
      changedAt: 7,
      heldOpen: false,
    };
    expect(maintenanceAt(ahead, window.startsAt - 1)).toMatchObject({ mode: 'full', changedAt: 40 * minute });
    expect(maintenanceAt(ahead, window.startsAt).changedAt).toBe(window.startsAt);
  });

  it('MAINT-5: does not change until the next boundary', () => {
    fc.assert(
      fc.property(
        state,
        time,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (stored, now, part) => {
          const end = Math.min(nextBoundary(stored.windows, now), now + 100 * minute);
          const between = now + Math.floor((end - now) * part);
          expect(maintenanceAt(stored, between)).toEqual(maintenanceAt(stored, now));
        },
      ),
    );
  });

  it('MAINT-5: a phase that another clock has recorded is a boundary too, once it is near enough', () => {
    const active: PlannedWindow = { ...window, phase: 'active' };
    const near = window.startsAt - clockToleranceMs;
    expect(nextBoundary([active], near - 10_000)).toBe(near);
    expect([near - 1, near].map((now) => phaseAt(active, now))).toEqual(['imminent', 'active']);
  });

  it('MAINT-5: a phase that is left again is recorded only where the clock was set back', () => {
    const active: PlannedWindow = { ...window, phase: 'active' };
    const early = window.startsAt - clockToleranceMs - 1;
    expect([false, true].map((backward) => isUnrecorded([active], early, backward))).toEqual([false, true]);
    expect(isUnrecorded([active], window.startsAt, true)).toBe(false);
    expect(isUnrecorded([{ ...active, phase: 'scheduled' }], window.startsAt, false)).toBe(true);
  });

  it('MAINT-5: its version is newer after each boundary', () => {
    fc.assert(
      fc.property(state, time, fc.nat(100 * minute), (stored, now, later) => {
        const [before, after] = [maintenanceAt(stored, now), maintenanceAt(stored, now + later)];
        expect(after.changedAt).toBeGreaterThanOrEqual(before.changedAt);
      }),
    );
    // Recorded as active by a clock that is ahead: imminent until that is near enough, then active.
    const ahead = {
      manual: off,
      windows: [{ ...window, phase: 'active' as const }],
      changedAt: 7,
      heldOpen: false,
    };
    const near = window.startsAt - clockToleranceMs;
    expect([near - 1, near].map((now) => maintenanceAt(ahead, now).changedAt)).toEqual([
      40 * minute,
      40 * minute,
    ]);
    const at = (now: number) =>
      maintenanceAt({ manual: off, windows: [window], changedAt: 7, heldOpen: false }, now).changedAt;
    expect([0, 40, 100, 130].map((minutes) => at(minutes * minute))).toEqual([
      7,
      40 * minute,
      100 * minute,
      130 * minute,
    ]);
  });

  it('MAINT-6: held open by the file, no mode is in force or coming, and only a notice without a mode is shown', () => {
    fc.assert(
      fc.property(state, anyTime, (stored, now) => {
        expect(maintenanceAt({ ...stored, heldOpen: true }, now)).toMatchObject({
          mode: 'off',
          text: stored.manual.mode === 'off' ? stored.manual.text : '',
          severity: stored.manual.severity,
          expectedEnd: null,
          since: null,
          upcoming: null,
        });
      }),
    );
  });
});

describe('when to retry', () => {
  it('MAINT-6: gives in whole seconds when to retry: at the expected end, not before and not a second after', () => {
    fc.assert(
      fc.property(anyTime, fc.integer({ min: 1, max: 10_000_000_000 }), (now, ahead) => {
        const retryAfter = retryAfterAt(now + ahead, now);
        expect(Number.isInteger(retryAfter)).toBe(true);
        expect(retryAfter * 1000).toBeGreaterThanOrEqual(ahead);
        expect((retryAfter - 1) * 1000).toBeLessThan(ahead);
      }),
    );
  });

  it('MAINT-6: gives a minute where the end is unknown or has passed', () => {
    fc.assert(
      fc.property(anyTime, fc.nat(10_000_000_000), (now, ago) => {
        expect(retryAfterAt(null, now)).toBe(60);
        expect(retryAfterAt(Math.max(0, now - ago), now)).toBe(60);
      }),
    );
  });

  it.each([
    [0, 2_000],
    [1_000, 2_000],
    [10_000, 20_000],
    [30_000, 60_000],
    [1_000_000, 60_000],
  ])('MAINT-3: %i browsers return within %i ms', (browsers, within) => {
    expect(returnWithinFor(browsers)).toBe(within);
  });
});
