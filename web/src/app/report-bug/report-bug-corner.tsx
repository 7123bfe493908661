import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReportTrigger } from '../../features/feedback/report-trigger.tsx';
import { useStore } from '../../platform/state/use-store.ts';
import { notify } from '../../ui/notifications/notifications.ts';
import { useApp } from '../app-context.tsx';
import { lateScreen } from '../screens/late-screen.tsx';
import './report-bug-corner.css';

const LateReportBug = lateScreen(
  async () => (await import('./late-report-bug.tsx')).LateReportBug,
  ['feedback', 'feedback/record'],
);

/** The button on every screen that opens the report dialog, which is downloaded then. */
export function ReportBugCorner() {
  const { t } = useTranslation();
  const { texts, reportBug } = useApp();
  const view = useStore(reportBug.view);
  const { sending, refused } = useStore(reportBug.waiting);
  const feedback = useStore(reportBug.feedback);
  const [loading, setLoading] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function showFailure(): void {
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
      const [started] = await Promise.all([reportBug.start(), LateReportBug.preload(texts)]);
      await started.open();
    } catch {
      showFailure();
    } finally {
      setLoading(false);
    }
  }

  const reopen = useRef(open);
  useEffect(() => {
    if (reportBug.wasOpen()) void reopen.current();
  }, [reportBug]);

  return (
    <ReportTrigger
      button={button}
      label={t('SHELL.REPORT_BUG.TRIGGER')}
      busy={loading}
      hidden={view === 'thanks'}
      waiting={sending === 0 ? '' : t('SHELL.REPORT_BUG.WAITING', { count: sending })}
      refused={refused === 0 ? '' : t('SHELL.REPORT_BUG.REFUSED', { count: refused })}
      onOpen={() => void open()}
    >
      {feedback === null ? null : (
        <Suspense>
          <LateReportBug feedback={feedback} trigger={button} onError={showFailure} />
        </Suspense>
      )}
    </ReportTrigger>
  );
}
