import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import type { Option } from '#web/ui/option-list.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';

type ListInputProps<Entry extends string | number> = {
  label: string;
  entries: readonly Entry[];
  onEntries: (entries: Entry[]) => void;
  /** Reads what is typed; undefined: it is no entry. */
  read: (text: string) => Entry | undefined;
  /** Entries that are suggested. */
  options?: readonly Option[];
  disabled?: boolean;
};

/**
 * A list of short values: Enter or a comma adds what is typed, Backspace in the empty field takes the last
 * one out.
 */
export function ListInput<Entry extends string | number>(props: ListInputProps<Entry>) {
  const { label, entries, onEntries, read, options = [], disabled = false } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');

  function add(texts: readonly string[]): void {
    const values = texts.map((text) => (text.trim() === '' ? undefined : read(text.trim())));
    const added = values.filter((entry) => entry !== undefined && !entries.includes(entry));
    setTyped(values.includes(undefined) && texts.length === 1 ? (texts[0] ?? '').trim() : '');
    if (added.length > 0) onEntries([...entries, ...new Set(added as Entry[])]);
  }

  return (
    <span className="list-input" role="group" aria-label={label}>
      {entries.map((entry, index) => (
        <span className="list-input-entry" key={`${index} ${entry}`}>
          <code>{entry === '' ? '""' : entry}</code>
          {disabled ? null : (
            <button
              type="button"
              aria-label={t('FLAGS.RULE.REMOVE_VALUE', { value: entry })}
              onClick={() => onEntries(entries.filter((_entry, at) => at !== index))}
            >
              <Icon name="close" size={12} />
            </button>
          )}
        </span>
      ))}
      <SuggestInput
        aria-label={t('FLAGS.RULE.ADD_VALUE', { label })}
        options={options.filter(({ key }) => !entries.some((entry) => entry === key))}
        onPick={(key) => add([key])}
        placeholder={entries.length === 0 ? t('FLAGS.RULE.ADD_VALUE_HINT') : undefined}
        autoCapitalize="none"
        disabled={disabled}
        maxLength={2_000}
        value={typed}
        onBlur={() => add([typed])}
        onValue={(text) => (text.includes(',') ? add(text.split(',')) : setTyped(text))}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Enter') {
            event.preventDefault();
            add([typed]);
          } else if (event.key === 'Backspace' && typed === '') onEntries(entries.slice(0, -1));
        }}
      />
    </span>
  );
}
