import { describe, expect, it } from 'vitest';
import { plannedTimes, warnedAt } from './window-timeline.tsx';

const hour = 3_600_000;
const entry = (
  at: number,
  deed: 'planned' | 'changed' | 'started' | 'extended',
  from: number,
  to: number,
) => ({
  at,
  deed,
  startsAt: from,
  endsAt: to,
});

describe('MAINT-7: the plan of a window, compared with what happened', () => {
  it('MAINT-7: stays as it was planned last where a window is started early and extended', () => {
    const history = [
      entry(4, 'extended', 4, 4 + 2 * hour),
      entry(3, 'started', 4, 4 + hour),
      entry(2, 'changed', 20 * hour, 21 * hour),
      entry(1, 'planned', 10 * hour, 11 * hour),
    ];
    expect(plannedTimes({ startsAt: 4, endsAt: 4 + 2 * hour }, history)).toEqual({
      startsAt: 20 * hour,
      endsAt: 21 * hour,
    });
  });

  it('MAINT-7: has the end of a change after the start, which has the actual start', () => {
    const history = [
      entry(1, 'planned', 10 * hour, 11 * hour),
      entry(3, 'started', 4, 4 + hour),
      entry(5, 'changed', 4, 4 + 3 * hour),
    ];
    expect(plannedTimes({ startsAt: 4, endsAt: 4 + 3 * hour }, history)).toEqual({
      startsAt: 10 * hour,
      endsAt: 4 + 3 * hour,
    });
  });

  it('MAINT-7: is what the window says where its history is not known', () => {
    expect(plannedTimes({ startsAt: 1, endsAt: 2 }, [])).toEqual({ startsAt: 1, endsAt: 2 });
  });
});

describe('MAINT-7: since when people have been warned', () => {
  it('MAINT-7: by the warning or the clock, and still so after a change and after the start', () => {
    expect(
      warnedAt([
        { id: '40', at: 40, deed: 'started', phase: 'active' },
        { id: '30', at: 30, deed: 'changed', phase: 'imminent' },
        { id: '20', at: 20, deed: 'warned', phase: 'imminent' },
        { id: '10', at: 10, deed: 'planned', phase: 'scheduled' },
      ]),
    ).toBe(20);
    // Planned within its lead time: both are written in one change, and listed with the last first.
    expect(
      warnedAt([
        { id: '12-1', at: 12, deed: 'phase', phase: 'imminent' },
        { id: '12-0', at: 12, deed: 'planned', phase: 'scheduled' },
      ]),
    ).toBe(12);
    expect(warnedAt([{ id: '15', at: 15, deed: 'phase', phase: 'imminent' }])).toBe(15);
  });

  it('MAINT-7: again where the start was put off, and not at all where it was started without a warning', () => {
    expect(
      warnedAt([
        { id: '20', at: 20, deed: 'warned', phase: 'imminent' },
        { id: '30', at: 30, deed: 'changed', phase: 'scheduled' },
        { id: '50', at: 50, deed: 'phase', phase: 'imminent' },
      ]),
    ).toBe(50);
    expect(
      warnedAt([
        { id: '10', at: 10, deed: 'planned', phase: 'scheduled' },
        { id: '20', at: 20, deed: 'started', phase: 'active' },
      ]),
    ).toBeNull();
  });
});
