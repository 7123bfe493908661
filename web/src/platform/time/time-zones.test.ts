import { describe, expect, it } from 'vitest';
import { findZones, knownZones, offsetName, timeInZone, zoneOptions } from './time-zones.ts';

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

  const offered = (typed: string, known: readonly string[]) =>
    zoneOptions(typed, known, summer, { locale: 'en-GB', others: 'Others', first: ['Europe/Berlin'] });

  it.each([
    ['calcutta', 'Asia/Kolkata', 'Kolkata (Calcutta)'],
    ['asia calcutta', 'Asia/Kolkata', 'Kolkata (Calcutta)'],
    ['kolkata', 'Asia/Kolkata', 'Kolkata'],
    ['saigon', 'Asia/Ho_Chi_Minh', 'Ho Chi Minh (Saigon)'],
    ['kiev', 'Europe/Kyiv', 'Kyiv (Kiev)'],
    ['kyiv europe', 'Europe/Kyiv', 'Kyiv'],
    ['truk', 'Pacific/Chuuk', 'Chuuk (Truk)'],
    ['', 'Asia/Kolkata', 'Kolkata'],
  ])('LOOK-3: “%s” finds %s also by the name that it had before, and says that', (typed, key, label) => {
    expect(offered(typed, knownZones([]))).toContainEqual(expect.objectContaining({ key, label }));
  });

  it('LOOK-3: by region, those without a region last, and those that stand first not twice', () => {
    expect(offered(' ', zones).map(({ group, label }) => [group, label])).toEqual([
      ['America', 'Argentina, Buenos Aires'],
      ['America', 'Sao Paulo'],
      ['Asia', 'Kolkata'],
      ['Others', 'UTC'],
    ]);
    expect(offered('a', knownZones([])).length).toBe(40);
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
    const time = (zone: string, locale = 'en-GB') => timeInZone(zone, summer, locale);
    expect(time('Europe/Berlin')).toBe('14:00 (UTC+2)');
    expect(time('Asia/Kolkata')).toBe('17:30 (UTC+5:30)');
    expect(time('Pacific/Auckland')).toBe('00:00 (UTC+12)');
    expect(time('Europe/Berlin', 'en-US')).toMatch(/2:00\sPM/);
  });
});
