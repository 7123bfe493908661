import { type ReactNode, useState } from 'react';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { Popover } from './popover.tsx';

type ChoiceFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** The text of the chosen option. */
  shown: string;
  /** The label of the search field. */
  search: string;
  /** Returns the options that fit the typed text; called while the list is open. */
  options: (typed: string) => readonly Option[];
  /** Shown instead of the options when none fits. */
  empty: ReactNode;
  onPick: (key: string) => void;
};

/** A field whose many options are found by typing; for a few see `SelectField`. */
export function ChoiceField({ label, hint, error, shown, onPick, ...list }: ChoiceFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {({ required, ...control }) => (
        <Popover
          label={label}
          control={{ ...control, 'aria-required': required }}
          buttonClassName="input input-choice"
          button={
            <>
              <span>{shown}</span>
              <Icon name="chevron-down" />
            </>
          }
        >
          {(close) => (
            <Choices
              label={label}
              {...list}
              onPick={(key) => {
                onPick(key);
                close();
              }}
            />
          )}
        </Popover>
      )}
    </Field>
  );
}

function Choices({
  options,
  ...list
}: Pick<ChoiceFieldProps, 'label' | 'search' | 'options' | 'empty' | 'onPick'>) {
  const [typed, setTyped] = useState('');
  return <OptionList {...list} typed={typed} onType={setTyped} options={options(typed)} />;
}
