import { useState } from 'react';
import { CopyButton } from './copy-button.tsx';
import { useLossInDialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

type CopyTextProps = {
  text: string;
  /** Whether the text is shown only once and lost when its dialog closes, which asks first if it was not copied. */
  once: boolean;
  label: string;
  /** The label of the button. */
  copy: string;
};

/** A text to copy: it can be seen and selected, and copied with one press. */
export function CopyText({ text, once, label, copy }: CopyTextProps) {
  const [taken, setTaken] = useState<string | null>(null);
  const take = () => setTaken(text);
  useLossInDialog(once && taken !== text ? 'secret' : null);
  return (
    <>
      <Field label={label}>
        {(control) => (
          <TextInput
            {...control}
            required={false}
            value={text}
            onValue={() => undefined}
            readOnly
            onCopy={take}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <CopyButton tone="primary" text={text} label={copy} onCopied={take} />
    </>
  );
}
