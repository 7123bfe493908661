import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { barsOf, indexAt, linesOf, placeOf, type Point } from './trend-path.ts';
import './trend.css';

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
