import {
  type ComponentProps,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { withField } from './field.tsx';
import { type Option, OptionRow } from './option-list.tsx';
import { placeBelow } from './menu.tsx';
import { TextInput } from './text-input.tsx';
import './menu.css';

type SuggestInputProps = Omit<ComponentProps<typeof TextInput>, 'ref'> & {
  /** The suggestions; picking one fills its key into the field. */
  options: readonly Option[];
  /** Called with the key of the picked suggestion; left out: the key is filled in. */
  onPick?: (key: string) => void;
};

/** The most suggestions that are shown; typing more finds the others. */
const most = 30;

/**
 * One line of text with suggestions (WAI-ARIA combobox). Typing, a click and the arrows show those that fit; Enter
 * picks the suggestion that the arrows have reached. Any other text may be typed.
 */
export function SuggestInput({ options, value, onValue, onPick = onValue, ...input }: SuggestInputProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  // Once something is typed, only what fits it is shown.
  const [shown, setShown] = useState<'all' | 'fitting' | null>(null);
  const [at, setAt] = useState(-1);
  const words = shown === 'fitting' ? plain(value) : '';
  const fitting = (shown === null ? [] : options)
    .filter(({ key, label, hint = '' }) => plain(`${key}\n${label}\n${hint}`).includes(words))
    .slice(0, most);
  const open = fitting.length > 1 || (fitting.length === 1 && fitting[0]?.key !== value);

  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function show(which: 'all' | 'fitting' | null, place = -1): void {
    setShown(which);
    setAt(place);
  }
  function pick(key: string): void {
    onPick(key);
    show(null);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const current = fitting[at];
    if (step !== 0) {
      if (open) setAt((at + step + fitting.length + (at === -1 && step === -1 ? 1 : 0)) % fitting.length);
      else show('all', 0);
    } else if (open && event.key === 'Enter' && current !== undefined) pick(current.key);
    else if (open && event.key === 'Escape') {
      // Escape closes the suggestions only; a dialog around the field stays open.
      event.stopPropagation();
      show(null);
    } else {
      input.onKeyDown?.(event);
      return;
    }
    event.preventDefault();
  }

  return (
    <>
      <TextInput
        autoComplete="off"
        spellCheck={false}
        {...input}
        ref={field}
        {...(options.length === 0
          ? {}
          : { role: 'combobox', 'aria-autocomplete': 'list' as const, 'aria-expanded': open })}
        aria-controls={open ? id : undefined}
        aria-activedescendant={open && at >= 0 ? `${id}-${at}` : undefined}
        value={value}
        onValue={(text) => {
          onValue(text);
          show('fitting');
        }}
        onKeyDown={onKeyDown}
        onClick={({ currentTarget }) => {
          // Selects the whole value, so that another one can replace it; a second click places the cursor.
          if (shown === null) currentTarget.select();
          show('all');
        }}
        onBlur={(event) => {
          show(null);
          input.onBlur?.(event);
        }}
      />
      {open ? (
        <Suggestions id={id} field={field} label={input['aria-label']} count={fitting.length}>
          {fitting.map((option, index) => (
            <OptionRow
              key={option.key}
              id={`${id}-${index}`}
              option={option}
              current={index === at}
              onCurrent={() => setAt(index)}
              onPick={pick}
            />
          ))}
        </Suggestions>
      ) : null}
    </>
  );
}

/** A field of one line of text with suggestions. */
export const SuggestField = withField(SuggestInput);

type SuggestionsProps = Pick<ComponentProps<'div'>, 'id' | 'children'> & {
  field: { current: HTMLInputElement | null };
  label: string | undefined;
  count: number;
};

function Suggestions({ id, field, label, count, children }: SuggestionsProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    panel.current?.showPopover();
  }, []);
  // When the panel is above the field, its height decides where it begins.
  useLayoutEffect(() => {
    if (panel.current !== null && field.current !== null && count > 0)
      placeBelow(panel.current, field.current, 'start');
  }, [field, count]);
  return (
    <div
      ref={panel}
      id={id}
      popover="manual"
      role="listbox"
      aria-label={label ?? field.current?.labels?.[0]?.textContent ?? ''}
      className="menu suggestions"
    >
      {children}
    </div>
  );
}

function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();
}
