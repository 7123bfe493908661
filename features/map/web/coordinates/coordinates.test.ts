import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coordinateFormats, type Directions, formatPlace } from './coordinate-format.ts';
import { parsePlace } from './parse-place.ts';
import { fromMercator, northmost, type Place, toMercator } from './place.ts';
import { fromUtm, toUtm, zoneAt } from './utm.ts';

const en: Directions = { north: 'N', south: 'S', east: 'E', west: 'W' };
const de: Directions = { ...en, east: 'O' };
const fr: Directions = { ...en, west: 'O' };
const munich: Place = [11.57549, 48.13743];

const near = ([longitude, latitude]: Place, digits = 4): unknown => [
  expect.closeTo(longitude, digits),
  expect.closeTo(latitude, digits),
];

describe('MAP-1: coordinates in the format of the person', () => {
  it.each([
    ['degrees', '48.13743° N, 11.57549° E'],
    ['minutes', '48° 08.246′ N, 11° 34.529′ E'],
    ['seconds', '48° 08′ 14.7″ N, 11° 34′ 31.8″ E'],
    ['utm', '32U 691602 5334783'],
    ['mercator', '1288578, 6129749'],
  ] as const)('writes %s', (format, text) => {
    expect(formatPlace(munich, format, en)).toBe(text);
  });

  it('carries a rounded minute and second over', () => {
    expect(formatPlace([0.999_999_9, 0], 'seconds', en)).toBe('0° 00′ 00.0″ N, 1° 00′ 00.0″ E');
    expect(formatPlace([0.999_999_9, 0], 'minutes', en)).toBe('0° 00.000′ N, 1° 00.000′ E');
  });

  it('writes degrees where UTM ends', () => {
    expect(formatPlace([0, 89], 'utm', en)).toBe('89.00000° N, 0.00000° E');
  });

  // The Eiffel Tower and the CN Tower, as encyclopedias have them.
  it.each([
    [[2.294497, 48.858222], 31, 'U', 448_251.8, 5_411_935.1],
    [[-79.387139, 43.642567], 17, 'T', 630_084.3, 4_833_438.5],
  ] as const)('has %j in its UTM zone', (place, zone, band, easting, northing) => {
    const utm = toUtm(place);
    expect(utm).toEqual({ zone, band, easting: expect.any(Number), northing: expect.any(Number) });
    expect(Math.hypot((utm?.easting ?? 0) - easting, (utm?.northing ?? 0) - northing)).toBeLessThan(2);
  });

  it('knows the wider zones of Norway and Svalbard', () => {
    expect([zoneAt([5.3, 60.4]), zoneAt([15.6, 78.2]), zoneAt([180, 0]), zoneAt([-180, 0])]).toEqual([
      32, 33, 60, 1,
    ]);
  });

  const longitude = fc.double({ min: -180, max: 180, noNaN: true });
  const place = (limit: number) =>
    fc.tuple(longitude, fc.double({ min: -limit, max: limit, noNaN: true })) as fc.Arbitrary<Place>;

  it('returns from UTM to the same place', () => {
    fc.assert(
      fc.property(place(79), (where) => {
        const utm = toUtm(where);
        expect(utm === null ? null : fromUtm(utm)).toEqual(near(where, 6));
      }),
    );
  });

  it('returns from metres of the map to the same place', () => {
    fc.assert(
      fc.property(place(northmost), (where) => {
        expect(fromMercator(toMercator(where))).toEqual(near(where, 8));
      }),
    );
  });

  it('reads what it writes, in each format and language', () => {
    fc.assert(
      fc.property(
        place(79),
        fc.constantFrom(...coordinateFormats),
        fc.constantFrom(en, de, fr),
        (where, format, letters) => {
          const [x, y] = toMercator(where);
          // Two small numbers of metres read like degrees.
          fc.pre(format !== 'mercator' || Math.max(Math.abs(x), Math.abs(y)) > 1000);
          const read = parsePlace(formatPlace(where, format, letters), letters);
          expect(read?.[1]).toBeCloseTo(where[1], 3);
          const away = Math.abs((read?.[0] ?? Number.NaN) - where[0]);
          expect(Math.min(away, 360 - away)).toBeLessThan(0.001);
        },
      ),
    );
  });
});

describe('MAP-1: coordinates that people type', () => {
  it.each([
    '48.13743, 11.57549',
    '48.13743 11.57549',
    '48.13743,11.57549',
    '48,13743; 11,57549',
    '48,13743 11,57549',
    'N 48.13743 E 11.57549',
    'N48.13743,E11.57549',
    '11.57549 E 48.13743 N',
    '48° 8′ 14.748″ N 11° 34′ 31.764″ E',
    `48°8'14.748"N 11°34'31.764"E`,
    '48 8 14.748 N, 11 34 31.764 E',
    '48 8 14.748 11 34 31.764',
    'geo:48.13743,11.57549;u=35',
    'geo:48.13743,11.57549?z=12',
  ])('reads %s', (typed) => {
    expect(parsePlace(typed, en)).toEqual(near(munich));
  });

  it('takes O for east in German and for west in French', () => {
    expect(parsePlace('48 N, 11 O', de)).toEqual([11, 48]);
    expect(parsePlace('48 N, 11 O', fr)).toEqual([-11, 48]);
    expect(parsePlace('48 N, 11 W', fr)).toEqual([-11, 48]);
  });

  it.each([
    '',
    'Munich',
    '48',
    '91, 11',
    '48, 181',
    '48 N, 11 N',
    '48 N, 11',
    '-48 N, 11 E',
    '48 60 N, 11 E',
    '48.5 30 N, 11 E',
    '61U 691607 5334760',
    '32U 91607 5334760',
    '30000000, 0',
    '1, 2, 3',
    '1e1, 2',
    'x'.repeat(1000),
  ])('refuses %j', (typed) => {
    expect(parsePlace(typed, en)).toBeNull();
  });

  it('answers any text with a place on the earth or none', () => {
    const sign = fc.constantFrom(...'0123456789.,;-+°′″\'" NSEWOgeo:?U');
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 40 }), (typed) => {
        const [longitude, latitude] = parsePlace(typed, de) ?? [0, 0];
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
        expect(Math.abs(latitude)).toBeLessThanOrEqual(90);
      }),
    );
  });
});
