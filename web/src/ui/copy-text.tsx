import { CopyButton } from './copy-button.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

type CopyTextProps = {
  text: string;
  label: string;
  /** On the button. */
  copy: string;
  /** Said once it is in the clipboard, and where it could not be put there. */
  copied: string;
  failed: string;
};

/** A text to be taken away: it can be seen and selected, and copied with one press. */
export function CopyText({ text, label, copy, copied, failed }: CopyTextProps) {
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
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <CopyButton tone="primary" text={text} label={copy} copied={copied} failed={failed} />
    </>
  );
}
