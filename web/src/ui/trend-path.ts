/** A point of a chart: 0 is the left and the top, 1 the right and the bottom. */
export type Point = readonly [x: number, y: number];

/** Room above the highest value, so that the line is not cut. */
const headroom = 0.06;

/**
 * The lines of a chart, each from gap to gap. A single value between two gaps becomes a line half a step wide.
 *
 * @param values the values at equal distances; null: a gap
 */
export function linesOf(values: readonly (number | null)[]): Point[][] {
  const most = highest(values);
  const step = values.length < 2 ? 1 : 1 / (values.length - 1);
  const lines: Point[][] = [];
  let line: Point[] = [];
  for (const [index, value] of [...values, null].entries()) {
    if (value !== null) {
      line.push([index * step, 1 - (value / most) * (1 - headroom)]);
    } else if (line.length > 0) {
      lines.push(line);
      line = [];
    }
  }
  return lines.map((points) => (points.length > 1 ? points : widened(points, step / 4)));
}

function widened([point]: readonly Point[], by: number): Point[] {
  const [x, y] = point ?? [0, 1];
  return [
    [Math.max(0, x - by), y],
    [Math.min(1, x + by), y],
  ];
}

/** The heights of bars, 0 to 1; any value above 0 is visible, even among thousands. */
export function barsOf(values: readonly (number | null)[]): number[] {
  const most = highest(values);
  return values.map((value) => (value === null || value === 0 ? 0 : Math.max(0.06, value / most)));
}

/**
 * The index of the value that is drawn at a place, of `count` values.
 *
 * @param place from 0 at the left to 1 at the right
 * @param kind a line begins and ends at the edges of the chart; a bar is in the middle of its space
 */
export function indexAt(place: number, count: number, kind: 'line' | 'bars'): number {
  const index = kind === 'line' ? Math.round(place * (count - 1)) : Math.floor(place * count);
  return Math.min(count - 1, Math.max(0, index));
}

/** The place at which a value is drawn, 0 to 1: the inverse of `indexAt`. */
export function placeOf(index: number, count: number, kind: 'line' | 'bars'): number {
  if (kind === 'bars') return (index + 0.5) / count;
  return count < 2 ? 0 : index / (count - 1);
}

function highest(values: readonly (number | null)[]): number {
  return Math.max(1, ...values.map((value) => value ?? 0));
}
