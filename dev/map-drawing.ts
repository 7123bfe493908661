// Draws layers as pictures, for the demo's own map server.
import { fromLonLat } from 'ol/proj.js';
import { pngFile } from '#server/testing/png.ts';
import type { Position } from '#server/testing/whole-rings.ts';
import type { Colour, WorldFeature, WorldLayer } from '#server/testing/world-layers.ts';

/** The window of a map: its sides in the units of the projection, and its size in pixels. */
export type MapWindow = Record<'west' | 'south' | 'east' | 'north' | 'width' | 'height', number> & {
  projection: 'degrees' | 'mercator';
};

type Point = readonly [x: number, y: number];

const pointRadius = 5;

/** Draws the layers as a PNG, the first at the bottom, on a transparent background. */
export function drawMap(
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
export function drawLegend({ colour }: WorldLayer): Buffer {
  const size = 20;
  const pixels = new Uint8Array(size * size * 4);
  for (let y = 2; y < size - 2; y += 1)
    for (let x = 2; x < size - 2; x += 1) paint(pixels, [size, size], x, y, colour);
  return pngFile({ width: size, height: size, pixels });
}

/** The features that are at a pixel, or some pixels from it. */
export function featuresAt(features: readonly WorldFeature[], window: MapWindow, [x, y]: Point) {
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
