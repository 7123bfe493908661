import { CatchBoundary } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReportCorner } from '../features/feedback/report-corner.tsx';
import { useStore } from '../platform/use-store.ts';
import { notify } from '../ui/notifications/notifications.ts';
import { useHouse } from './house.tsx';
import { lateScreen } from './late-screen.tsx';
import './report-bug-corner.css';

const ReportDialog = lateScreen(
  async () => (await import('./late-report-dialog.tsx')).LateReportDialog,
  'feedback',
);

/** The button that reports a bug, on every screen, and the dialog that it downloads and opens. */
export function ReportBugCorner() {
  const { t } = useTranslation();
  const { texts, reportBug } = useHouse();
  const view = useStore(reportBug.view);
  const feedback = useStore(reportBug.feedback);
  const [loading, setLoading] = useState(false);

  function tellFailure(): void {
    notify({
      kind: 'error',
      key: 'report-bug',
      title: t('SHELL.REPORT_BUG.FAILED.TITLE'),
      content: t('SHELL.REPORT_BUG.FAILED.CONTENT'),
    });
  }

  async function open(): Promise<void> {
    setLoading(true);
    try {
      const [started] = await Promise.all([reportBug.start(), ReportDialog.preload(texts)]);
      await started.open();
    } catch {
      tellFailure();
    } finally {
      setLoading(false);
    }
  }

  const latestOpen = useRef(open);
  useEffect(() => {
    latestOpen.current = open;
  });
  useEffect(() => {
    if (reportBug.wasOpen()) void latestOpen.current();
  }, [reportBug]);

  return (
    <>
      <ReportCorner
        label={t('SHELL.REPORT_BUG.TRIGGER')}
        busy={loading}
        onOpen={() => void open()}
        thanks={
          view === 'thanks' && feedback !== null
            ? {
                text: t('SHELL.REPORT_BUG.THANKS'),
                onHold: feedback.holdThanks,
                onRelease: feedback.releaseThanks,
              }
            : null
        }
      />
      {feedback === null ? null : (
        <CatchBoundary
          getResetKey={() => view}
          errorComponent={() => null}
          onCatch={() => {
            // A screen must not stop working because its bug report does.
            feedback.close();
            tellFailure();
          }}
        >
          <Suspense>
            <ReportDialog feedback={feedback} />
          </Suspense>
        </CatchBoundary>
      )}
    </>
  );
}
