import { inflateSync } from 'node:zlib';
import { worldLayers } from '#server/testing/world-layers.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSmallMapServer } from './small-map-server.ts';

const layers = worldLayers(new Date('2026-03-15T12:00:00Z'));
let server: Awaited<ReturnType<typeof startSmallMapServer>>;
beforeAll(async () => {
  server = await startSmallMapServer(layers);
});
afterAll(() => server.stop());

const size = 360;
const degrees = `CRS=CRS:84&BBOX=-180,-90,180,90&WIDTH=${size}&HEIGHT=180`;
const ask = (query: string) => fetch(`${server.url.href}wms?SERVICE=WMS&VERSION=1.3.0&${query}`);

/** The pixel of a map of the world at a place, as RGBA; a degree is a pixel. */
async function drawn(names: string, [longitude, latitude]: [number, number], more = ''): Promise<number[]> {
  const answer = await ask(`REQUEST=GetMap&LAYERS=${names}&FORMAT=image/png&${degrees}${more}`);
  const file = Buffer.from(await answer.arrayBuffer());
  const data = file.indexOf('IDAT') + 4;
  const rows = inflateSync(file.subarray(data, data + file.readUInt32BE(data - 8)));
  const at = (90 - latitude) * (size * 4 + 1) + 1 + (longitude + 180) * 4;
  return [...rows.subarray(at, at + 4)];
}

it('START-7: the map server of the demo draws land and sea, also near the antimeridian', async () => {
  const countries = [150, 184, 178, 255];
  expect(await drawn('countries', [25, 50])).toEqual(countries);
  expect(await drawn('countries', [-177, 67])).toEqual(countries);
  expect(await drawn('land,countries', [0, -80])).toEqual(countries);
  for (const place of [
    [-30, 30],
    [160, 82],
    [-100, -40],
  ] as [number, number][])
    expect(await drawn('land,countries', place)).toEqual([0, 0, 0, 0]);
});

it('START-7: it draws the month that is asked for, and the last one otherwise', async () => {
  const visited = (month: string) =>
    layers[4]?.features.find(({ properties }) => properties['month'] === month)?.geometry.coordinates;
  const [x = 0, y = 0] = (visited('2026-02') as [number, number]).map(Math.round);
  const colour = [200, 60, 40, 255];
  expect(await drawn('visits', [x, y], '&TIME=2026-02')).toEqual(colour);
  expect(await drawn('visits', [x, y], '&TIME=2026-02-01T00:00:00Z')).toEqual(colour);
  expect(await drawn('visits', [x, y])).toEqual([0, 0, 0, 0]);
  expect(await drawn('visits', [x, y], '&TIME=2026-01/2026-03')).toEqual(colour);
});

it('START-7: it lists its layers, says what is at a point, draws legends, and refuses what it does not know', async () => {
  const capabilities = await (await ask('REQUEST=GetCapabilities')).text();
  for (const { name } of layers) expect(capabilities).toContain(`<Name>${name}</Name>`);
  const found = await ask(
    `REQUEST=GetFeatureInfo&LAYERS=countries&QUERY_LAYERS=countries&INFO_FORMAT=application/json&I=205&J=40&${degrees}`,
  );
  expect(await found.json()).toMatchObject({ features: [{ properties: { name: 'Ukraine' } }] });
  expect((await ask('REQUEST=GetLegendGraphic&LAYER=land')).headers.get('content-type')).toBe('image/png');
  for (const query of [
    `REQUEST=GetMap&LAYERS=nothing&${degrees}`,
    `REQUEST=GetMap&LAYERS=land&${degrees}0000`,
    'REQUEST=GetMap&LAYERS=land&CRS=EPSG:1&BBOX=0,0,1,1&WIDTH=9&HEIGHT=9',
    'REQUEST=GetStyles',
  ])
    expect(await (await ask(query)).text()).toContain('<ServiceException ');
});
