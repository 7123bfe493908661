import { type KeyboardEvent, useRef, useState } from 'react';
import './count-bars.css';

/** One bar, such as an hour or a day: the drawn values, and the text for screen readers and hover. */
export type CountBar = {
  /** The whole bar in words: `21 Nov: 12 events, 3 refused`. */
  text: string;
  value: number;
  /** Drawn above the value, in another colour. */
  above?: number;
};

type CountBarsProps = {
  /** Says what the picture shows, with the sum. */
  label: string;
  bars: readonly CountBar[];
  /** Formats the highest value, for the label of the top line. */
  top: (value: number) => string;
  /** The labels for the times of the first, the middle and the last bar. */
  ends: readonly string[];
  /** Explains the two colours. */
  legend?: { value: string; above: string };
};

const height = 96;

/**
 * Counts over time. Each bar is read on hover and by the keyboard: the picture is one stop for Tab, and the
 * arrows, Home and End move in it.
 */
export function CountBars({ label, bars, top, ends, legend }: CountBarsProps) {
  const picture = useRef<SVGSVGElement>(null);
  const [current, setCurrent] = useState(bars.length - 1);
  const [read, setRead] = useState<number | null>(null);
  const most = Math.max(1, ...bars.map(({ value, above = 0 }) => value + above));
  const focusable = Math.min(current, bars.length - 1);

  function move(event: KeyboardEvent): void {
    const last = bars.length - 1;
    const target = { ArrowLeft: focusable - 1, ArrowRight: focusable + 1, Home: 0, End: last }[event.key];
    if (target === undefined || target < 0 || target > last) return;
    event.preventDefault();
    setCurrent(target);
    picture.current?.querySelector<SVGGElement>(`[data-bar="${target}"]`)?.focus();
  }

  return (
    <figure className="count-bars panel stack gap-2">
      <figcaption className="row wrap between small">
        <span className="strong">{read === null ? label : (bars[read]?.text ?? label)}</span>
        {legend === undefined ? null : (
          <span className="row gap-4 muted">
            <span className="count-bars-key">{legend.value}</span>
            <span className="count-bars-key count-bars-key-above">{legend.above}</span>
          </span>
        )}
      </figcaption>
      <div className="count-bars-picture relative">
        <span className="count-bars-top" aria-hidden="true">
          {top(most)}
        </span>
        <svg
          ref={picture}
          width="100%"
          height={height}
          role="listbox"
          aria-label={label}
          tabIndex={-1}
          onPointerLeave={() => setRead(null)}
        >
          <line x1="0" x2="100%" y1="0.5" y2="0.5" className="count-bars-line" />
          {bars.map((bar, index) => (
            <Bar
              key={index}
              bar={bar}
              index={index}
              width={100 / bars.length}
              scale={(height - 4) / most}
              tabIndex={index === focusable ? 0 : -1}
              onKeyDown={move}
              onRead={setRead}
              onFocused={setCurrent}
            />
          ))}
          <line x1="0" x2="100%" y1={height - 0.5} y2={height - 0.5} className="count-bars-line" />
        </svg>
        <span className="count-bars-ends flex muted" aria-hidden="true">
          {ends.map((end, index) => (
            <span key={index}>{end}</span>
          ))}
        </span>
      </div>
    </figure>
  );
}

type BarProps = {
  bar: CountBar;
  index: number;
  /** The width of one bar in per cent of the picture. */
  width: number;
  /** Pixels of height for a count of one. */
  scale: number;
  tabIndex: number;
  onKeyDown: (event: KeyboardEvent) => void;
  onRead: (index: number | null) => void;
  onFocused: (index: number) => void;
};

function Bar({ bar, index, width, scale, tabIndex, onKeyDown, onRead, onFocused }: BarProps) {
  const { text, value, above = 0 } = bar;
  const left = `${index * width + width * 0.12}%`;
  const wide = `${width * 0.76}%`;
  const tall = heightOf(value, scale);
  const tallAbove = heightOf(above, scale);
  return (
    <g
      role="option"
      aria-selected={tabIndex === 0}
      aria-label={text}
      data-bar={index}
      tabIndex={tabIndex}
      onKeyDown={onKeyDown}
      onPointerEnter={() => onRead(index)}
      onFocus={() => {
        onFocused(index);
        onRead(index);
      }}
      onBlur={() => onRead(null)}
    >
      <rect x={`${index * width}%`} width={`${width}%`} y="0" height={height} className="count-bars-hit" />
      <rect x={left} width={wide} y={height - tall} height={tall} className="count-bars-value" />
      <rect
        x={left}
        width={wide}
        y={height - tall - tallAbove}
        height={tallAbove}
        className="count-bars-above"
      />
    </g>
  );
}

/** The height of a bar; any count above 0 is visible, even among thousands. */
function heightOf(value: number, scale: number): number {
  return value === 0 ? 0 : Math.max(2, Math.round(value * scale));
}

/** A small picture of a few counts over time, without numbers: these are next to it. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const width = 100 / counts.length;
  return (
    <svg className="sparkline" width="96" height="24" aria-hidden="true">
      {counts.map((count, index) => {
        const tall = count === 0 ? 1 : Math.max(2, Math.round((count / most) * 24));
        return (
          <rect
            key={index}
            x={`${index * width}%`}
            width={`${width * 0.8}%`}
            y={24 - tall}
            height={tall}
            className={count === 0 ? 'sparkline-none' : undefined}
          />
        );
      })}
    </svg>
  );
}
