import type { ReactNode, Ref } from 'react';
import { Button } from '../../ui/button.tsx';
import './report-trigger.css';

type ReportTriggerProps = {
  label: string;
  /** The form is on its way. */
  busy: boolean;
  onOpen: () => void;
  button: Ref<HTMLButtonElement>;
  /** Something else stands in its place. */
  hidden: boolean;
  /** What gives it the focus has to stand behind it. */
  children: ReactNode;
};

/** The corner of the page from which a bug is reported. */
export function ReportTrigger({ label, busy, onOpen, button, hidden, children }: ReportTriggerProps) {
  return (
    <div className="report-corner">
      {hidden ? null : (
        <Button ref={button} className="report-trigger" icon="bug" busy={busy} onClick={onOpen}>
          {label}
        </Button>
      )}
      {children}
    </div>
  );
}
