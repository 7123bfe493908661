import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';

/** Opens the form of a bug report with its draft; shows a notification if the form cannot be downloaded. */
export function useOpenReport(): () => Promise<void> {
  const { t } = useTranslation();
  const { reportBug } = useApp();
  return async () => {
    try {
      await (await reportBug.start()).open();
    } catch {
      showReportFailure(t);
    }
  };
}

/** Notifies that the report dialog could not be opened. */
export function showReportFailure(t: TFunction): void {
  notify({
    kind: 'error',
    key: 'report-bug',
    title: t('SHELL.REPORT_BUG.FAILED.TITLE'),
    content: t('SHELL.REPORT_BUG.FAILED.CONTENT'),
  });
}
