import { useContext, useState } from 'react';
import { Button } from './button.tsx';
import { UsualWordsContext } from './usual-words.ts';
import './copy-button.css';

type CopyButtonProps = {
  text: string;
  label: string;
  /** Names what is copied; read out after the label, for several buttons with the same label. */
  what?: string;
  tone?: 'plain' | 'primary';
  small?: boolean;
  onCopied?: () => void;
};

/** Puts a text into the clipboard, and shows whether that worked. */
export function CopyButton({ text, label, what, tone = 'plain', small = false, onCopied }: CopyButtonProps) {
  const words = useContext(UsualWordsContext);
  const [outcome, setOutcome] = useState<{ of: string; done: boolean } | null>(null);
  const current = outcome?.of === text ? outcome : null;
  return (
    <span className="copy">
      <Button
        tone={tone}
        small={small}
        icon={current?.done === true ? 'check' : 'copy'}
        onClick={() => {
          navigator.clipboard.writeText(text).then(
            () => {
              setOutcome({ of: text, done: true });
              onCopied?.();
            },
            () => setOutcome({ of: text, done: false }),
          );
        }}
      >
        {label}
        {what === undefined ? null : <span className="visually-hidden"> {what}</span>}
      </Button>
      <span role="status" className="muted">
        {current === null ? '' : current.done ? words?.copied : words?.copyFailed}
      </span>
    </span>
  );
}
