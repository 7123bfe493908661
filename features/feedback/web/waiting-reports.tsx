import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { troubleWords } from './failure-words.ts';
import type { Feedback } from './feedback.ts';
import { isOnItsWay } from './outbox.ts';
import type { WaitingReport } from './draft.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import { ConfirmDialog } from '#web/ui/confirm-action.tsx';

/** The reports that could not be sent yet, and why: each can be sent now, opened in the form, or discarded. */
export function WaitingReports({ feedback, locked }: { feedback: Feedback; locked: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { waiting, trying } = useStore(feedback.state);
  const [asked, setAsked] = useState<string | null>(null);
  if (waiting.length === 0) return null;
  const title = t('FEEDBACK.WAITING.TITLE', { count: waiting.length });

  function state(report: WaitingReport): string {
    const { failed, draft } = report;
    if (failed?.final) return t('FEEDBACK.WAITING.REFUSED');
    if (!isOnItsWay(report)) return t('FEEDBACK.WAITING.ASIDE');
    if (trying.includes(draft.eventId)) return t('FEEDBACK.WAITING.TRYING');
    if (!navigator.onLine) return t('FEEDBACK.WAITING.OFFLINE');
    return failed === null ? t('FEEDBACK.WAITING.WAITS') : troubleWords(t, failed.status);
  }

  return (
    <section className="waiting-reports rounded stack gap-2" aria-label={title}>
      <p className="strong">{title}</p>
      {waiting.some(isOnItsWay) ? <p className="muted small">{t('FEEDBACK.WAITING.HINT')}</p> : null}
      <ul className="stack">
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
                data-refused={report.failed?.final === true}
              >
                {`${state(report)} · ${formats.exact(report.at)}`}
              </p>
              <div className="row wrap">
                {isOnItsWay(report) ? (
                  <Button
                    small
                    aria-label={t('FEEDBACK.WAITING.SEND_ONE', { text })}
                    busy={trying.includes(eventId)}
                    disabled={locked}
                    onClick={() => void feedback.sendWaiting(eventId)}
                  >
                    {t('FEEDBACK.WAITING.SEND_NOW')}
                  </Button>
                ) : null}
                <Button
                  small
                  aria-label={t('FEEDBACK.WAITING.OPEN_ONE', { text })}
                  disabled={locked}
                  onClick={() => void feedback.moveToForm(eventId)}
                >
                  {t('FEEDBACK.WAITING.OPEN')}
                </Button>
                <Button
                  small
                  tone="danger"
                  aria-label={t('FEEDBACK.WAITING.DISCARD_ONE', { text })}
                  disabled={locked}
                  onClick={() => setAsked(eventId)}
                >
                  {t('FEEDBACK.WAITING.DISCARD')}
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        title={t('FEEDBACK.WAITING.DISCARD_QUESTION')}
        confirmLabel={t('FEEDBACK.WAITING.DISCARD')}
        cancelLabel={t('COMMON.CANCEL')}
        closeLabel={t('COMMON.CLOSE')}
        tone="danger"
        onConfirm={() => {
          if (asked !== null) void feedback.discardWaiting(asked);
          setAsked(null);
        }}
        onCancel={() => setAsked(null)}
      >
        <p>{t('FEEDBACK.WAITING.DISCARD_EFFECT')}</p>
      </ConfirmDialog>
    </section>
  );
}

const longestExcerpt = 100;

function excerptOf(message: string): string {
  const line = message.trim().replaceAll(/\s+/g, ' ');
  return line.length <= longestExcerpt ? line : `${line.slice(0, longestExcerpt)}…`;
}
