import { describe, expect, it } from 'vitest';
import { countsByDay, daysFrom, daysTouched, daysUntil } from './days.ts';

const hour = 3_600_000;

describe('CON-2: figures by the days of the person', () => {
  it('begin at midnight in their zone, also where a day has 23 or 25 hours', () => {
    const noon = Date.parse('2026-10-26T12:00Z');
    const lengths = (zone: string) => {
      const starts = daysUntil(noon, 3, zone);
      return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / hour);
    };
    expect(lengths('Europe/Berlin')).toEqual([24, 25, 24]);
    expect(lengths('Asia/Kathmandu')).toEqual([24, 24, 24]);
    expect(new Date(daysUntil(noon, 1, 'Asia/Kathmandu')[0] ?? 0).toISOString()).toBe(
      '2026-10-25T18:15:00.000Z',
    );
  });

  it('count what came on each day', () => {
    const starts = daysUntil(Date.parse('2026-11-23T12:00Z'), 2, 'Europe/Berlin');
    const at = (time: string) => Date.parse(time);
    const counted = [
      [at('2026-11-21T22:45Z'), 9],
      [at('2026-11-21T23:00Z'), 2],
      [at('2026-11-22T22:45Z'), 1],
      [at('2026-11-23T09:00Z'), 4],
    ] as const;
    expect(countsByDay(counted, starts)).toEqual([3, 4]);
  });

  it('know the days of a window', () => {
    const starts = daysFrom(Date.parse('2026-11-23T12:00Z'), 4, 'UTC');
    const window = { startsAt: Date.parse('2026-11-24T23:00Z'), endsAt: Date.parse('2026-11-25T01:00Z') };
    expect(daysTouched([window], starts)).toEqual([false, true, true, false]);
  });
});
