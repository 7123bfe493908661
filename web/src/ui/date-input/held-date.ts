import type { DateValue } from '@internationalized/date';
import { useEffect, useRef, useState } from 'react';
import type { DateFieldState } from 'react-stately/useDateFieldState';
import type { DateInputProps } from './date-input-props.ts';
import { dateOf, textOf } from './date-text.ts';

type Held = {
  /** The value that was passed in last. */
  seen: string;
  date: ReturnType<typeof dateOf>;
  /** Values that were passed out, and are not back yet: a filter in the address takes its time. */
  pending: readonly string[];
};

/** The date that the library holds, and how it is changed. */
export function useHeldDate({ value, to, onValue }: DateInputProps) {
  const known = dateOf(value, to);
  const [held, setHeld] = useState<Held>({ seen: value, date: known, pending: [] });
  if (held.seen !== value) setHeld(receive(held, value, known));
  const publish = (text: string, date: Held['date']) => {
    setHeld(({ seen, pending }) => ({ seen, date, pending: [...pending, text] }));
    onValue(text);
  };
  return {
    date: held.date,
    /** The field's value as it is known outside, or will be. */
    text: held.pending.at(-1) ?? (known === null ? '' : textOf(known, to)),
    publish,
    change: (next: Held['date']) => publish(next === null ? '' : textOf(next, to), next),
  };
}

function receive(held: Held, value: string, date: Held['date']): Held {
  const at = held.pending.indexOf(value);
  if (at === -1) return { seen: value, date, pending: [] };
  return { ...held, seen: value, pending: held.pending.slice(at + 1) };
}

/**
 * While a date is being changed the library keeps the former one as its value. The value of the field is empty
 * for as long: no form saves what is not shown.
 *
 * @returns whether a date is typed in part, or a day that its month does not have
 */
export function useShownDate(
  { segments, value }: DateFieldState,
  held: ReturnType<typeof useHeldDate>,
  { to, onHalf }: DateInputProps,
): boolean {
  const editable = segments.filter(({ isEditable }) => isEditable);
  const typed = editable.filter(({ isPlaceholder }) => !isPlaceholder).length;
  const whole = typed === editable.length && value !== null && showsDay(segments, value);
  const half = !whole && typed > 0;
  const text = whole ? textOf(value, to) : '';
  useEffect(() => {
    if (text !== held.text) held.publish(text, held.date);
  });
  const reported = useRef(false);
  useEffect(() => {
    if (half === reported.current) return;
    reported.current = half;
    onHalf?.(half);
  });
  return half;
}

/** Whether it is the day that is typed: 31 November becomes a date only when the field is left. */
function showsDay(segments: DateFieldState['segments'], date: DateValue): boolean {
  return segments.every(
    ({ type, value }) => (type !== 'day' && type !== 'month' && type !== 'year') || value === date[type],
  );
}
