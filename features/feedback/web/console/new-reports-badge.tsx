import { listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { routeQuery } from '#web/platform/calls/route-query.ts';

/** How many reports are new, next to their entry of the navigation; nothing while there is none. */
export function NewReportsBadge() {
  const { t } = useTranslation();
  const counts = useQuery({
    ...routeQuery([reportInbox.list, 'new'], listReports, { query: { status: 'new', limit: 1 } }),
    select: (answer) => answer.counts.new,
  });
  const count = counts.data ?? 0;
  if (count === 0) return null;
  return (
    <span className="shell-badge small strong">
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="visually-hidden">{t('SHELL.NEW_REPORTS', { count })}</span>
    </span>
  );
}
