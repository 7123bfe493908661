import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostLinked, readLayers, readView, writeLayers, writeView, zoomRange } from './view-link.ts';

describe('MAP-1: a link that reproduces the view', () => {
  it('is readable', () => {
    expect(writeView({ center: [11.575_49, 48.137_43], zoom: 7.5 })).toBe('48.13743,11.57549,7.5');
    expect(
      writeLayers([
        { name: 'topp:roads', opacity: 60, time: null },
        { name: 'a,b~c', opacity: 100, time: '2020-01-01' },
      ]),
    ).toBe('topp:roads~60,a%2cb%7ec~100~2020-01-01');
  });

  it('returns to the same place and zoom', () => {
    const angle = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    const zoom = fc.double({ min: zoomRange.least, max: zoomRange.most, noNaN: true });
    fc.assert(
      fc.property(angle(180), angle(85), zoom, (longitude, latitude, level) => {
        const read = readView(writeView({ center: [longitude, latitude], zoom: level }));
        expect(read?.center[0]).toBeCloseTo(longitude, 4);
        expect(read?.center[1]).toBeCloseTo(latitude, 4);
        expect(read?.zoom).toBeCloseTo(level, 1);
      }),
    );
  });

  it('returns to the same layers, whatever they are called', () => {
    const layer = fc.record({
      name: fc.string({ minLength: 1, unit: 'grapheme' }),
      opacity: fc.integer({ min: 0, max: 100 }),
      time: fc.option(fc.string({ minLength: 1 })),
    });
    const layers = fc.uniqueArray(layer, { selector: ({ name }) => name, maxLength: mostLinked });
    fc.assert(
      fc.property(layers, (all) => {
        expect(readLayers(writeLayers(all))).toEqual(all);
      }),
    );
  });

  it('tells a map without layers from an address that names none', () => {
    expect(readLayers(writeLayers([]))).toEqual([]);
    expect(readLayers('')).toBeNull();
    expect(readLayers(writeLayers([{ name: '-', opacity: 100, time: null }]))).toEqual([
      { name: '-', opacity: 100, time: null },
    ]);
  });

  it.each(['', '1,2', '91,0,3', '0,181,3', 'a,b,c', '1e5,0,3', '48,11,7,5', `${'1'.repeat(500)},0,1`])(
    'ignores the view %j',
    (text) => {
      expect(readView(text)).toBeNull();
    },
  );

  it('takes at most 50 layers, each once, with an opacity of at most 100', () => {
    const many = Array.from({ length: 80 }, (_, index) => `l${index}`).join(',');
    expect(readLayers(many)).toHaveLength(mostLinked);
    expect(readLayers('a~999,a~5,,b~x')).toEqual([
      { name: 'a', opacity: 100, time: null },
      { name: 'b', opacity: 100, time: null },
    ]);
  });
});
