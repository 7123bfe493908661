import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { HistoryList } from './history-list.tsx';
import { PastWindows } from './past-windows.tsx';

/** What was: the windows that are over, and everything that happened to maintenance. */
export function HistoryTab({ onOpen }: { onOpen: (window: MaintenanceWindow) => void }) {
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
