import type { TFunction } from 'i18next';
import { notify } from '../../ui/notifications/notifications.ts';

/** The dialog for reports could not be opened. */
export function showReportFailure(t: TFunction): void {
  notify({
    kind: 'error',
    key: 'report-bug',
    title: t('SHELL.REPORT_BUG.FAILED.TITLE'),
    content: t('SHELL.REPORT_BUG.FAILED.CONTENT'),
  });
}
