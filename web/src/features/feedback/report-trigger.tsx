import { type ReactNode, type Ref, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './report-trigger.css';

type ReportTriggerProps = {
  label: string;
  /** The form is being downloaded. */
  busy: boolean;
  onOpen: () => void;
  button: Ref<HTMLButtonElement>;
  /** The dialog or the thanks are shown instead. */
  hidden: boolean;
  /** How many reports could not be sent yet, and how many are not accepted, in words; empty: none. */
  waiting: string;
  refused: string;
  /** Content that returns the focus to the button has to be behind it in the document. */
  children: ReactNode;
};

/** The button that opens the report form, and the line about reports that wait. */
export function ReportTrigger({
  label,
  busy,
  onOpen,
  button,
  hidden,
  waiting,
  refused,
  children,
}: ReportTriggerProps) {
  const waitingId = useId();
  const isAny = waiting !== '' || refused !== '';
  return (
    <div className="report-corner">
      {/* Always in the document, so that a change is announced. */}
      <div id={waitingId} className="report-waiting" role="status">
        {refused === '' ? null : (
          <p data-refused="true">
            <Icon name="warning" size={14} />
            {refused}
          </p>
        )}
        {waiting === '' ? null : (
          <p>
            <Icon name="clock" size={14} />
            {waiting}
          </p>
        )}
      </div>
      {hidden ? null : (
        <Button
          ref={button}
          className="report-trigger"
          icon="bug"
          busy={busy}
          onClick={onOpen}
          aria-describedby={isAny ? waitingId : undefined}
        >
          {label}
        </Button>
      )}
      {children}
    </div>
  );
}
