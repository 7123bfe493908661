import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { MoreRows } from '#web/ui/list-frame.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { pastWindowsQuery } from '../maintenance-queries.ts';
import { WindowTable } from '../windows/window-table.tsx';
import { HistoryList } from './history-list.tsx';

type HistoryTabProps = { onOpen: (window: MaintenanceWindow) => void };

/** What was: the windows that are over, and everything that happened to maintenance. */
export function HistoryTab({ onOpen }: HistoryTabProps) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <>
      <PastWindows onOpen={onOpen} />
      <section className="section" aria-labelledby="maintenance-history">
        <h2 id="maintenance-history">{t('MAINTENANCE.CONSOLE.HISTORY.TITLE')}</h2>
        <HistoryList windowId={null} />
        <HistoryLink subject="maintenance">{t('MAINTENANCE.CONSOLE.HISTORY.AUDIT')}</HistoryLink>
      </section>
      {can('SETTINGS_WRITE') ? (
        <p className="muted">
          {t('MAINTENANCE.CONSOLE.WEBHOOKS.TEXT')}{' '}
          <Link to="/webhooks">{t('MAINTENANCE.CONSOLE.WEBHOOKS.LINK')}</Link>
        </p>
      ) : null}
    </>
  );
}

/** The windows that are over, the last first. */
function PastWindows({ onOpen }: HistoryTabProps) {
  const { t } = useTranslation();
  const past = useInfiniteQuery(pastWindowsQuery(useApi()));
  const windows = past.data?.pages.flatMap((page) => page.windows) ?? [];
  if (past.isPending) return <Skeleton label={t('MAINTENANCE.CONSOLE.LOADING')} kind="rows" count={2} />;
  const { more, retry } = listState(t, past);
  if (past.data === undefined)
    return <RetryNotice retry={retry}>{t('MAINTENANCE.CONSOLE.PAST_FAILED')}</RetryNotice>;
  if (windows.length === 0) return null;
  return (
    <WindowTable id="past-windows" title={t('MAINTENANCE.CONSOLE.PAST')} windows={windows} onOpen={onOpen}>
      {more === undefined ? null : <MoreRows {...more}>{t('MAINTENANCE.CONSOLE.MORE')}</MoreRows>}
    </WindowTable>
  );
}
