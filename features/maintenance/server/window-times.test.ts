import { describe, expect, it } from 'vitest';
import type { Moment } from '#contract/wall-time.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { inUtc, laterEnd, timesOf } from './window-times.ts';

const minute = 60_000;
const longest = 30 * 24 * 60 * minute;
const now = Date.parse('2030-06-01T12:00Z');
const berlin = (local: string, offset?: number): Moment => ({
  local,
  timeZone: 'Europe/Berlin',
  ...(offset === undefined ? {} : { offset }),
});

/** What is wrong, as `place code`; nothing where it is taken. */
function refusals(take: () => unknown): string[] {
  try {
    take();
    return [];
  } catch (error) {
    if (!(error instanceof HttpProblem) || error.code !== 'INVALID_BODY') throw error;
    return (error.details.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`);
  }
}

describe('the times of a window', () => {
  const draft = { startsAt: now + 1, endsAt: now + 2 };

  it.each<[what: string, times: { startsAt: Moment; endsAt: Moment }, wrong: string[]]>([
    ['from the next millisecond on', draft, []],
    ['of 30 days', { startsAt: now + 1, endsAt: now + 1 + longest }, []],
    ['of a millisecond more', { startsAt: now + 1, endsAt: now + 2 + longest }, ['/endsAt too_long']],
    ['that start now', { ...draft, startsAt: now }, ['/startsAt past']],
    ['that have passed', { startsAt: now - 2, endsAt: now }, ['/startsAt past', '/endsAt past']],
    ['that end as they start', { startsAt: now + 1, endsAt: now + 1 }, ['/endsAt before_start']],
    ['from before 1970', { startsAt: berlin('1969-12-31T12:00'), endsAt: now + 1 }, ['/startsAt past']],
    [
      'with an offset that is not in force, for which nothing else is reported',
      { startsAt: berlin('2020-06-01T12:00', 60), endsAt: now + 1 },
      ['/startsAt/offset wrong_offset'],
    ],
    [
      'of which one is no time',
      { startsAt: now + 1, endsAt: berlin('2030-02-30T12:00') },
      ['/endsAt/local no_such_date'],
    ],
    [
      'of which the other is none',
      { startsAt: berlin('2030-02-30T12:00'), endsAt: now + 1 },
      ['/startsAt/local no_such_date'],
    ],
    [
      'of which both are no times',
      { startsAt: berlin('2030-02-30T12:00'), endsAt: { local: '2030-06-02T12:00', timeZone: 'Nowhere' } },
      ['/startsAt/local no_such_date', '/endsAt/timeZone unknown_zone'],
    ],
  ])('MAINT-5: %s are judged to the millisecond, with each mistake in its place', (_what, times, wrong) => {
    expect(refusals(() => timesOf(times, now))).toEqual(wrong);
  });

  it('MAINT-5: a time that has passed since it was stored may be sent again, and nothing else in the past may', () => {
    const stored = { startsAt: now - 10, endsAt: now - 5, timeZone: null };
    expect(timesOf(stored, now, stored)).toEqual(stored);
    expect(refusals(() => timesOf({ ...stored, startsAt: now - 9 }, now, stored))).toEqual([
      '/startsAt past',
    ]);
    expect(refusals(() => timesOf({ ...stored, endsAt: now - 4 }, now, stored))).toEqual(['/endsAt past']);
    expect(timesOf({ ...stored, endsAt: now + 1 }, now, stored).endsAt).toBe(now + 1);
  });

  it('MAINT-5: are in the zone in which they were given: of the start, else of the end, else as stored', () => {
    const stored = { startsAt: now + 1, endsAt: now + 2, timeZone: 'Asia/Tokyo' };
    const start = berlin('2030-06-02T12:00');
    const end: Moment = { local: '2030-06-02T18:00', timeZone: 'Europe/London' };
    const last = Date.parse('2030-06-02T17:00Z');
    const first = Date.parse('2030-06-02T10:00Z');
    expect(timesOf({ startsAt: start, endsAt: end }, now, stored)).toEqual({
      startsAt: first,
      endsAt: last,
      timeZone: 'Europe/Berlin',
    });
    expect(timesOf({ startsAt: first, endsAt: end }, now, stored).timeZone).toBe('Europe/London');
    expect(timesOf({ startsAt: first, endsAt: last }, now, stored).timeZone).toBe('Asia/Tokyo');
    expect(timesOf({ startsAt: first, endsAt: last }, now).timeZone).toBeNull();
  });

  it('MAINT-5: a time that comes twice is refused with the offset of each, and one of them is accepted', () => {
    const times = { startsAt: berlin('2030-10-27T02:30'), endsAt: berlin('2030-10-27T05:00') };
    expect(() => timesOf(times, now)).toThrow(
      expect.objectContaining({
        details: {
          errors: [
            expect.objectContaining({
              code: 'time_doubled',
              message: expect.stringContaining(
                'at 2030-10-27T00:30Z (offset 120) and 2030-10-27T01:30Z (offset 60)',
              ),
            }),
          ],
        },
      }),
    );
    expect(timesOf({ ...times, startsAt: berlin('2030-10-27T02:30', 60) }, now).startsAt).toBe(
      Date.parse('2030-10-27T01:30Z'),
    );
  });
});

describe('a later end', () => {
  const before = { startsAt: now - 10, endsAt: now + 10, timeZone: null };

  it.each<[endsAt: Moment, wrong: string[]]>([
    [now + 11, []],
    [now - 10 + longest, []],
    [now - 9 + longest, ['/endsAt too_long']],
    [now + 10, ['/endsAt not_later']],
    [now, ['/endsAt past']],
    [now + 1, ['/endsAt not_later']],
    [berlin('2030-02-30T12:00'), ['/endsAt/local no_such_date']],
  ])('MAINT-5: %s is judged to the millisecond', (endsAt, wrong) => {
    expect(refusals(() => laterEnd(endsAt, now, before))).toEqual(wrong);
  });

  it('MAINT-5: of one that is overdue lies ahead', () => {
    const overdue = { ...before, endsAt: now - 5 };
    expect(refusals(() => laterEnd(now, now, overdue))).toEqual(['/endsAt past']);
    expect(laterEnd(now + 1, now, overdue)).toBe(now + 1);
  });
});

it.each([
  ['2030-06-01T12:00:00.000Z', '2030-06-01T12:00Z'],
  ['2030-06-01T12:00:05.000Z', '2030-06-01T12:00:05Z'],
  ['2030-06-01T12:00:00.007Z', '2030-06-01T12:00:00.007Z'],
])('MAINT-5: %s is written as %s', (at, text) => {
  expect(inUtc(Date.parse(at))).toBe(text);
});
