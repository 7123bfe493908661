import { describe, expect, it } from 'vitest';
import { morningIn, snoozeTimes } from './choices.tsx';

const iso = (at: number) => new Date(at).toISOString();

describe('BUG-8: the times until which a report is snoozed', () => {
  it('are mornings in the zone of the operator, also where its clock changes between', () => {
    const friday = Date.parse('2026-10-23T22:30Z');
    expect(iso(morningIn(friday, 1, 'Europe/Berlin'))).toBe('2026-10-25T08:00:00.000Z');
    expect(iso(morningIn(friday, 1, 'America/New_York'))).toBe('2026-10-24T13:00:00.000Z');
  });

  it('begin later today, and Monday is the next one', () => {
    const of = (now: string) =>
      Object.fromEntries(snoozeTimes(Date.parse(now), 'UTC').map(({ key, at }) => [key, iso(at)]));
    expect(of('2026-11-27T16:01Z')).toMatchObject({
      LATER: '2026-11-27T19:15:00.000Z',
      TOMORROW: '2026-11-28T09:00:00.000Z',
      MONDAY: '2026-11-30T09:00:00.000Z',
      FORTNIGHT: '2026-12-11T09:00:00.000Z',
    });
    expect(of('2026-11-30T08:00Z')).toMatchObject({ MONDAY: '2026-12-07T09:00:00.000Z' });
    expect(of('2026-11-30T22:00Z')).not.toHaveProperty('LATER');
  });
});
