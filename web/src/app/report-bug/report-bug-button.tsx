import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from '../../platform/state/use-store.ts';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useApp } from '../app-context.tsx';
import { lazyScreen } from '../screens/lazy-screen.tsx';
import { showReportFailure, useOpenReport } from '#features/feedback/web/open-report.ts';
import './report-bug-button.css';

const LazyReportBug = lazyScreen(
  async () => (await import('./lazy-report-bug.tsx')).LazyReportBug,
  ['FEEDBACK', 'RECORD'],
);

/** Milliseconds after which nothing else of the page is being downloaded, as a rule. */
const restBeforeDownload = 2000;

/**
 * The button in the top bar that opens the report dialog, with the number of waiting reports. The dialog is
 * downloaded when it is first needed or once the page is idle: many reports are about a network that fails.
 */
export function ReportBugButton() {
  const { t } = useTranslation();
  const { texts, reportBug } = useApp();
  const view = useStore(reportBug.view);
  const { sending, refused } = useStore(reportBug.waiting);
  const feedback = useStore(reportBug.feedback);
  const [opening, setOpening] = useState(false);
  const [isThere, setIsThere] = useState(false);
  const openReport = useOpenReport();
  const button = useRef<HTMLButtonElement>(null);
  const waitingId = useId();

  async function open(): Promise<void> {
    setOpening(true);
    await openReport();
    setOpening(false);
  }

  useEffect(() => {
    if (feedback === null) return;
    LazyReportBug.preload(texts).then(
      () => setIsThere(true),
      () => {
        if (view !== 'form') return;
        feedback.close();
        showReportFailure(t);
      },
    );
  }, [feedback, view, texts, t]);

  useEffect(() => {
    if (savesData()) return undefined;
    const timer = setTimeout(() => {
      LazyReportBug.preload(texts)
        .then(async () => (await import('./lazy-report-bug.tsx')).loadPictureEditor())
        // After a failure the dialog is downloaded when it is needed.
        .catch(() => undefined);
    }, restBeforeDownload);
    return () => clearTimeout(timer);
  }, [texts]);

  const reopen = useRef(open);
  useEffect(() => {
    if (reportBug.wasOpen()) void reopen.current();
  }, [reportBug]);

  return (
    <div className="report-bug">
      {/* Always in the document, so that a change is announced. */}
      <div id={waitingId} className="report-waiting" role="status">
        <Waiting count={refused} icon="warning" text="SHELL.REPORT_BUG.REFUSED" refused />
        <Waiting count={sending} icon="clock" text="SHELL.REPORT_BUG.WAITING" />
      </div>
      {/* The button keeps its space behind the thanks, so that nothing in the bar moves. */}
      <Button
        ref={button}
        className={view === 'thanks' ? 'report-bug-away' : ''}
        icon="bug"
        busy={opening || (view === 'form' && !isThere)}
        title={t('SHELL.REPORT_BUG.TRIGGER')}
        onClick={() => void open()}
        aria-describedby={sending + refused === 0 ? undefined : waitingId}
      >
        <span className="narrow-unseen">{t('SHELL.REPORT_BUG.TRIGGER')}</span>
      </Button>
      {/* After the button in the document; the dialog returns the focus to the button. */}
      {feedback === null || !isThere ? null : (
        <LazyReportBug feedback={feedback} trigger={button} onError={() => showReportFailure(t)} />
      )}
    </div>
  );
}

type WaitingProps = { count: number; icon: IconName; text: string; refused?: boolean };

/** Shows how many reports wait or are not accepted; a narrow bar shows the number alone. */
function Waiting({ count, icon, text, refused }: WaitingProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  const words = t(text, { count });
  return (
    <p title={words} data-count={count} data-refused={refused}>
      <Icon name={icon} size={14} />
      <span>{words}</span>
    </p>
  );
}

/** Whether the person has asked the browser to download little; not all browsers have the setting. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
