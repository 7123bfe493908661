import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { Icon } from './icon.tsx';
import { SearchInput } from './text-input.tsx';
import './menu.css';
import './option-list.css';

export type Option = {
  key: string;
  label: string;
  /** The language of the label, where it is not that of the page. */
  lang?: string;
  /** A smaller text below the label. */
  hint?: string | undefined;
  /** Shown before the label, such as a face or a colour. */
  mark?: ReactNode;
  /** Shown at the end of the line, such as a key or a count. */
  end?: ReactNode;
  checked?: boolean | 'some';
  /** The heading above the option; options of one group follow each other. */
  group?: string;
};

type OptionListProps = {
  /** Names what is chosen from the list. */
  label: string;
  /** The label of the search field. */
  search: string;
  typed: string;
  onType: (text: string) => void;
  options: readonly Option[];
  /** Whether several options can be chosen one after the other. */
  multiple?: boolean;
  /** In the place of the options where there are none: nothing fits, or it is loading. */
  empty: ReactNode;
  /** Below the options: what is still being searched, or could not be. */
  foot?: ReactNode;
  maxLength?: number;
  /** @param apart whether to open the option in a new tab: Ctrl or ⌘ was held */
  onPick: (key: string, apart: boolean) => void;
};

/**
 * A field and the options that fit what is typed there (WAI-ARIA combobox with a list): arrows move, Enter
 * picks, the focus stays in the field. The current option stays current when further options are added.
 */
export function OptionList(props: OptionListProps) {
  const { label, search, typed, onType, options, multiple = false, empty, maxLength = 200, onPick } = props;
  const id = useId();
  const [wanted, setWanted] = useState<{ key: string; at: number } | null>(null);
  const at = placeOf(options, wanted);
  const current = options[at];
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);

  function want(place: number): void {
    const option = options[place];
    if (option !== undefined) setWanted({ key: option.key, at: place });
  }

  function move(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const last = options.length - 1;
    if (event.key === 'ArrowDown') want(at >= last ? 0 : at + 1);
    else if (event.key === 'ArrowUp') want(at <= 0 ? last : at - 1);
    else if (event.key === 'Enter') {
      if (current !== undefined) onPick(current.key, event.ctrlKey || event.metaKey);
    } else return;
    event.preventDefault();
  }

  return (
    <div className="option-list stack gap-2">
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
          setWanted(null);
          onType(text);
        }}
      />
      {options.length === 0 && empty !== null ? (
        <div className="option-list-empty" role="status">
          {empty}
        </div>
      ) : null}
      <div
        id={id}
        className="option-list-options"
        role="listbox"
        aria-label={label}
        aria-multiselectable={multiple}
        data-private=""
      >
        {inGroups(options).map(({ group, from, members }) => {
          const rows = members.map((option, index) => (
            <OptionRow
              key={option.key}
              id={`${id}-${from + index}`}
              option={option}
              current={from + index === at}
              onCurrent={() => want(from + index)}
              onPick={onPick}
            />
          ));
          if (group === undefined) return <Fragment key="">{rows}</Fragment>;
          return (
            <div key={group} role="group" aria-labelledby={`${id}-group-${from}`}>
              <div className="option-list-group muted small strong" id={`${id}-group-${from}`}>
                {group}
              </div>
              {rows}
            </div>
          );
        })}
      </div>
      {props.foot}
    </div>
  );
}

/** The index of the wanted option; if that was removed, the option that is now in its place. */
function placeOf(options: readonly Option[], wanted: { key: string; at: number } | null): number {
  if (wanted === null) return Math.min(0, options.length - 1);
  const found = options.findIndex(({ key }) => key === wanted.key);
  return found === -1 ? Math.min(wanted.at, options.length - 1) : found;
}

function inGroups(options: readonly Option[]) {
  const groups: { group: string | undefined; from: number; members: Option[] }[] = [];
  for (const [index, option] of options.entries()) {
    const last = groups.at(-1);
    if (last !== undefined && last.group === option.group) last.members.push(option);
    else groups.push({ group: option.group, from: index, members: [option] });
  }
  return groups;
}

type OptionRowProps = {
  id: string;
  option: Option;
  current: boolean;
  onCurrent: () => void;
  onPick: OptionListProps['onPick'];
};

/** A row of a list that a field controls: the field has the focus, and its keys act on the options. */
export function OptionRow({ id, option, current, onCurrent, onPick }: OptionRowProps) {
  const { checked, end, hint } = option;
  return (
    <button
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={checked === true}
      data-at={current}
      className="menu-item"
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => {
        if (!current) onCurrent();
      }}
      onClick={(event) => onPick(option.key, event.ctrlKey || event.metaKey)}
    >
      {option.mark}
      <span className="option-text grid shrinks breaks">
        <span lang={option.lang}>{option.label}</span>
        {hint === undefined ? null : <small className="muted">{hint}</small>}
      </span>
      {checked === true || checked === 'some' || end !== undefined ? (
        <span className="end">{end ?? <Icon name={checked === true ? 'check' : 'minus'} />}</span>
      ) : null}
    </button>
  );
}
