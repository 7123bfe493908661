// A map server of the demo's own, for machines without MapServer: WMS 1.3.0 of a few layers.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromLonLat } from 'ol/proj.js';
import { pngFile } from '#server/testing/png.ts';
import type { Position } from '#server/testing/whole-rings.ts';
import type { Colour, WorldFeature, WorldLayer } from '#server/testing/world-layers.ts';

/** The reason why a request cannot be answered, with its WMS error code. */
class WmsException extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const largest = 4_096;

export async function startSmallMapServer(layers: readonly WorldLayer[]) {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const asked = new Map([...url.searchParams].map(([name, value]) => [name.toUpperCase(), value]));
    try {
      if (url.pathname !== '/wms' || asked.get('SERVICE') !== 'WMS')
        throw new WmsException('OperationNotSupported', 'This server has WMS alone.');
      answer(asked, `http://${request.headers.host}/wms?`, layers, response);
    } catch (error) {
      const { code, message } = error instanceof WmsException ? error : new WmsException('', String(error));
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(
        `<ServiceExceptionReport version="1.3.0"><ServiceException code="${code}">${message}</ServiceException></ServiceExceptionReport>`,
      );
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Parameters = ReadonlyMap<string, string>;

function answer(asked: Parameters, at: string, layers: readonly WorldLayer[], response: ServerResponse) {
  const send = (type: string, body: string | Buffer) =>
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
  const request = asked.get('REQUEST');
  if (request === 'GetCapabilities') send('text/xml', capabilities(layers, at));
  else if (request === 'GetMap')
    send('image/png', drawMap(named(asked.get('LAYERS'), layers, asked), windowOf(asked)));
  else if (request === 'GetLegendGraphic') {
    const [found] = named(asked.get('LAYER'), layers, asked);
    if (found !== undefined) send('image/png', drawLegend(found.layer));
  } else if (request === 'GetFeatureInfo') {
    const place = [Number(asked.get('I')), Number(asked.get('J'))] as const;
    const found = named(asked.get('QUERY_LAYERS'), layers, asked).flatMap(({ features }) =>
      featuresAt(features, windowOf(asked), place),
    );
    send('application/json', JSON.stringify({ type: 'FeatureCollection', features: found }));
  } else throw new WmsException('OperationNotSupported', 'This server does not know this request.');
}

/** The layers named in a list, where a group stands for its layers, with their features at a requested time. */
function named(list = '', layers: readonly WorldLayer[], asked: Parameters) {
  return list.split(',').flatMap((name) => {
    const found = layers.filter((layer) => layer.name === name || layer.group?.name === name);
    if (found.length === 0) throw new WmsException('LayerNotDefined', 'There is no such layer.');
    return found.map((layer) => ({ layer, features: ofTime(layer, asked.get('TIME')) }));
  });
}

function ofTime({ time, features }: WorldLayer, asked?: string): readonly WorldFeature[] {
  if (time === null) return features;
  // A day counts as its month.
  const [from = '', to = from] = (asked || time.default).split('/').map((part) => part.slice(0, 7));
  return features.filter(({ properties: { month = '' } }) => month >= from && month <= to);
}

function windowOf(asked: Parameters): MapWindow {
  const crs = asked.get('CRS') ?? '';
  const projection = crs === 'EPSG:3857' ? 'mercator' : /^(?:EPSG:4326|CRS:84)$/.test(crs) ? 'degrees' : null;
  if (projection === null)
    throw new WmsException('InvalidCRS', 'This server knows EPSG:3857, EPSG:4326 and CRS:84.');
  const sides = (asked.get('BBOX') ?? '').split(',').map(Number);
  const [width, height] = [Number(asked.get('WIDTH')), Number(asked.get('HEIGHT'))];
  const isSize = (side: number): boolean => Number.isInteger(side) && side > 0 && side <= largest;
  if (sides.length !== 4 || !sides.every(Number.isFinite) || !isSize(width) || !isSize(height))
    throw new WmsException('InvalidParameterValue', 'BBOX, WIDTH and HEIGHT are not as they should be.');
  // EPSG:4326 has the latitude first (OGC 06-042, 6.7.3).
  const [west = 0, south = 0, east = 0, north = 0] =
    crs === 'EPSG:4326' ? [1, 0, 3, 2].map((at) => sides[at]) : sides;
  return { projection, west, south, east, north, width, height };
}

function capabilities(layers: readonly WorldLayer[], at: string): string {
  const link = `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${at}"/>`;
  const request = (name: string, format: string): string =>
    `<${name}><Format>${format}</Format><DCPType><HTTP><Get>${link}</Get></HTTP></DCPType></${name}>`;
  const groups = new Map(layers.flatMap(({ group }) => (group === null ? [] : [[group.name, group.title]])));
  const described = (of: string | undefined) =>
    layers.flatMap((layer) => (layer.group?.name === of ? [description(layer, at)] : [])).join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
<Service><Name>WMS</Name><Title>World</Title>${link}</Service>
<Capability>
<Request>${request('GetCapabilities', 'text/xml')}${request('GetMap', 'image/png')}${request('GetFeatureInfo', 'application/json')}</Request>
<Layer><Title>World</Title><CRS>EPSG:3857</CRS><CRS>EPSG:4326</CRS><CRS>CRS:84</CRS>
<EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude><eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude><northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>
${described(undefined)}
${[...groups]
  .map(([name, title]) => `<Layer><Name>${name}</Name><Title>${title}</Title>${described(name)}</Layer>`)
  .join('\n')}
</Layer></Capability></WMS_Capabilities>`;
}

function description({ name, title, abstract, time, kind }: WorldLayer, at: string): string {
  const dimension =
    time === null
      ? ''
      : `<Dimension name="time" units="ISO8601" default="${time.default}">${time.values}</Dimension>`;
  return `<Layer queryable="${kind === 'line' ? 0 : 1}"><Name>${name}</Name><Title>${title}</Title><Abstract>${abstract}</Abstract>${dimension}<Attribution><Title>Natural Earth</Title></Attribution><Style><Name>default</Name><Title>${title}</Title><LegendURL width="20" height="20"><Format>image/png</Format><OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="${at}SERVICE=WMS&amp;VERSION=1.3.0&amp;REQUEST=GetLegendGraphic&amp;LAYER=${name}&amp;FORMAT=image/png"/></LegendURL></Style></Layer>`;
}

/* Draws layers as pictures. */

/** The window of a map: its sides in the units of the projection, and its size in pixels. */
type MapWindow = Record<'west' | 'south' | 'east' | 'north' | 'width' | 'height', number> & {
  projection: 'degrees' | 'mercator';
};

type Point = readonly [x: number, y: number];

const pointRadius = 5;

/** Draws the layers as a PNG, the first at the bottom, on a transparent background. */
function drawMap(
  layers: readonly { layer: WorldLayer; features: readonly WorldFeature[] }[],
  window: MapWindow,
): Buffer {
  const { width, height } = window;
  const pixels = new Uint8Array(width * height * 4);
  for (const { layer, features } of layers)
    for (const feature of features) drawFeature(pixels, feature, layer, window);
  return pngFile({ width, height, pixels });
}

/** A square of the layer's colour. */
function drawLegend({ colour }: WorldLayer): Buffer {
  const size = 20;
  const pixels = new Uint8Array(size * size * 4);
  for (let y = 2; y < size - 2; y += 1)
    for (let x = 2; x < size - 2; x += 1) paint(pixels, [size, size], x, y, colour);
  return pngFile({ width: size, height: size, pixels });
}

/** The features that are at a pixel, or some pixels from it. */
function featuresAt(features: readonly WorldFeature[], window: MapWindow, [x, y]: Point) {
  return features.filter(({ geometry }) => {
    if (geometry.type === 'MultiLineString') return false;
    const row = crossings(linesOf(geometry, window, pointRadius + 3), window.height)[Math.floor(y)] ?? [];
    return row.filter((at) => at < x).length % 2 === 1;
  });
}

function drawFeature(
  pixels: Uint8Array,
  { geometry }: WorldFeature,
  { colour }: WorldLayer,
  window: MapWindow,
): void {
  const size: Point = [window.width, window.height];
  const lines = linesOf(geometry, window, pointRadius);
  let edge = colour;
  if (geometry.type !== 'MultiLineString') {
    const shade = (part: number) => (geometry.type === 'Point' ? 255 : Math.round(part * 0.7));
    edge = colour.map(shade) as unknown as Colour;
    crossings(lines, window.height).forEach((row, y) => {
      row.sort((one, other) => one - other);
      for (let pair = 0; pair + 1 < row.length; pair += 2) {
        const end = Math.min(window.width, Math.round(row[pair + 1] ?? 0));
        for (let x = Math.max(0, Math.round(row[pair] ?? 0)); x < end; x += 1)
          paint(pixels, size, x, y, colour);
      }
    });
  }
  for (const line of lines) drawLine(pixels, line, edge, size);
}

/** The lines of a geometry in pixels; those of areas are closed, and a point is a circle. */
function linesOf(geometry: WorldFeature['geometry'], window: MapWindow, radius: number): Point[][] {
  if (geometry.type === 'Point') {
    const [x, y] = pixelOf(geometry.coordinates, window);
    const around = Array.from({ length: 33 }, (_, at) => (at / 16) * Math.PI);
    return [around.map((turn) => [x + radius * Math.cos(turn), y + radius * Math.sin(turn)])];
  }
  const lines = geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : geometry.coordinates;
  return lines.map((line) => line.map((position) => pixelOf(position, window)));
}

/** For each row of pixels, the x positions where the sides of rings cross it. */
function crossings(rings: readonly Point[][], height: number): number[][] {
  const rows: number[][] = Array.from({ length: height }, () => []);
  for (const ring of rings)
    ring.forEach((here, at) => {
      const before = ring[at - 1] ?? here;
      const [upper, lower] = before[1] < here[1] ? [before, here] : [here, before];
      const last = Math.min(height - 1, Math.ceil(lower[1] - 0.5) - 1);
      for (let y = Math.max(0, Math.ceil(upper[1] - 0.5)); y <= last; y += 1)
        rows[y]?.push(upper[0] + ((y + 0.5 - upper[1]) / (lower[1] - upper[1])) * (lower[0] - upper[0]));
    });
  return rows;
}

function drawLine(pixels: Uint8Array, line: readonly Point[], colour: Colour, size: Point): void {
  line.forEach((here, at) => {
    const before = line[at - 1] ?? here;
    if (!isNear(before, size) || !isNear(here, size)) return;
    const steps = Math.ceil(Math.max(Math.abs(here[0] - before[0]), Math.abs(here[1] - before[1]), 1));
    for (let step = 0; step <= steps; step += 1) {
      const part = step / steps;
      const [x, y] = [before[0] + part * (here[0] - before[0]), before[1] + part * (here[1] - before[1])];
      paint(pixels, size, Math.floor(x), Math.floor(y), colour);
    }
  });
}

/** Lines are drawn pixel by pixel; a piece with an end far outside the picture is left out. */
function isNear([x, y]: Point, [width, height]: Point): boolean {
  return x > -4_096 && y > -4_096 && x < width + 4_096 && y < height + 4_096;
}

function paint(pixels: Uint8Array, [width, height]: Point, x: number, y: number, colour: Colour): void {
  if (x >= 0 && y >= 0 && x < width && y < height) pixels.set([...colour, 255], (y * width + x) * 4);
}

function pixelOf(position: Position, window: MapWindow): Point {
  const { projection, west, south, east, north, width, height } = window;
  const [x = 0, y = 0] = projection === 'degrees' ? position : fromLonLat(position);
  return [((x - west) / (east - west)) * width, ((north - y) / (north - south)) * height];
}
