import { describe, expect, it } from 'vitest';
import { plannedTimes } from './planned-times.ts';

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
