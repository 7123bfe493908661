import { type ComponentProps, useState } from 'react';
import { useRightsWords } from '#web/platform/rights-words.ts';
import { SuggestInput } from '#web/ui/suggest-input.tsx';

type RightInputProps = Omit<ComponentProps<typeof SuggestInput>, 'options' | 'type'>;

/** An input for a right, by name or label, with suggestions; there may be thousands. */
export function RightInput({ value, onValue, ...rest }: RightInputProps) {
  const words = useRightsWords();
  const [text, setText] = useState(value);
  const rightOf = (typed: string) => {
    const wanted = typed.trim().toLowerCase();
    const labelled = words.rights.find(({ right }) => words.right(right).toLowerCase() === wanted);
    return labelled?.right ?? wanted.toUpperCase().replaceAll(/[\s-]+/g, '_');
  };
  return (
    <SuggestInput
      maxLength={100}
      {...rest}
      // The typed text stays as long as it stands for the chosen right.
      value={rightOf(text) === value ? text : value}
      onValue={(now) => {
        setText(now);
        onValue(rightOf(now));
      }}
      options={words.rights.map(({ right }) => ({ key: right, label: words.right(right), hint: right }))}
    />
  );
}
