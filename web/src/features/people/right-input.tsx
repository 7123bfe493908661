import { type ComponentProps, useId } from 'react';
import { useRightsWords } from '../../platform/rights-words.ts';
import { TextInput } from '../../ui/text-input.tsx';

/** So many suggestions are enough to go on typing. */
const mostSuggested = 60;

type RightInputProps = Omit<ComponentProps<typeof TextInput>, 'list' | 'type'>;

/** A right by its name, with suggestions by what stands in its name or its label; there may be thousands. */
export function RightInput({ value, onValue, ...rest }: RightInputProps) {
  const listId = useId();
  const words = useRightsWords();
  const typed = value.toLowerCase();
  const suggested = words.rights
    .filter(({ right }) => `${right}\n${words.right(right)}`.toLowerCase().includes(typed))
    .slice(0, mostSuggested);
  return (
    <span className="right-input">
      <TextInput
        {...rest}
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={64}
        value={value}
        onValue={(text) => onValue(text.toUpperCase().trim().replaceAll(/\s+/g, '_'))}
      />
      <datalist id={listId}>
        {suggested.map(({ right }) => (
          <option key={right} value={right}>
            {words.right(right)}
          </option>
        ))}
      </datalist>
    </span>
  );
}
