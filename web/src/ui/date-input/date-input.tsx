import { type ChangeEvent, type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { DateInputProps } from './typed-date.tsx';
import '../field.css';

type State = 'there' | 'loading' | 'failed';

// The component, loaded once for all fields of the page.
let typed: ComponentType<DateInputProps> | null = null;

/**
 * A field for a date in the format of the person's locale, with a calendar. The browser's own field follows the
 * language of the browser; it is shown only if the code of this field cannot be loaded.
 */
export function DateInput(props: DateInputProps) {
  const { id } = props;
  const state = useTypedDate();
  const waited = useRef(false);
  useLabelPress(id);
  // If the label was pressed while the field was loading, the field gets the focus when it appears.
  useLayoutEffect(() => {
    if (state === 'loading') return;
    if (waited.current) focusField(id);
    waited.current = false;
  }, [state, id]);
  if (state === 'failed') return <NativeDate {...props} />;
  if (state === 'loading' || typed === null) {
    return (
      <div
        id={id}
        className="input"
        aria-busy="true"
        tabIndex={-1}
        onFocus={() => (waited.current = true)}
        onBlur={() => (waited.current = false)}
      />
    );
  }
  const TypedDate = typed;
  return <TypedDate {...props} />;
}

/** Focuses the first part of the date when the label is pressed, as for any other control. */
function useLabelPress(id: string | undefined): void {
  useLayoutEffect(() => {
    const label = id === undefined ? null : document.querySelector(`label[for="${CSS.escape(id)}"]`);
    const press = () => focusField(id);
    label?.addEventListener('click', press);
    return () => label?.removeEventListener('click', press);
  }, [id]);
}

function focusField(id: string | undefined): void {
  const field = document.getElementById(id ?? '');
  (field?.querySelector<HTMLElement>('[tabindex="0"]') ?? field)?.focus();
}

/** Loads the component with the first field that is shown. */
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
