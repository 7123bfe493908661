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

/** Milliseconds after which nothing else of the page is being downloaded, as a rule. */
const restBeforeDownload = 2000;

/**
 * The button on every screen that opens the report dialog. That is downloaded when it is first needed, or
 * beforehand at rest: a network that fails is what many reports are about.
 */
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

  useEffect(() => {
    if (savesData()) return undefined;
    const timer = setTimeout(() => {
      Promise.all([
        LateReportBug.preload(texts),
        import('../../features/feedback/screenshot/screenshot.tsx'),
      ]).catch(
        // It is downloaded when it is needed.
        () => undefined,
      );
    }, restBeforeDownload);
    return () => clearTimeout(timer);
  }, [texts]);

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

/** Whether the person has asked the browser to download little; not all browsers have the setting. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
