import { expect, it } from 'vitest';
import { olderTimeZones, presentTimeZone } from './time-zones.ts';
import { wallTime } from './wall-time.ts';

/** Of the whole world, as this engine lists it. */
const listed = Intl.supportedValuesOf('timeZone');

it.each([
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Africa/Asmera', 'Africa/Asmara'],
  ['Etc/UTC', 'UTC'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Atlantis/Poseidonis', 'Atlantis/Poseidonis'],
])('PRO-1: %s is %s now', (name, present) => {
  expect(presentTimeZone(name)).toBe(present);
});

it('PRO-1: an older name and the present one show the same time, now and half a year later', () => {
  const older = [...new Set([...listed.map(presentTimeZone), 'UTC'])].flatMap((present) =>
    olderTimeZones(present).map((name) => [name, present] as const),
  );
  expect(older).toHaveLength(20);
  for (const at of [Date.UTC(2026, 0, 15, 12), Date.UTC(2026, 6, 15, 12)]) {
    const clock = (timeZone: string) =>
      new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);
    expect(older.filter(([name, present]) => clock(name) !== clock(present))).toEqual([]);
  }
});

it('PRO-1: a present name is no older name of another, and what the engine lists needs one step', () => {
  for (const name of listed) {
    const present = presentTimeZone(name);
    expect(presentTimeZone(present)).toBe(present);
    expect(olderTimeZones(present).includes(name)).toBe(name !== present);
  }
});

it('MAINT-5: a zone that is sent under an older name is taken under the present one', () => {
  expect(wallTime.parse({ local: '2026-10-25T02:30', timeZone: 'Asia/Calcutta' }).timeZone).toBe(
    'Asia/Kolkata',
  );
});
