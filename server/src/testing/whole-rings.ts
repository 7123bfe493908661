export type Position = [longitude: number, latitude: number];

/** As far south as the projection of web maps goes. */
const southmost = -85.05;
/** Exactly 180° is on either side of the map. */
const edge = 179.999;

/**
 * A polygon that crosses the antimeridian, as one polygon for each side of it: its longitudes go on beyond 180°
 * instead of jumping to the other side, and what is beyond is cut off there and moved by a turn. One around the
 * pole is closed along the south.
 *
 * @param polygon its outline, then its holes
 */
export function wholeRings(polygon: Position[][]): Position[][][] {
  const [outline = []] = polygon;
  if (!outline.some(([longitude], at) => Math.abs(longitude - (outline[at - 1]?.[0] ?? longitude)) > 180))
    return [polygon];
  const unrolled = polygon.map(unroll);
  const around = unrolled[0] ?? [];
  const [first = [0, 0], last = [0, 0]]: (Position | undefined)[] = [around[0], around.at(-1)];
  if (Math.abs(last[0] - first[0]) > 180) around.push([last[0], southmost], [first[0], southmost], first);
  return [-360, 0, 360]
    .map((turn) => unrolled.map((ring) => cut(cut(moved(ring, turn), 1), -1)))
    .map((rings) => rings.filter((ring) => ring.length > 3))
    .filter((rings) => rings.length > 0);
}

function unroll(ring: readonly Position[]): Position[] {
  let turn = 0;
  return ring.map(([longitude, latitude], at) => {
    const before = ring[at - 1]?.[0] ?? longitude;
    if (longitude - before > 180) turn -= 360;
    else if (before - longitude > 180) turn += 360;
    return [longitude + turn, latitude];
  });
}

function moved(ring: readonly Position[], turn: number): Position[] {
  return ring.map(([longitude, latitude]) => [longitude + turn, Math.max(latitude, southmost)]);
}

/** Cuts off what is beyond the edge on one side (Sutherland and Hodgman). */
function cut(ring: readonly Position[], side: 1 | -1): Position[] {
  const kept: Position[] = [];
  ring.forEach((position, at) => {
    const before = ring[at - 1] ?? position;
    const [isIn, wasIn] = [position[0] * side <= edge, before[0] * side <= edge];
    if (isIn !== wasIn) {
      const part = (edge * side - before[0]) / (position[0] - before[0]);
      kept.push([edge * side, before[1] + part * (position[1] - before[1])]);
    }
    if (isIn) kept.push(position);
  });
  const [first] = kept;
  if (first !== undefined) kept.push(first);
  return kept;
}
