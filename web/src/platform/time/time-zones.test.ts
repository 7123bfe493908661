import { describe, expect, it } from 'vitest';
import { findZones, groupZones, knownZones, offsetName, olderNameFound, timeInZones } from './time-zones.ts';

const summer = Date.parse('2026-07-01T12:00Z');
const zones = ['America/Argentina/Buenos_Aires', 'America/Sao_Paulo', 'Asia/Kolkata', 'Europe/Berlin', 'UTC'];

describe('LOOK-3: choosing a time zone', () => {
  it('LOOK-3: all that the engine knows, and UTC, each once and under its present name', () => {
    const known = knownZones(['Asia/Calcutta', 'Europe/Kyiv']);
    expect(known.length).toBeGreaterThan(300);
    expect(known).toEqual(expect.arrayContaining(['Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Europe/Kyiv']));
    for (const older of [
      'Asia/Calcutta',
      'Europe/Kiev',
      'Asia/Saigon',
      'Pacific/Truk',
      'America/Buenos_Aires',
    ])
      expect(known).not.toContain(older);
    expect(new Set(known).size).toBe(known.length);
  });

  it.each([
    ['calcutta', 'Asia/Kolkata', 'Calcutta'],
    ['kolkata', 'Asia/Kolkata', null],
    ['saigon', 'Asia/Ho_Chi_Minh', 'Saigon'],
    ['kiev', 'Europe/Kyiv', 'Kiev'],
    ['europe', 'Europe/Kyiv', null],
    ['truk', 'Pacific/Chuuk', 'Truk'],
    ['', 'Asia/Kolkata', null],
  ])('LOOK-3: “%s” finds %s also by the name that it had before, and says that', (search, id, older) => {
    expect(findZones(knownZones([]), search, summer)).toContain(id);
    expect(olderNameFound(id, search)).toBe(older);
  });

  it('LOOK-3: by region, and zones without a region last', () => {
    const groups = groupZones(zones);
    expect(groups.map(({ region }) => region)).toEqual(['America', 'Asia', 'Europe', '']);
    expect(groups[0]?.zones.map(({ place }) => place)).toEqual(['Argentina, Buenos Aires', 'Sao Paulo']);
  });

  it.each([
    ['berl', ['Europe/Berlin']],
    ['BUENOS aires', ['America/Argentina/Buenos_Aires']],
    ['são', ['America/Sao_Paulo']],
    ['america/sao_paulo', ['America/Sao_Paulo']],
    ['+2', ['Europe/Berlin']],
    ['utc+5:30', ['Asia/Kolkata']],
    ['GMT-3 paulo', ['America/Sao_Paulo']],
    ['utc', ['UTC']],
    ['atlantis', []],
    ['  ', zones],
  ])('LOOK-3: “%s” finds %j', (search, expected) => {
    expect(findZones(zones, search, summer)).toEqual(expected);
  });

  it('LOOK-3: a place that begins with the search comes before one that has it somewhere', () => {
    const found = findZones(['Antarctica/Vostok', 'Asia/Tokyo', 'Asia/Vladivostok'], 'tok', summer);
    expect(found).toEqual(['Asia/Tokyo', 'Antarctica/Vostok', 'Asia/Vladivostok']);
  });

  it.each([
    [0, 'UTC'],
    [120, 'UTC+2'],
    [330, 'UTC+5:30'],
    [-210, 'UTC\u22123:30'],
  ])('LOOK-3: %i minutes are %s', (minutes, expected) => {
    expect(offsetName(minutes)).toBe(expected);
  });

  it('LOOK-3: shows the time there, over midnight and at half hours too', () => {
    const time = timeInZones('en-GB');
    expect(time('Europe/Berlin', summer)).toBe('14:00');
    expect(time('Asia/Kolkata', summer)).toBe('17:30');
    expect(time('Pacific/Auckland', summer)).toBe('00:00');
    expect(timeInZones('en-US')('Europe/Berlin', summer)).toMatch(/2:00\sPM/);
  });
});
