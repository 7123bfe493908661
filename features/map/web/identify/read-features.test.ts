import { describe, expect, it } from 'vitest';
import { createMeasures } from '../measure/lengths.ts';
import { scaleBar, scaleDenominator } from '../view/map-canvas.tsx';
import { bestInfoFormat, readFeatures } from './read-features.ts';

describe('MAP-1: what is at a point', () => {
  it('is called by the first property that reads like a name', () => {
    const geometry = { type: 'Point', coordinates: [1, 2] };
    const answer = {
      features: [{ properties: { gid: 4, NAME_DE: 'Rhein', empty: '', of: { a: 1 } }, geometry }],
    };
    expect(readFeatures(answer)).toEqual([
      {
        title: 'Rhein',
        properties: [
          ['gid', '4'],
          ['NAME_DE', 'Rhein'],
          ['of', '{"a":1}'],
        ],
        geometry,
      },
    ]);
  });

  it.each([null, 4, 'x', {}, { features: 4 }])('is nothing in %j', (answer) => {
    expect(readFeatures(answer)).toEqual([]);
  });

  it('is bounded', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`p${index}`, 'x'.repeat(5000)]),
    );
    const found = readFeatures({ features: Array.from({ length: 90 }, () => ({ properties })) });
    expect([found.length, found[0]?.properties.length, found[0]?.properties[0]?.[1].length]).toEqual([
      50, 100, 2001,
    ]);
  });

  it('is asked for in the best format that the server has', () => {
    expect([bestInfoFormat(['text/plain', 'application/json']), bestInfoFormat(['text/xml'])]).toEqual([
      'application/json',
      null,
    ]);
  });
});

describe('MAP-1: the scale', () => {
  it('is a round length that fits', () => {
    expect(scaleBar(10, 90)).toEqual({ metres: 500, pixels: 50 });
    expect(scaleBar(0.3, 90)).toEqual({ metres: 20, pixels: expect.closeTo(66.7, 1) });
  });

  it('is rounded as a ratio', () => {
    expect([scaleDenominator(156_543), scaleDenominator(0.28)]).toEqual([560_000_000, 1000]);
  });

  it('has units that suit it', () => {
    const { length, area } = createMeasures('en');
    expect([length(12.345), length(4500), area(500), area(25_000), area(3_200_000)]).toEqual([
      '12.3 m',
      '4.5 km',
      '500 m²',
      '2.5 ha',
      '3.2 km²',
    ]);
  });
});
