import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import { SearchInput } from './text-input.tsx';
import './menu.css';
import './option-list.css';

export type Option = {
  key: string;
  label: string;
  /** Smaller, below the label. */
  hint?: string | undefined;
  /** Before the label: a face, a colour. */
  mark?: ReactNode;
  checked?: boolean | 'some';
};

type OptionListProps = {
  /** What is chosen. */
  label: string;
  /** What may be typed to find it. */
  search: string;
  typed: string;
  onType: (text: string) => void;
  options: readonly Option[];
  /** Several can be chosen one after the other. */
  multiple?: boolean;
  /** In the place of the options where there are none: nothing fits, or it is loading. */
  empty: string;
  maxLength?: number;
  onPick: (key: string) => void;
};

/**
 * A field and the options that fit what is typed there (WAI-ARIA combobox with a list): arrows move, Enter
 * picks, the focus stays in the field.
 */
export function OptionList(props: OptionListProps) {
  const { label, search, typed, onType, options, multiple = false, empty, maxLength = 200, onPick } = props;
  const id = useId();
  const [wanted, setWanted] = useState(0);
  const at = Math.min(wanted, options.length - 1);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children.item(at)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  function move(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const last = options.length - 1;
    if (event.key === 'ArrowDown') setWanted(at >= last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') setWanted(at <= 0 ? last : at - 1);
    else if (event.key === 'Enter') {
      const option = options[at];
      if (option !== undefined) onPick(option.key);
    } else return;
    event.preventDefault();
  }

  return (
    <div className="option-list">
      <SearchInput
        label={search}
        value={typed}
        maxLength={maxLength}
        data-autofocus=""
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={options.length === 0 ? undefined : `${id}-${at}`}
        onKeyDown={move}
        onValue={(text) => {
          setWanted(0);
          onType(text);
        }}
      />
      {options.length === 0 ? (
        <p className="option-list-empty" role="status">
          {empty}
        </p>
      ) : null}
      <div
        ref={list}
        id={id}
        className="option-list-options"
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple}
        data-private=""
      >
        {options.map((option, index) => (
          // The field has the focus, and its keys act on the options.
          <button
            type="button"
            tabIndex={-1}
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={option.checked === true}
            data-at={index === at}
            className="menu-item"
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setWanted(index)}
            onClick={() => onPick(option.key)}
          >
            {option.mark}
            <span className="option-text">
              <span>{option.label}</span>
              {option.hint === undefined ? null : <small className="muted">{option.hint}</small>}
            </span>
            {option.checked === true || option.checked === 'some' ? (
              <span className="menu-item-mark">
                <Icon name={option.checked === true ? 'check' : 'minus'} />
              </span>
            ) : null}
          </button>
        ))}
      </div>
    </div>
  );
}
