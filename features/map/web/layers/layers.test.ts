import type { MapLayer } from '#features/map/contract/map.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layerTitle, layerTree, searchLayers } from './layer-tree.ts';
import { changed, firstShown, toggled, moved } from './shown-layers.ts';
import { mostTimes, readTimes } from './time-dimension.ts';

function layer(name: string, more: Partial<MapLayer> = {}): MapLayer {
  return {
    name,
    title: name,
    titles: { en: '', de: '', fr: '' },
    abstract: '',
    groups: [],
    queryable: true,
    onAtFirst: false,
    bounds: null,
    time: null,
    scale: { least: null, most: null },
    styles: [],
    attribution: '',
    ...more,
  };
}

describe('MAP-1: the list of layers', () => {
  const cities = layer('a:cities', {
    title: 'Cities',
    titles: { en: '', de: 'Städte', fr: '' },
    groups: ['World'],
  });
  const geneva = layer('a:geneva', { title: 'Genève', groups: ['World', 'Lakes'], abstract: 'Water' });
  const roads = layer('b:roads', { onAtFirst: true });

  it('is a tree of the groups of the map server', () => {
    const { layers, groups, count } = layerTree([cities, roads, geneva]);
    expect([layers, count]).toEqual([[roads], 3]);
    expect(groups).toEqual([
      expect.objectContaining({
        title: 'World',
        count: 2,
        layers: [cities],
        groups: [expect.objectContaining({ title: 'Lakes', count: 1, layers: [geneva] })],
      }),
    ]);
  });

  it('holds each layer once, whatever the groups are called', () => {
    const name = fc.constantFrom('', '/', 'a', '__proto__', 'a/b', '%2F');
    fc.assert(
      fc.property(fc.array(fc.array(name, { maxLength: 3 })), (all) => {
        const layers = all.map((groups, index) => layer(`l${index}`, { groups }));
        const inside = (group: ReturnType<typeof layerTree>): MapLayer[] => [
          ...group.layers,
          ...group.groups.flatMap(inside),
        ];
        expect(new Set(inside(layerTree(layers)))).toEqual(new Set(layers));
      }),
    );
  });

  it('shows the title of operators, then that of the map server, then the name', () => {
    expect([
      layerTitle(cities, 'de'),
      layerTitle(cities, 'fr'),
      layerTitle(layer('x', { title: '' }), 'en'),
    ]).toEqual(['Städte', 'Cities', 'x']);
  });

  it('is searched by words, without accents', () => {
    const find = (typed: string) =>
      searchLayers([cities, roads, geneva], typed, 'de').map(({ name }) => name);
    expect(find('geneve water')).toEqual(['a:geneva']);
    expect(find('STADTE')).toEqual(['a:cities']);
    expect(find('lakes')).toEqual(['a:geneva']);
    expect(find('nowhere')).toEqual([]);
  });

  it('begins with the layers of the link, or with those that are on at first', () => {
    const linked = { name: 'c', opacity: 30, time: null };
    expect(firstShown([cities, roads], [linked])).toEqual([linked]);
    expect(firstShown([cities, roads], null).map(({ name }) => name)).toEqual(['b:roads']);
  });

  it('puts a chosen layer on top, and takes it away again', () => {
    const two = toggled(toggled([], 'a'), 'b');
    expect(two.map(({ name }) => name)).toEqual(['b', 'a']);
    expect(toggled(two, 'b')).toEqual(toggled([], 'a'));
    expect(changed(two, 'a', { opacity: 5 }).map(({ opacity }) => opacity)).toEqual([100, 5]);
  });
});

describe('MAP-1: the order of layers', () => {
  it('moves one layer, and leaves the others in their order', () => {
    const list = fc.uniqueArray(fc.integer(), { minLength: 1 });
    fc.assert(
      fc.property(list, fc.nat(20), fc.integer({ min: -5, max: 25 }), (all, from, to) => {
        const after = moved(all, from, to);
        const entry = all[from];
        expect(after.filter((one) => one !== entry)).toEqual(all.filter((one) => one !== entry));
        const place = Math.max(0, Math.min(all.length - 1, to));
        expect(after.indexOf(entry ?? Number.NaN)).toBe(entry === undefined ? -1 : place);
      }),
    );
  });
});

describe('MAP-1: the times of a layer', () => {
  it.each([
    ['2020-01-01,2021-01-01', ['2020-01-01', '2021-01-01']],
    ['2021,2020', ['2020', '2021']],
    ['2020-01-30/2020-03-31/P1M', ['2020-01-30', '2020-02-29', '2020-03-30']],
    [
      '2020-01-01T00:00:00Z/2020-01-01T02:00:00Z/PT1H',
      ['2020-01-01T00:00:00Z', '2020-01-01T01:00:00Z', '2020-01-01T02:00:00Z'],
    ],
    ['2000/2020/P10Y', ['2000', '2010', '2020']],
    ['2020-01-01/2020-01-02', ['2020-01-01', '2020-01-02']],
  ])('reads %s', (text, values) => {
    expect(readTimes(text, undefined)).toEqual({ values, initial: values.at(-1) });
  });

  it('begins with the time that the server prefers', () => {
    expect(readTimes('2020-01-01,2021-01-01', '2020-01-01T00:00:00Z')?.initial).toBe('2020-01-01');
  });

  it.each(['', 'current', '2021-01-01/2020-01-01/P1D', 'x/y/z', '//'])('reads no time in %j', (text) => {
    expect(readTimes(text, undefined)).toBeNull();
  });

  it('keeps the newest of too many', () => {
    const times = readTimes('1900-01-01T00:00:00Z/2020-01-01T00:00:00Z/PT1S', undefined);
    expect(times?.values.length).toBeLessThanOrEqual(mostTimes);
    expect(times?.values.at(-1)).toBe('2020-01-01T00:00:00Z');
  });
});
