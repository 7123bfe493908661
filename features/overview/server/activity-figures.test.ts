import { describe, expect, it } from 'vitest';
import {
  type ActivityRow,
  evaluationsAMinute,
  figuresOf,
  minuteBit,
  sdksElsewhere,
  sumOfClients,
} from './activity-figures.ts';

const step = 300_000;

function row(change: Partial<ActivityRow>): ActivityRow {
  return {
    at: 0,
    process_id: 'one',
    people: 0,
    sdks: 0,
    sdk_keys: '{}',
    sdk_minutes: 0,
    minutes: 0b11111,
    evaluations: 0,
    seen_at: 0,
    ...change,
  };
}

describe('CON-2: figures of several processes', () => {
  it('add up SDKs and evaluations, and take people once', () => {
    const rows = [
      row({ people: 7, sdk_minutes: 50, evaluations: 100 }),
      row({ process_id: 'other', people: 9, sdk_minutes: 25, evaluations: 400 }),
    ];
    expect(figuresOf(rows, 0, 0)).toEqual({ people: [9], sdks: [15], evaluations: [100] });
  });

  it('count only the minutes in which one ran, also where another took over', () => {
    const rows = [
      row({ sdk_minutes: 20, minutes: 0b00011, evaluations: 8 }),
      row({ process_id: 'next', sdk_minutes: 30, minutes: 0b11100, evaluations: 12 }),
      row({ at: 2 * step, sdk_minutes: 8, minutes: 0b00001, evaluations: 5 }),
    ];
    expect(figuresOf(rows, 0, 2 * step + 60_000)).toEqual({
      people: [0, null, 0],
      sdks: [10, null, 8],
      evaluations: [4, null, 5],
    });
    // As one bucket of a quarter of an hour: six minutes in which one ran.
    expect(figuresOf(rows, 0, 2 * step, 3 * step)).toEqual({ people: [0], sdks: [10], evaluations: [4] });
    expect(evaluationsAMinute(rows)).toBe(4);
    expect(evaluationsAMinute([])).toBe(0);
  });

  it('know the SDKs of the others by their last row, as long as they run', () => {
    const rows = [
      row({ process_id: 'own', sdk_keys: '{"a":99}', seen_at: 300_000 }),
      row({ process_id: 'runs', sdk_keys: '{"a":3}', seen_at: 240_000 }),
      row({ at: step, process_id: 'runs', sdk_keys: '{"a":5,"b":1}', seen_at: 310_000 }),
      row({ at: step, process_id: 'runs too', sdk_keys: '{"b":2}', seen_at: 310_000 }),
      row({ process_id: 'killed', sdk_keys: '{"a":70}', seen_at: 100_000 }),
    ];
    expect(sumOfClients(sdksElsewhere(rows, 'own', 320_000))).toEqual({ a: 5, b: 3 });
  });

  it('have a bit for each minute of a bucket', () => {
    expect([0, 59_999, 60_000, 299_999, 300_000].map(minuteBit)).toEqual([1, 1, 2, 16, 1]);
  });
});
