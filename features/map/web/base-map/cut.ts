import type { Point, Polygon, Ring } from './topology.ts';

/*
 * Shapes over the antimeridian jump from 180 to -180, and would be drawn across the whole map. They are first
 * unrolled, so that no step is longer than half the world, then cut into worlds of 360 degrees.
 */

const worlds = [-1, 0, 1] as const;

/** The same shape, whose longitudes go on beyond 180 where it crosses the antimeridian. */
export function unrolled(points: readonly Point[]): Point[] {
  let turns = 0;
  let last: number | undefined;
  return points.map(([longitude, latitude]) => {
    const step = last === undefined ? 0 : longitude - last;
    if (step > 180) turns -= 1;
    else if (step < -180) turns += 1;
    last = longitude;
    return [longitude + turns * 360, latitude];
  });
}

/** The parts of a polygon between -180 and 180 degrees. A ring around a pole is closed over it. */
export function cutPolygon([outer, ...holes]: Polygon): Polygon[] {
  if (outer === undefined) return [];
  const whole = closedOverPole(unrolled(outer));
  const others = holes.map((hole) => inWorldOf(unrolled(hole), whole));
  return worlds.flatMap((world) => {
    const [west, east] = [world * 360 - 180, world * 360 + 180];
    const part = clipped(whole, west, east);
    if (part.length < 4) return [];
    const parts = others.map((hole) => clipped(hole, west, east)).filter((hole) => hole.length >= 4);
    return [[part, ...parts].map((ring) => moved(ring, -world * 360))];
  });
}

/** The parts of a line between -180 and 180 degrees, without the antimeridian itself. */
export function cutLine(points: readonly Point[]): Point[][] {
  const parts: Point[][] = [];
  let part: Point[] = [];
  let world: number | null = null;
  const line = unrolled(points);
  for (const [index, point] of line.entries()) {
    const next = line[index + 1];
    const own: number = worldOf(point, next, world);
    part.push([point[0] - own * 360, point[1]]);
    world = own;
    if (next === undefined) break;
    const edge = own * 360 + (next[0] > point[0] ? 180 : -180);
    const crosses = next[0] > own * 360 + 180 || next[0] < own * 360 - 180;
    if (!crosses) continue;
    const latitude = latitudeAt(point, next, edge);
    part.push([edge - own * 360, latitude]);
    parts.push(part);
    world = own + (next[0] > point[0] ? 1 : -1);
    part = [[edge - world * 360, latitude]];
  }
  parts.push(part);
  return parts.filter(
    (piece) => piece.length > 1 && !piece.every(([longitude]) => Math.abs(longitude) === 180),
  );
}

/** In which world a point is; on an edge it belongs to that of the point before it or after it. */
function worldOf([longitude]: Point, next: Point | undefined, before: number | null): number {
  if (before !== null && Math.abs(longitude - before * 360) <= 180) return before;
  const towards = next === undefined ? longitude : (longitude + next[0]) / 2;
  return Math.round(towards / 360);
}

function closedOverPole(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined || Math.abs(last[0] - first[0]) < 180) return ring;
  const mean = ring.reduce((sum, [, latitude]) => sum + latitude, 0) / ring.length;
  const pole = mean < 0 ? -90 : 90;
  return [...ring, [last[0], pole], [first[0], pole], first];
}

/** A hole may have been unrolled in another world than its outer ring. */
function inWorldOf(hole: Ring, outer: Ring): Ring {
  const middle = (ring: Ring) => {
    const longitudes = ring.map(([longitude]) => longitude);
    return (Math.min(...longitudes) + Math.max(...longitudes)) / 2;
  };
  return moved(hole, Math.round((middle(outer) - middle(hole)) / 360) * 360);
}

const moved = (ring: Ring, by: number): Ring =>
  by === 0 ? ring : ring.map(([longitude, latitude]) => [longitude + by, latitude]);

/** The part of a ring between two meridians (Sutherland and Hodgman), closed. */
function clipped(ring: Ring, west: number, east: number): Ring {
  if (ring.every(([longitude]) => longitude >= west && longitude <= east)) return ring;
  const half = clippedAt(clippedAt(ring, west, 1), east, -1);
  const first = half[0];
  if (first === undefined || half.every(([longitude]) => longitude === first[0])) return [];
  return [...half, first];
}

function clippedAt(ring: Ring, edge: number, side: 1 | -1): Ring {
  const isInside = ([longitude]: Point) => (longitude - edge) * side >= 0;
  return ring.flatMap((point, index) => {
    const next = ring[(index + 1) % ring.length] ?? point;
    const kept: Point[] = isInside(point) ? [point] : [];
    if (isInside(point) !== isInside(next)) kept.push([edge, latitudeAt(point, next, edge)]);
    return kept;
  });
}

function latitudeAt(a: Point, b: Point, longitude: number): number {
  const share = b[0] === a[0] ? 0 : (longitude - a[0]) / (b[0] - a[0]);
  return a[1] + share * (b[1] - a[1]);
}
