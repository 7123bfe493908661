import { Button } from './button.tsx';
import { Notice } from './notice.tsx';
import './restored-work.css';

type RestoredWorkProps = { text: string; discard: string; onDiscard: () => void };

/** Says in a form that what stands in it was typed before and is not saved yet; it can be thrown away. */
export function RestoredWork({ text, discard, onDiscard }: RestoredWorkProps) {
  return (
    <Notice severity="info" role="status">
      <span className="restored-work">
        {text}
        <Button small tone="quiet" onClick={onDiscard}>
          {discard}
        </Button>
      </span>
    </Notice>
  );
}
