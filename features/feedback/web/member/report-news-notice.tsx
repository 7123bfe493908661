import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { notify } from '#web/ui/notifications/notifications.ts';
import type { NewsOfReports } from './report-news.ts';

/** Longer than other notifications, since there is a button to press. */
const duration = 10_000;

type ReportNewsNoticeProps = {
  news: NewsOfReports;
  /** Downloads the texts of this folder. */
  loadTexts: () => Promise<void>;
  onShow: (reportId: string) => void;
  /** Whether that report is on the screen already. */
  isShown: (reportId: string) => boolean;
};

/** Notifies of changes to an own report, in the current language. Draws nothing itself. */
export function ReportNewsNotice({ news, loadTexts, onShow, isShown }: ReportNewsNoticeProps): null {
  const { i18n } = useTranslation();

  useEffect(
    () =>
      news.onNews(({ reportId, number, status, replies }) => {
        // A report that was marked as spam causes no notification; the list shows it.
        if (status === 'spam' || isShown(reportId)) return;
        const what = replies === 0 ? catalogueKey(status) : status === 'resolved' ? 'SOLVED' : 'ANSWERED';
        const publish = () =>
          notify({
            kind: status === 'resolved' ? 'success' : 'info',
            key: `report-${reportId}`,
            duration,
            title: i18n.t(`MY_REPORTS.NEWS.${what}`, { number }),
            actions: [{ label: i18n.t('MY_REPORTS.NEWS.SHOW'), act: () => onShow(reportId) }],
          });
        // If the texts cannot be loaded, the list still shows the news.
        loadTexts().then(publish, () => {});
      }),
    [news, loadTexts, onShow, isShown, i18n],
  );

  return null;
}
