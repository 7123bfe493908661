import './copy-button.css';
import { useContext, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { UsualWordsContext } from './usual-words.ts';
import { useLossInDialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { TextInput } from './text-input.tsx';

type CopyButtonProps = {
  text: string;
  label: string;
  tone?: 'plain' | 'primary';
  small?: boolean;
  /** Whether only the icon is shown, for a text whose copying needs no word. */
  bare?: boolean;
  onCopied?: () => void;
};

/** Puts a text into the clipboard, and shows whether that worked. */
export function CopyButton(props: CopyButtonProps) {
  const { text, label, tone = 'plain', small = false, bare = false, onCopied } = props;
  const words = useContext(UsualWordsContext);
  const [outcome, setOutcome] = useState<{ of: string; done: boolean } | null>(null);
  const current = outcome?.of === text ? outcome : null;
  const icon = current?.done === true ? 'check' : 'copy';
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setOutcome({ of: text, done: true });
        onCopied?.();
      },
      () => setOutcome({ of: text, done: false }),
    );
  };
  return (
    <span className="copy">
      {bare ? (
        <IconButton small icon={icon} label={label} onClick={copy} />
      ) : (
        <Button tone={tone} small={small} icon={icon} onClick={copy}>
          {label}
        </Button>
      )}
      <span role="status" className={bare && current?.done !== false ? 'visually-hidden' : 'muted'}>
        {current === null ? '' : current.done ? words?.copied : words?.copyFailed}
      </span>
    </span>
  );
}

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
