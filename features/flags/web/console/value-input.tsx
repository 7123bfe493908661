import type { FlagType } from '#features/flags/contract/flags.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ControlProps } from '#web/ui/field.tsx';
import { Select, TextInput } from '#web/ui/text-input.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { Option } from '#web/ui/option-list.tsx';
import { SuggestInput } from '#web/ui/suggest-input.tsx';
import { readValue, valueText } from './flag-form.ts';
import { JsonPart } from './json-part.tsx';

type ValueInputProps = Partial<ControlProps> & {
  type: FlagType;
  value: unknown;
  onValue: (value: unknown) => void;
  'aria-label'?: string;
  disabled?: boolean;
  /** The number of lines of the field for JSON. */
  rows?: number;
};

/** The field for a value of a flag, by the flag's type; a value of another type is edited as JSON. */
export function ValueInput({ type, value, onValue, rows = 4, ...control }: ValueInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  if (type === 'boolean' && typeof value === 'boolean') {
    return (
      <Select
        {...control}
        value={value ? 'true' : 'false'}
        onValue={(next) => onValue(next === 'true')}
        options={[
          { value: 'true', label: 'true' },
          { value: 'false', label: 'false' },
        ]}
      />
    );
  }
  if ((type === 'string' && typeof value === 'string') || (type === 'number' && typeof value === 'number')) {
    return (
      <TextInput
        {...control}
        inputMode={type === 'number' ? 'decimal' : 'text'}
        spellCheck={false}
        autoComplete="off"
        value={typed ?? valueText(type, value)}
        aria-invalid={typed !== null && readValue(type, typed) === undefined ? true : control['aria-invalid']}
        onBlur={() => setTyped(null)}
        onValue={(text) => {
          setTyped(text);
          const read = readValue(type, text);
          if (read !== undefined) onValue(read);
        }}
      />
    );
  }
  return <JsonPart {...control} rows={rows} value={value} onValue={onValue} />;
}

type NumberInputProps = {
  label: string;
  value: number;
  /** Called with whole and fractional numbers within the bounds. */
  onValue: (value: number) => void;
  minimum?: number;
  maximum?: number;
  disabled?: boolean;
};

/** A field for a number; text that is not a number, or is out of bounds, is not passed on. */
export function NumberInput({ label, value, onValue, minimum, maximum, disabled }: NumberInputProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const read = (text: string) => {
    const number = readValue('number', text.replace(',', '.'));
    if (typeof number !== 'number') return undefined;
    return number < (minimum ?? number) || number > (maximum ?? number) ? undefined : number;
  };
  const isWrong = typed !== null && read(typed) === undefined;
  return (
    <TextInput
      aria-label={label}
      inputMode="decimal"
      autoComplete="off"
      disabled={disabled}
      aria-invalid={isWrong ? true : undefined}
      title={isWrong ? t('FLAGS.RULE.NUMBER_REFUSED') : undefined}
      value={typed ?? String(value)}
      onBlur={() => setTyped(null)}
      onValue={(text) => {
        setTyped(text);
        const number = read(text);
        if (number !== undefined) onValue(number);
      }}
    />
  );
}

type ListInputProps<Entry extends string | number> = {
  label: string;
  entries: readonly Entry[];
  onEntries: (entries: Entry[]) => void;
  /** Parses the typed text; undefined if it is not a valid entry. */
  read: (text: string) => Entry | undefined;
  /** Entries that are suggested. */
  options?: readonly Option[];
  disabled?: boolean;
};

/**
 * A field for a list of short values: Enter or a comma adds the typed value, Backspace in the empty field removes
 * the last value.
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
    <span className="list-input rounded surface row wrap shrinks" role="group" aria-label={label}>
      {entries.map((entry, index) => (
        <span className="list-input-entry sunk inline-row breaks" key={`${index} ${entry}`}>
          <code>{entry === '' ? '""' : entry}</code>
          {disabled ? null : (
            <button
              className="centered"
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
