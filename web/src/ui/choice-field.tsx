import { type ReactNode, useState } from 'react';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { type Option, OptionList } from './option-list.tsx';
import { Popover } from './popover.tsx';

type ChoiceFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** What is chosen, in words. */
  shown: string;
  /** What may be typed to find an option. */
  search: string;
  /** What fits the text that is typed; asked while the list is open. */
  options: (typed: string) => readonly Option[];
  /** In the place of the options where nothing fits. */
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
