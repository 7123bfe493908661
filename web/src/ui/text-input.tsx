import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import './field.css';

type Without<T> = Omit<T, 'value' | 'onChange' | 'className'>;
type Valued = { value: string; onValue: (value: string) => void };

type TextInputProps = Without<ComponentProps<'input'>> & Valued;

/** One line of text. `onValue` is called with its present text. */
export function TextInput({ value, onValue, type = 'text', ...rest }: TextInputProps) {
  return (
    <input
      {...rest}
      type={type}
      {...(type === 'text' ? { dir: 'auto' } : {})}
      className="input"
      value={value}
      onChange={(event: ChangeEvent<HTMLInputElement>) => onValue(event.currentTarget.value)}
    />
  );
}

type PasswordInputProps = Omit<TextInputProps, 'type'> & { showLabel: string; hideLabel: string };

/** A password, hidden until the person shows it; password managers and paste work. */
export function PasswordInput({ showLabel, hideLabel, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <div className="input-password-frame relative">
      <TextInput
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...rest}
        type={shown ? 'text' : 'password'}
      />
      <IconButton
        icon={shown ? 'eye-off' : 'eye'}
        label={shown ? hideLabel : showLabel}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      />
    </div>
  );
}

type TextAreaProps = Without<ComponentProps<'textarea'>> & Valued;

/** Several lines of text. */
export function TextArea({ value, onValue, rows = 5, ...rest }: TextAreaProps) {
  return (
    <textarea
      dir="auto"
      {...rest}
      rows={rows}
      className="input"
      value={value}
      onChange={(event: ChangeEvent<HTMLTextAreaElement>) => onValue(event.currentTarget.value)}
    />
  );
}

export type SelectProps<Value extends string> = Without<ComponentProps<'select'>> & {
  value: Value;
  onValue: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
};

/** A choice among a few options, with the browser's own list. */
export function Select<Value extends string>({ value, onValue, options, ...rest }: SelectProps<Value>) {
  return (
    <span className="input-select-frame grid relative">
      <select
        {...rest}
        className="input input-select"
        value={value}
        onChange={(event: ChangeEvent<HTMLSelectElement>) => {
          const chosen = options.find((option) => option.value === event.currentTarget.value);
          if (chosen !== undefined) onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="chevron-down" />
    </span>
  );
}

type SearchInputProps = Omit<TextInputProps, 'type' | 'aria-label'> & {
  /** Says what is searched; announced, and shown while the field is empty. */
  label: string;
};

/** A search field. Escape clears it. */
export function SearchInput({ label, onValue, onKeyDown, ...rest }: SearchInputProps) {
  return (
    <div className="input-search-frame" role="search" aria-label={label}>
      <Icon name="search" />
      <TextInput
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        {...rest}
        type="search"
        aria-label={label}
        onValue={onValue}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onValue('');
          onKeyDown?.(event);
        }}
      />
    </div>
  );
}

type ToggleProps = Omit<ComponentProps<'input'>, 'type' | 'checked' | 'onChange' | 'className'> & {
  label: ReactNode;
  checked: boolean;
  onChecked: (checked: boolean) => void;
};

/** A choice that takes effect when the form is submitted. */
export function Checkbox({ label, hint, checked, onChecked, ...rest }: ToggleProps & { hint?: ReactNode }) {
  return (
    <label className="check">
      <input
        {...rest}
        type="checkbox"
        checked={checked}
        onChange={(event: ChangeEvent<HTMLInputElement>) => onChecked(event.currentTarget.checked)}
      />
      <span>{label}</span>
      {hint === undefined ? null : <span className="check-hint muted small">{hint}</span>}
    </label>
  );
}

type SwitchProps = ToggleProps & {
  /** Whether only screen readers get the label, since the context already shows what is switched. */
  labelHidden?: boolean;
  /** A change is being saved. */
  busy?: boolean;
};

/** Switches something on or off at once. */
export function Switch({
  label,
  labelHidden = false,
  busy = false,
  checked,
  onChecked,
  ...rest
}: SwitchProps) {
  return (
    <label className="switch">
      <input
        {...rest}
        type="checkbox"
        role="switch"
        checked={checked}
        aria-checked={checked}
        aria-busy={busy}
        onChange={(event: ChangeEvent<HTMLInputElement>) => {
          if (!busy) onChecked(event.currentTarget.checked);
        }}
      />
      <span className={labelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  );
}
