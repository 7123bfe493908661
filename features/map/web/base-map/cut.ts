import type { Point, Polygon, Ring } from './topology.ts';
import type { Place } from '../coordinates/place.ts';

/*
 * Shapes over the antimeridian jump from 180 to -180, and would be drawn across the whole map. They are first
 * unrolled, so that no step is longer than half the world, then cut into worlds of 360 degrees.
 */

const worlds = [-1, 0, 1] as const;

/** The same points, with longitudes that continue beyond 180 where the shape crosses the antimeridian. */
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

/** The parts of a polygon between -180 and 180 degrees. A ring around a pole is closed over the pole. */
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

/** The world that a point is in; a point on an edge is in the world of the point before it or after it. */
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

/** Moves a hole into the world of its outer ring, since both were unrolled separately. */
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

type Sea = {
  at: Place;
  /** The zoom from which the sea's name has room. */
  from: number;
  en: string;
  de: string;
  fr: string;
};

const sea = (at: Place, from: number, en: string, de: string, fr: string): Sea => ({ at, from, en, de, fr });

/** The oceans and larger seas, with a place near their middle. No data set in a package names them in three languages. */
export const seas: readonly Sea[] = [
  sea([-38, 32], 0, 'North Atlantic Ocean', 'Nordatlantik', 'Océan Atlantique Nord'),
  sea([-15, -28], 0, 'South Atlantic Ocean', 'Südatlantik', 'Océan Atlantique Sud'),
  sea([-150, 28], 0, 'North Pacific Ocean', 'Nordpazifik', 'Océan Pacifique Nord'),
  sea([-125, -28], 0, 'South Pacific Ocean', 'Südpazifik', 'Océan Pacifique Sud'),
  sea([80, -22], 0, 'Indian Ocean', 'Indischer Ozean', 'Océan Indien'),
  sea([-5, 82], 1, 'Arctic Ocean', 'Arktischer Ozean', 'Océan Arctique'),
  sea([20, -62], 0, 'Southern Ocean', 'Südlicher Ozean', 'Océan Austral'),
  sea([18, 34.5], 2.5, 'Mediterranean Sea', 'Mittelmeer', 'Mer Méditerranée'),
  sea([34.5, 43.2], 3.5, 'Black Sea', 'Schwarzes Meer', 'Mer Noire'),
  sea([50.5, 41.5], 3.5, 'Caspian Sea', 'Kaspisches Meer', 'Mer Caspienne'),
  sea([3, 56.5], 3.5, 'North Sea', 'Nordsee', 'Mer du Nord'),
  sea([19.5, 57.5], 4, 'Baltic Sea', 'Ostsee', 'Mer Baltique'),
  sea([2, 68], 3, 'Norwegian Sea', 'Europäisches Nordmeer', 'Mer de Norvège'),
  sea([40, 74], 3, 'Barents Sea', 'Barentssee', 'Mer de Barents'),
  sea([66, 75.5], 3.5, 'Kara Sea', 'Karasee', 'Mer de Kara'),
  sea([123, 76], 3.5, 'Laptev Sea', 'Laptewsee', 'Mer des Laptev'),
  sea([163, 73], 3.5, 'East Siberian Sea', 'Ostsibirische See', 'Mer de Sibérie orientale'),
  sea([-5, 77], 3.5, 'Greenland Sea', 'Grönlandsee', 'Mer du Groenland'),
  sea([-67, 73], 3, 'Baffin Bay', 'Baffin-Bucht', 'Baie de Baffin'),
  sea([-85, 59.5], 3, 'Hudson Bay', 'Hudson-Bucht', 'Baie d’Hudson'),
  sea([-54, 58], 3, 'Labrador Sea', 'Labradorsee', 'Mer du Labrador'),
  sea([-140, 72.5], 3.5, 'Beaufort Sea', 'Beaufortsee', 'Mer de Beaufort'),
  sea([-90, 25], 3, 'Gulf of Mexico', 'Golf von Mexiko', 'Golfe du Mexique'),
  sea([-75, 15], 2.5, 'Caribbean Sea', 'Karibisches Meer', 'Mer des Caraïbes'),
  sea([-4.5, 45.5], 4.5, 'Bay of Biscay', 'Golf von Biskaya', 'Golfe de Gascogne'),
  sea([15.5, 43.1], 5, 'Adriatic Sea', 'Adria', 'Mer Adriatique'),
  sea([25, 38.8], 5, 'Aegean Sea', 'Ägäis', 'Mer Égée'),
  sea([12, 39.9], 4.8, 'Tyrrhenian Sea', 'Tyrrhenisches Meer', 'Mer Tyrrhénienne'),
  sea([38.5, 20.5], 3.5, 'Red Sea', 'Rotes Meer', 'Mer Rouge'),
  sea([51.5, 27], 4.5, 'Persian Gulf', 'Persischer Golf', 'Golfe Persique'),
  sea([64, 15], 2.5, 'Arabian Sea', 'Arabisches Meer', 'Mer d’Arabie'),
  sea([88, 14], 2.5, 'Bay of Bengal', 'Golf von Bengalen', 'Golfe du Bengale'),
  sea([95.5, 10.5], 4, 'Andaman Sea', 'Andamanensee', 'Mer d’Andaman'),
  sea([1, 0.5], 3, 'Gulf of Guinea', 'Golf von Guinea', 'Golfe de Guinée'),
  sea([40.5, -18], 3.5, 'Mozambique Channel', 'Straße von Mosambik', 'Canal du Mozambique'),
  sea([114, 13], 2.8, 'South China Sea', 'Südchinesisches Meer', 'Mer de Chine méridionale'),
  sea([125, 28.5], 3.5, 'East China Sea', 'Ostchinesisches Meer', 'Mer de Chine orientale'),
  sea([123, 36], 4.2, 'Yellow Sea', 'Gelbes Meer', 'Mer Jaune'),
  sea([135, 39.8], 3.5, 'Sea of Japan', 'Japanisches Meer', 'Mer du Japon'),
  sea([149, 54], 3, 'Sea of Okhotsk', 'Ochotskisches Meer', 'Mer d’Okhotsk'),
  sea([-178, 58], 3, 'Bering Sea', 'Beringmeer', 'Mer de Béring'),
  sea([134, 19], 2.8, 'Philippine Sea', 'Philippinensee', 'Mer des Philippines'),
  sea([122, 3.6], 4, 'Celebes Sea', 'Celebessee', 'Mer de Célèbes'),
  sea([112, -5], 4, 'Java Sea', 'Javasee', 'Mer de Java'),
  sea([126, -6.5], 4, 'Banda Sea', 'Bandasee', 'Mer de Banda'),
  sea([133, -9.3], 4, 'Arafura Sea', 'Arafurasee', 'Mer d’Arafura'),
  sea([155, -16.5], 3, 'Coral Sea', 'Korallenmeer', 'Mer de Corail'),
  sea([160, -38], 2.5, 'Tasman Sea', 'Tasmansee', 'Mer de Tasman'),
  sea([131, -34], 3, 'Great Australian Bight', 'Große Australische Bucht', 'Grande Baie australienne'),
  sea([-145, 57], 3, 'Gulf of Alaska', 'Golf von Alaska', 'Golfe d’Alaska'),
  sea([-42, -72], 2, 'Weddell Sea', 'Weddellmeer', 'Mer de Weddell'),
  sea([-175, -75], 2, 'Ross Sea', 'Rossmeer', 'Mer de Ross'),
  sea([-48, -57], 3, 'Scotia Sea', 'Scotiasee', 'Mer de Scotia'),
];
