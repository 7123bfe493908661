import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { minutesEastOfUtc } from './time-offset.ts';

it.each([
  ['Europe/Berlin', '2026-07-01T12:00Z', 120],
  ['Europe/Berlin', '2026-12-01T12:00Z', 60],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 60],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 120],
  ['Europe/Berlin', '2026-10-25T00:59:59Z', 120],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', 60],
  ['America/St_Johns', '2026-12-01T12:00Z', -210],
  ['America/New_York', '2026-07-01T12:00Z', -240],
  ['Asia/Kathmandu', '2026-07-01T12:00Z', 345],
  ['Australia/Lord_Howe', '2026-07-01T12:00Z', 630],
  ['Australia/Lord_Howe', '2026-12-01T12:00Z', 660],
  ['Pacific/Kiritimati', '2026-07-01T12:00Z', 840],
  ['UTC', '2026-07-01T12:00Z', 0],
])('PRO-3: %s at %s is %i', (zone, at, minutes) => {
  expect(minutesEastOfUtc(zone, Date.parse(at))).toBe(minutes);
});

it('PRO-3: without a zone, or with one that is unknown, it is the one of the browser', () => {
  const at = Date.parse('2026-07-01T12:00Z');
  expect(minutesEastOfUtc(null, at)).toBe(0 - new Date(at).getTimezoneOffset());
  expect(minutesEastOfUtc('Mars/Olympus', at)).toBe(minutesEastOfUtc(null, at));
});

it("PRO-3: in any zone and at any time, UTC moved by the offset reads as that zone's wall clock", () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const times = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...zones), times, (zone, at) => {
      const wall = (of: number, timeZone: string) =>
        new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(of);
      expect(wall(at + minutesEastOfUtc(zone, at) * 60_000, 'UTC')).toBe(wall(at, zone));
    }),
  );
});
