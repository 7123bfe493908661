import { type ComponentProps, useId, useState } from 'react';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { TextInput } from '#web/ui/text-input.tsx';

/** The most suggestions that are shown. */
const mostSuggested = 60;

type RightInputProps = Omit<ComponentProps<typeof TextInput>, 'list' | 'type'>;

/** An input for a right, by name or label, with suggestions; there may be thousands. */
export function RightInput({ value, onValue, ...rest }: RightInputProps) {
  const listId = useId();
  const words = useRightsWords();
  const [text, setText] = useState(value);
  const rightOf = (typed: string) => {
    const wanted = typed.trim().toLowerCase();
    const labelled = words.rights.find(({ right }) => words.right(right).toLowerCase() === wanted);
    return labelled?.right ?? wanted.toUpperCase().replaceAll(/[\s-]+/g, '_');
  };
  // The typed text stays as long as it stands for the chosen right.
  const shown = rightOf(text) === value ? text : value;
  const typed = shown.trim().toLowerCase();
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
        maxLength={100}
        value={shown}
        onValue={(now) => {
          setText(now);
          onValue(rightOf(now));
        }}
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
