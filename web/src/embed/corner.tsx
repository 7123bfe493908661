import { Component, type ReactNode, useRef, useState } from 'react';
import { ReportTrigger } from '../features/feedback/report-trigger.tsx';
import type { ReportBug } from '../app/report-bug/report-bug.ts';
import type { Readable } from '../platform/state/store.ts';
import { useStore } from '../platform/state/use-store.ts';
import { notify } from '../ui/notifications/notifications.ts';
import type { DrawDialog } from './dialog.tsx';
import { type EmbedTexts, useTranslation } from './texts.tsx';

export type ReportCorner = {
  reportBug: ReportBug;
  texts: EmbedTexts;
  /** Whether the button is shown. */
  shown: Readable<boolean>;
  /** The dialog's part of the script, once it is there. */
  dialog: Readable<DrawDialog | null>;
  open: () => Promise<void>;
};

/** The button in the corner of the page, and behind it the form. */
export function Corner({ reportBug, shown, dialog, open }: ReportCorner) {
  const { t } = useTranslation();
  const isShown = useStore(shown);
  const view = useStore(reportBug.view);
  const { sending, refused } = useStore(reportBug.waiting);
  const feedback = useStore(reportBug.feedback);
  const drawDialog = useStore(dialog);
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

  async function press(): Promise<void> {
    setLoading(true);
    await open().catch(showFailure);
    setLoading(false);
  }

  return (
    <ReportTrigger
      button={button}
      label={t('SHELL.REPORT_BUG.TRIGGER')}
      busy={loading}
      hidden={view === 'thanks' || !isShown}
      waiting={sending === 0 ? '' : t('SHELL.REPORT_BUG.WAITING', { count: sending })}
      refused={refused === 0 ? '' : t('SHELL.REPORT_BUG.REFUSED', { count: refused })}
      onOpen={() => void press()}
    >
      {feedback === null || drawDialog === null ? null : (
        <Guarded
          onError={() => {
            feedback.close();
            showFailure();
          }}
        >
          {drawDialog(feedback, button)}
        </Guarded>
      )}
    </ReportTrigger>
  );
}

type GuardedProps = { onError: () => void; children: ReactNode };

/** What stops working is taken away, and the rest goes on. */
export class Guarded extends Component<GuardedProps, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override componentDidCatch(): void {
    this.props.onError();
  }
  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
