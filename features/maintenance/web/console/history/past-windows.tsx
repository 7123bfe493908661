import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { listState } from '#web/platform/lists/list-state.ts';
import { MoreRows } from '#web/ui/list-frame.tsx';
import { RetryNotice, Skeleton } from '#web/ui/states.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { pastWindowsQuery } from '../maintenance-queries.ts';
import { PhaseTag } from '../windows/phase-tag.tsx';
import { Span } from '../windows/span.tsx';

/** The windows that are over, the last first. */
export function PastWindows({ onOpen }: { onOpen: (window: MaintenanceWindow) => void }) {
  const { t } = useTranslation();
  const api = useApi();
  const past = useInfiniteQuery(pastWindowsQuery(api));
  const windows = past.data?.pages.flatMap((page) => page.windows) ?? [];
  if (past.isPending) return <Skeleton label={t('MAINTENANCE.CONSOLE.LOADING')} kind="rows" count={2} />;
  const { more, retry } = listState(t, past);
  if (past.data === undefined)
    return <RetryNotice retry={retry}>{t('MAINTENANCE.CONSOLE.PAST_FAILED')}</RetryNotice>;
  if (windows.length === 0) return null;
  const columns: Column<MaintenanceWindow>[] = [
    {
      key: 'title',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.TITLE'),
      role: 'primary',
      cell: (window) => <strong dir="auto">{window.title}</strong>,
    },
    {
      key: 'phase',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.PHASE'),
      role: 'beside',
      tight: true,
      cell: (window) => <PhaseTag phase={window.phase} />,
    },
    {
      key: 'when',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.WHEN'),
      cell: (window) => (
        <Span
          startsAt={window.startsAt}
          endsAt={window.phase === 'ended' ? (window.overAt ?? window.endsAt) : window.endsAt}
        />
      ),
    },
    {
      key: 'mode',
      header: t('MAINTENANCE.CONSOLE.COLUMNS.MODE'),
      cell: (window) => t(`MAINTENANCE.CONSOLE.WINDOW_MODES.${catalogueKey(window.mode)}.LABEL`),
    },
  ];
  return (
    <section className="section" aria-labelledby="past-windows">
      <h2 id="past-windows">{t('MAINTENANCE.CONSOLE.PAST')}</h2>
      <Table
        caption={t('MAINTENANCE.CONSOLE.PAST')}
        columns={columns}
        rows={windows}
        rowKey={(window) => window.id}
        open={{ act: onOpen }}
      />
      {more === undefined ? null : <MoreRows {...more}>{t('MAINTENANCE.CONSOLE.MORE')}</MoreRows>}
    </section>
  );
}
