import { type ChangeEvent, type ComponentType, useEffect, useState } from 'react';
import type { DateInputProps } from './date-input-props.ts';
import '../field.css';

type State = 'there' | 'loading' | 'failed';

// Once for all fields of the page.
let typed: ComponentType<DateInputProps> | null = null;

/**
 * A date, written and typed as the person's locale has it, with a calendar. The browser's own field follows the
 * language of the browser; it is shown only where the rest cannot be loaded.
 */
export function DateInput(props: DateInputProps) {
  const state = useTypedDate();
  if (state === 'failed') return <NativeDate {...props} />;
  if (state === 'loading' || typed === null) return <div className="input" aria-busy="true" />;
  const TypedDate = typed;
  return <TypedDate {...props} />;
}

/** Loads it with the first field that is shown. */
function useTypedDate(): State {
  const [state, setState] = useState<State>(typed === null ? 'loading' : 'there');
  useEffect(() => {
    if (typed !== null) return undefined;
    let shown = true;
    const become = (next: State) => {
      if (shown) setState(next);
    };
    import('./typed-date.tsx').then(
      ({ TypedDate }) => {
        typed = TypedDate;
        become('there');
      },
      () => become('failed'),
    );
    return () => {
      shown = false;
    };
  }, []);
  return state;
}

function NativeDate({ label, to, value, onValue, onHalf, min, max, formats, ...control }: DateInputProps) {
  return (
    <input
      {...control}
      aria-label={label}
      className="input"
      lang={formats.locale}
      type={to === 'day' ? 'date' : 'datetime-local'}
      min={min === '' ? undefined : min}
      max={max === undefined || max === '' ? (to === 'day' ? '9999-12-31' : '9999-12-31T23:59') : max}
      value={value}
      onChange={({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
        // For a half-typed date the browser gives an empty text.
        onHalf?.(currentTarget.validity.badInput);
        onValue(currentTarget.value);
      }}
    />
  );
}
