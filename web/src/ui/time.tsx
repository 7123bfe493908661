import { useEffect, useId, useRef, useState } from 'react';
import './time.css';

/** The formats of times for the person; `platform/i18n` creates them by locale and time zone. */
export type TimeFormats = {
  /** Both in milliseconds since the epoch. */
  relative: (at: number, now: number) => string;
  exact: (at: number) => string;
};

type TimeProps = {
  /** Milliseconds since the epoch. */
  at: number;
  formats: TimeFormats;
  /** Returns the current time; the time of the server where the difference matters. */
  now?: () => number;
};

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * A time relative to now, kept up to date; the exact one shows on hover, on focus and at a tap. Escape hides
 * it again.
 */
export function Time({ at, formats, now = Date.now }: TimeProps) {
  const id = useId();
  const [current, setCurrent] = useState(now);
  const [shown, setShown] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const distance = Math.abs(current - at);
    const wait = distance < minute ? 5 * second : distance < hour ? 30 * second : 10 * minute;
    const timer = setTimeout(() => setCurrent(now()), wait);
    return () => clearTimeout(timer);
  }, [at, current, now]);

  useEffect(() => {
    const element = tip.current;
    const from = anchor.current?.getBoundingClientRect();
    if (!shown || element === null || from === undefined) return undefined;
    element.showPopover();
    const left = from.left + from.width / 2 - element.offsetWidth / 2;
    const above = from.top - element.offsetHeight - 4;
    element.style.left = `${Math.max(8, Math.min(left, window.innerWidth - element.offsetWidth - 8))}px`;
    element.style.top = `${above >= 4 ? above : from.bottom + 4}px`;
    const hide = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setShown(false);
    };
    document.addEventListener('keydown', hide);
    return () => {
      document.removeEventListener('keydown', hide);
      if (element.isConnected) element.hidePopover();
    };
  }, [shown]);

  return (
    <>
      <button
        ref={anchor}
        type="button"
        className="time"
        aria-describedby={id}
        onClick={() => setShown(true)}
        onMouseEnter={() => setShown(true)}
        onMouseLeave={() => setShown(false)}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
      >
        <time dateTime={new Date(at).toISOString()}>{formats.relative(at, current)}</time>
      </button>
      <span ref={tip} id={id} role="tooltip" popover="manual" className="time-exact small rounded">
        {formats.exact(at)}
      </span>
    </>
  );
}
