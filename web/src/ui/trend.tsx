import './trend.css';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** A point of a chart: 0 is the left and the top, 1 the right and the bottom. */
type Point = readonly [x: number, y: number];

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

/** One figure: `value` is drawn, `text` is read. */
export type TrendPoint = { value: number | null; text: string };

type TrendProps = {
  kind: 'line' | 'bars';
  /** Says what the picture shows, with the least and the greatest value. */
  label: string;
  points: readonly TrendPoint[];
};

/**
 * A small chart of figures over time. Each figure can be read by pointer and keyboard: the chart is one stop for
 * Tab, and the arrows, Home and End move in it.
 */
export function Trend({ kind, label, points }: TrendProps) {
  const [read, setRead] = useState<number | null>(null);
  const last = points.length - 1;
  const current = Math.min(read ?? last, last);
  const values = points.map(({ value }) => value);

  function point(event: PointerEvent<HTMLElement>): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setRead(indexAt((event.clientX - left) / width, points.length, kind));
  }

  function move(event: KeyboardEvent): void {
    const far = Math.max(1, Math.round(points.length / 24));
    const target = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      PageDown: current - far,
      PageUp: current + far,
      Home: 0,
      End: last,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setRead(Math.min(last, Math.max(0, target)));
  }

  const place = placeOf(current, points.length, kind);
  return (
    <div
      className="trend"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-readonly="true"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={points[current]?.text}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setRead(null)}
      onFocus={() => setRead((before) => before ?? last)}
      onBlur={() => setRead(null)}
      onKeyDown={move}
    >
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        {kind === 'line' ? <Lines values={values} /> : <Bars values={values} read={current} />}
      </svg>
      {read === null ? null : (
        <>
          {kind === 'line' ? <span className="trend-mark" style={{ left: `${place * 100}%` }} /> : null}
          <span
            className="trend-tip small rounded"
            aria-hidden="true"
            style={{ left: `${place * 100}%`, transform: `translateX(-${place * 100}%)` }}
          >
            {points[current]?.text}
          </span>
        </>
      )}
    </div>
  );
}

function Lines({ values }: { values: readonly (number | null)[] }) {
  return linesOf(values).map((points, index) => {
    const text = points.map(written).join(' ');
    const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
    return (
      <g key={index}>
        <polygon className="trend-area" points={`${written([first, 1])} ${text} ${written([last, 1])}`} />
        <polyline className="trend-line" points={text} vectorEffect="non-scaling-stroke" />
      </g>
    );
  });
}

function Bars({ values, read }: { values: readonly (number | null)[]; read: number }) {
  const room = 100 / values.length;
  return barsOf(values).map((tall, index) => (
    <rect
      key={index}
      className={index === read ? 'trend-bar trend-bar-read' : 'trend-bar'}
      x={index * room + room * 0.14}
      width={room * 0.72}
      y={tall === 0 ? 97 : 100 - tall * 100}
      height={tall === 0 ? 3 : tall * 100}
    />
  ));
}

function written([x, y]: Point): string {
  return `${(x * 100).toFixed(2)},${(y * 100).toFixed(2)}`;
}
