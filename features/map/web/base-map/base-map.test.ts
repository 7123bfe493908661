import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLine, cutPolygon, seas } from './cut.ts';
import { countryName, readArcs, readCountries, type Point, type Ring, type Topology } from './topology.ts';

const require = createRequire(import.meta.url);
const worlds = ['110m', '50m'].map(
  (scale) =>
    JSON.parse(readFileSync(require.resolve(`world-atlas/countries-${scale}.json`), 'utf8')) as Topology,
);

const longestStep = (points: readonly Point[]) =>
  Math.max(
    0,
    ...points.slice(1).map(([longitude], index) => Math.abs(longitude - (points[index]?.[0] ?? 0))),
  );

function area(ring: Ring): number {
  let sum = 0;
  for (const [index, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return Math.abs(sum / 2);
}

describe.each(worlds)('MAP-1: the base map', (world) => {
  it('draws no line across the antimeridian', () => {
    const lines = readArcs(world).flatMap(cutLine);
    expect(lines.length).toBeGreaterThan(100);
    expect(Math.max(...lines.map(longestStep))).toBeLessThan(60);
    expect(Math.max(...lines.flat().map(([longitude]) => Math.abs(longitude)))).toBeLessThanOrEqual(
      180.000_001,
    );
  });

  it('fills no country over the whole width, except the Antarctic at its pole', () => {
    for (const { name, polygons } of readCountries(world)) {
      for (const ring of polygons.flatMap(cutPolygon).flat()) {
        const across = ring.some(
          (point, index) =>
            index > 0 && longestStep([ring[index - 1] ?? point, point]) > 90 && Math.abs(point[1]) < 89,
        );
        expect([name, across]).toEqual([name, false]);
      }
    }
  });

  it('has both ends of Russia and Fiji', () => {
    for (const id of ['643', '242']) {
      const country = readCountries(world).find((one) => one.id === id);
      const longitudes = (country?.polygons ?? [])
        .flatMap(cutPolygon)
        .flat(2)
        .map(([longitude]) => longitude);
      expect([Math.min(...longitudes) < -177, Math.max(...longitudes) > 177]).toEqual([true, true]);
    }
  });
});

describe('MAP-1: shapes over the antimeridian', () => {
  it('are cut in two, without loss', () => {
    const middle = fc.integer({ min: -180, max: 180 });
    fc.assert(
      fc.property(
        middle,
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: -60, max: 60 }),
        (at, half, south) => {
          const wrap = (longitude: number) =>
            longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
          const square: Ring = [
            [wrap(at - half), south],
            [wrap(at), south],
            [wrap(at + half), south],
            [wrap(at + half), south + 10],
            [wrap(at), south + 10],
            [wrap(at - half), south + 10],
            [wrap(at - half), south],
          ];
          const parts = cutPolygon([square]);
          const inside = parts.flat(2).every(([longitude]) => Math.abs(longitude) <= 180);
          const sum = parts.reduce((total, [ring]) => total + area(ring ?? []), 0);
          expect([inside, Math.round(sum)]).toEqual([true, half * 20]);
        },
      ),
    );
  });
});

describe('MAP-1: names on the base map', () => {
  it('are those of the language, from the browser', () => {
    expect(['en', 'de', 'fr'].map((language) => countryName('276', 'x', language))).toEqual([
      'Germany',
      'Deutschland',
      'Allemagne',
    ]);
    expect([
      countryName(null, 'Somaliland', 'de'),
      countryName('900', 'x', 'de'),
      countryName('', 'x', 'de'),
    ]).toEqual(['Somaliland', 'x', 'x']);
  });

  it('are in every language for each country and sea', () => {
    const unnamed = readCountries(worlds[0] as Topology).filter(
      ({ id, name }) => id !== null && countryName(id, '', 'fr') === '' && name !== '',
    );
    expect(unnamed.map(({ name }) => name)).toEqual([]);
    expect(seas.filter(({ en, de, fr }) => [en, de, fr].includes(''))).toEqual([]);
  });
});
