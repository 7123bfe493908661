import { useState } from 'react';
import { Button } from './button.tsx';
import './copy-button.css';

type CopyButtonProps = {
  text: string;
  label: string;
  /** What is copied, read out after the label where several buttons have the same. */
  what?: string;
  /** Announced once it is in the clipboard, and where it could not be put there. */
  copied: string;
  failed: string;
  tone?: 'plain' | 'primary';
  small?: boolean;
  onCopied?: () => void;
};

/** Puts a text into the clipboard, and shows whether that worked. */
export function CopyButton({
  text,
  label,
  what,
  copied,
  failed,
  tone = 'plain',
  small = false,
  onCopied,
}: CopyButtonProps) {
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
        {current === null ? '' : current.done ? copied : failed}
      </span>
    </span>
  );
}
