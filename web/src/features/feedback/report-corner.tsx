import { useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './report-corner.css';

type ReportCornerProps = {
  /** What the button says. */
  label: string;
  /** The form is being downloaded. */
  busy: boolean;
  onOpen: () => void;
  /** While a report has just been sent, in place of the button. */
  thanks: { text: string; onHold: () => void; onRelease: () => void } | null;
};

/** The corner of the page from which a bug is reported. */
export function ReportCorner({ label, busy, onOpen, thanks }: ReportCornerProps) {
  const button = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLParagraphElement>(null);
  const isThanking = thanks !== null;
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    if (isThanking) {
      // The button that opened the form is not there to take the focus back; what stands in its place does.
      hadFocus.current = isUnfocused(text.current);
      if (hadFocus.current) text.current?.focus({ preventScroll: true });
    } else if (hadFocus.current) {
      hadFocus.current = false;
      if (isUnfocused(button.current)) button.current?.focus({ preventScroll: true });
    }
  }, [isThanking]);

  return (
    <div className="report-corner">
      <div role="status">
        {thanks === null ? null : (
          <p
            ref={text}
            className="report-thanks"
            tabIndex={-1}
            onPointerEnter={thanks.onHold}
            onPointerLeave={thanks.onRelease}
          >
            <Icon name="check-circle" />
            {thanks.text}
          </p>
        )}
      </div>
      {thanks === null ? (
        <Button ref={button} className="report-trigger" icon="bug" busy={busy} onClick={onOpen}>
          {label}
        </Button>
      ) : null}
    </div>
  );
}

/** Whether nothing on the page has the focus. */
function isUnfocused(element: HTMLElement | null): boolean {
  const root = element?.getRootNode();
  const focused = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  return focused === null || focused === document.body;
}
