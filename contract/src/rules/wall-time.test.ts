import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallTime } from '../wall-time.ts';
import { resolveWallTime, wallTimeAt, type ResolvedWallTime } from './wall-time.ts';

const minute = 60_000;
const utc = (text: string) => Date.parse(text);
const zones = Intl.supportedValuesOf('timeZone');

/** From when on every zone keeps to whole minutes, to beyond the last rule that a calendar needs. */
const anyMinute = fc
  .integer({ min: utc('1973-01-01T00:00Z') / minute, max: utc('2060-01-01T00:00Z') / minute })
  .map((minutes) => minutes * minute);

describe('a wall time', () => {
  it.each<[local: string, timeZone: string, resolved: ResolvedWallTime]>([
    ['2026-07-01T12:00', 'Europe/Berlin', { kind: 'one', at: utc('2026-07-01T10:00Z') }],
    ['2026-07-01T12:00:30', 'UTC', { kind: 'one', at: utc('2026-07-01T12:00:30Z') }],
    ['2028-02-29T12:00', 'Europe/Berlin', { kind: 'one', at: utc('2028-02-29T11:00Z') }],
    // Forward from 02:00 to 03:00, back from 03:00 to 02:00.
    ['2026-03-29T01:59', 'Europe/Berlin', { kind: 'one', at: utc('2026-03-29T00:59Z') }],
    [
      '2026-03-29T02:30',
      'Europe/Berlin',
      { kind: 'skipped', before: utc('2026-03-29T00:30Z'), after: utc('2026-03-29T01:30Z') },
    ],
    ['2026-03-29T03:00', 'Europe/Berlin', { kind: 'one', at: utc('2026-03-29T01:00Z') }],
    ['2026-10-25T01:59', 'Europe/Berlin', { kind: 'one', at: utc('2026-10-24T23:59Z') }],
    [
      '2026-10-25T02:00',
      'Europe/Berlin',
      { kind: 'doubled', first: utc('2026-10-25T00:00Z'), second: utc('2026-10-25T01:00Z') },
    ],
    ['2026-10-25T03:00', 'Europe/Berlin', { kind: 'one', at: utc('2026-10-25T02:00Z') }],
    [
      '2026-03-08T02:15',
      'America/New_York',
      { kind: 'skipped', before: utc('2026-03-08T06:15Z'), after: utc('2026-03-08T07:15Z') },
    ],
    [
      '2026-11-01T01:30',
      'America/New_York',
      { kind: 'doubled', first: utc('2026-11-01T05:30Z'), second: utc('2026-11-01T06:30Z') },
    ],
    // Half an hour only.
    [
      '2026-10-04T02:15',
      'Australia/Lord_Howe',
      { kind: 'skipped', before: utc('2026-10-03T15:15Z'), after: utc('2026-10-03T15:45Z') },
    ],
    ['2026-10-04T02:30', 'Australia/Lord_Howe', { kind: 'one', at: utc('2026-10-03T15:30Z') }],
    [
      '2026-04-05T01:45',
      'Australia/Lord_Howe',
      { kind: 'doubled', first: utc('2026-04-04T14:45Z'), second: utc('2026-04-04T15:15Z') },
    ],
    // A whole day that Samoa has never had.
    [
      '2011-12-30T12:00',
      'Pacific/Apia',
      { kind: 'skipped', before: utc('2011-12-29T22:00Z'), after: utc('2011-12-30T22:00Z') },
    ],
    ['2011-12-29T23:59', 'Pacific/Apia', { kind: 'one', at: utc('2011-12-30T09:59Z') }],
    ['2011-12-31T00:00', 'Pacific/Apia', { kind: 'one', at: utc('2011-12-30T10:00Z') }],
    ['0050-06-01T12:00', 'UTC', { kind: 'one', at: utc('0050-06-01T12:00Z') }],
  ])('MAINT-5: %s in %s', (local, timeZone, resolved) => {
    expect(resolveWallTime({ local, timeZone })).toEqual(resolved);
  });

  it('MAINT-5: the offset chooses between two possible times; one that fits neither is ignored', () => {
    const at = { local: '2026-10-25T02:30', timeZone: 'Europe/Berlin' };
    expect(resolveWallTime({ ...at, offset: 120 })).toEqual({ kind: 'one', at: utc('2026-10-25T00:30Z') });
    expect(resolveWallTime({ ...at, offset: 60 })).toEqual({ kind: 'one', at: utc('2026-10-25T01:30Z') });
    expect(resolveWallTime({ ...at, offset: 0 }).kind).toBe('doubled');
  });

  it.each([
    '2026-02-29T12:00',
    '2026-04-31T12:00',
    '2026-13-01T12:00',
    '2026-00-01T12:00',
    '2026-01-00T12:00',
  ])('MAINT-5: %s is no date', (local) => {
    expect(resolveWallTime({ local, timeZone: 'Europe/Berlin' })).toEqual({ kind: 'no-such-date' });
  });

  it.each(['2026-01-01T24:00', '2026-01-01T23:60', '2026-01-01T23:59:60', '2026-01-01T25:00'])(
    'MAINT-5: %s is no time of a day',
    (local) => {
      expect(resolveWallTime({ local, timeZone: 'UTC' })).toEqual({ kind: 'no-such-date' });
    },
  );

  it.each([
    'Europe/Atlantis',
    '',
    '+02:00',
    '-0500',
    'Europe/Berlin ',
    '../etc/passwd',
    'Berlin',
    'GMT+2',
    '\u0000',
  ])('MAINT-5: %j is no zone', (timeZone) => {
    expect(resolveWallTime({ local: '2026-01-01T12:00', timeZone })).toEqual({ kind: 'unknown-zone' });
    expect(wallTimeAt(0, timeZone)).toBeNull();
  });

  it('MAINT-5: every minute of every zone is found again by its wall time and offset', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyMinute, (timeZone, at) => {
        const local = wallTimeAt(at, timeZone) ?? '';
        expect(wallTime.safeParse({ local, timeZone }).success).toBe(true);
        const offset = (Date.parse(`${local}Z`) - at) / minute;
        expect(resolveWallTime({ local, timeZone, offset })).toEqual({ kind: 'one', at });
        const unsaid = resolveWallTime({ local, timeZone });
        const meant =
          unsaid.kind === 'one'
            ? [unsaid.at]
            : unsaid.kind === 'doubled'
              ? [unsaid.first, unsaid.second]
              : [];
        expect(meant).toContain(at);
      }),
      { numRuns: 300 },
    );
  });

  it('MAINT-5: no point in time has a skipped wall time, and the nearest lie around it', () => {
    const springs = fc.constantFrom(
      ['Europe/Berlin', '2026-03-29T02:00', 60],
      ['America/New_York', '2027-03-14T02:00', 60],
      ['Australia/Lord_Howe', '2026-10-04T02:00', 30],
      ['Pacific/Apia', '2011-12-30T00:00', 1_440],
    ) as fc.Arbitrary<[string, string, number]>;
    fc.assert(
      fc.property(
        springs,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        ([timeZone, from, minutes], part) => {
          const skipped = Date.parse(`${from}Z`) + Math.floor(minutes * part) * minute;
          const local = new Date(skipped).toISOString().slice(0, 16);
          const resolved = resolveWallTime({ local, timeZone });
          expect(resolved.kind).toBe('skipped');
          const { before, after } = resolved as Extract<ResolvedWallTime, { kind: 'skipped' }>;
          expect(after - before).toBe(minutes * minute);
          const [shownBefore, shownAfter] = [
            wallTimeAt(before, timeZone) ?? '',
            wallTimeAt(after, timeZone) ?? '',
          ];
          expect(shownBefore < local && local < shownAfter).toBe(true);
        },
      ),
    );
  });

  it('MAINT-5: every input gets an answer', () => {
    const digits = (length: number) =>
      fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));
    const local = fc
      .tuple(digits(4), digits(2), digits(2), digits(2), digits(2))
      .map(([year, month, day, hours, minutes]) => `${year}-${month}-${day}T${hours}:${minutes}`);
    const zone = fc.oneof(fc.constantFrom(...zones), fc.string({ maxLength: 64 }));
    fc.assert(
      fc.property(
        local,
        zone,
        fc.option(fc.integer({ min: -1_440, max: 1_440 }), { nil: undefined }),
        (given, timeZone, offset) => {
          const resolved = resolveWallTime({
            local: given,
            timeZone,
            ...(offset === undefined ? {} : { offset }),
          });
          for (const value of Object.values(resolved))
            expect(typeof value === 'string' || Number.isInteger(value)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('MAINT-5: shows the wall time at the far end of time too, or answers that there is none', () => {
    expect(wallTimeAt(utc('2026-10-25T00:30Z'), 'Europe/Berlin')).toBe('2026-10-25T02:30');
    expect(wallTimeAt(8_640_000_000_000_000, 'UTC')).toBe('+275760-09-13T00:00');
    expect(wallTimeAt(8_640_000_000_000_000, 'Europe/Berlin')).toBeNull();
  });
});
