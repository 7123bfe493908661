import { useState } from 'react';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { Feedback } from './feedback.ts';
import type { FeedbackLabels } from './labels.ts';
import { isOnItsWay } from './outbox.ts';
import type { WaitingReport } from './waiting-report.ts';
import './waiting-reports.css';

type WaitingReportsProps = { feedback: Feedback; labels: FeedbackLabels; locked: boolean };

/** The reports that could not be sent yet, and why: each can be sent now, opened in the form, or discarded. */
export function WaitingReports({
  feedback,
  labels: { waiting: words, ...labels },
  locked,
}: WaitingReportsProps) {
  const { waiting, trying } = useStore(feedback.state);
  const [asked, setAsked] = useState<string | null>(null);
  if (waiting.length === 0) return null;

  function state(report: WaitingReport): string {
    const { refusal, trouble, draft } = report;
    if (refusal !== null) return words.refused;
    if (!isOnItsWay(report)) return words.aside;
    if (trying.includes(draft.eventId)) return words.trying;
    if (!navigator.onLine) return words.offline;
    return trouble === undefined ? words.waits : words.trouble(trouble);
  }

  return (
    <section className="waiting-reports stack gap-2" aria-label={words.title(waiting.length)}>
      <p className="waiting-reports-title">{words.title(waiting.length)}</p>
      {waiting.some(isOnItsWay) ? <p className="muted small">{words.hint}</p> : null}
      <ul>
        {waiting.map((report) => {
          const { eventId, message } = report.draft;
          const text = excerptOf(message);
          return (
            <li key={eventId}>
              <p className="breaks" dir="auto">
                {text}
              </p>
              <p
                className="waiting-reports-state muted small"
                role="status"
                data-refused={report.refusal !== null}
              >
                {`${state(report)} · ${labels.exactTime(report.at)}`}
              </p>
              <div className="button-row">
                {isOnItsWay(report) ? (
                  <Button
                    small
                    aria-label={words.sendOne(text)}
                    busy={trying.includes(eventId)}
                    disabled={locked}
                    onClick={() => void feedback.sendWaiting(eventId)}
                  >
                    {words.sendNow}
                  </Button>
                ) : null}
                <Button
                  small
                  aria-label={words.openOne(text)}
                  disabled={locked}
                  onClick={() => void feedback.moveToForm(eventId)}
                >
                  {words.open}
                </Button>
                <Button
                  small
                  tone="danger"
                  aria-label={words.discardOne(text)}
                  disabled={locked}
                  onClick={() => setAsked(eventId)}
                >
                  {words.discard}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title={words.discardQuestion}
        confirmLabel={words.discard}
        cancelLabel={labels.cancel}
        closeLabel={labels.close}
        tone="danger"
        onConfirm={() => {
          if (asked !== null) void feedback.discardWaiting(asked);
          setAsked(null);
        }}
        onCancel={() => setAsked(null)}
      >
        <p>{words.discardEffect}</p>
      </ConfirmDialog>
    </section>
  );
}

const longestExcerpt = 100;

function excerptOf(message: string): string {
  const line = message.trim().replaceAll(/\s+/g, ' ');
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt)}…`;
}
