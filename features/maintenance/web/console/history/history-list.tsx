import type { MaintenanceAction } from '#features/maintenance/contract/windows.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useApi } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { MoreRows } from '#web/ui/list-frame.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/states.tsx';
import { Time } from '#web/ui/time.tsx';
import { historyQuery } from '../maintenance-queries.ts';
import { deedInWords, detailInWords } from './history-words.ts';

const icons: Record<MaintenanceAction, IconName> = {
  planned: 'plus',
  changed: 'edit',
  warned: 'flag',
  started: 'wrench',
  extended: 'clock',
  ended: 'check',
  cancelled: 'close',
  'text-removed': 'flag',
  phase: 'clock',
  switched: 'settings',
  notice: 'flag',
  'held-open': 'alert',
  'let-go': 'check',
};

/** The history, the latest first; of one window, or of everything. */
export function HistoryList({ windowId }: { windowId: string | null }) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const history = useInfiniteQuery(historyQuery(api, windowId));
  const entries =
    history.data?.pages.flatMap(({ entries: some, names }) => some.map((entry) => ({ entry, names }))) ?? [];
  if (history.isPending) return <Skeleton label={t('MAINTENANCE.CONSOLE.HISTORY.LOADING')} count={3} />;
  const { more } = listState(t, history);
  if (entries.length === 0)
    return history.isError ? (
      <Notice severity="high" role="alert">
        {t('MAINTENANCE.CONSOLE.HISTORY.FAILED')}{' '}
        <Button small busy={history.isFetching} onClick={() => void history.refetch()}>
          {t('COMMON.RETRY')}
        </Button>
      </Notice>
    ) : (
      <p className="muted">{t('MAINTENANCE.CONSOLE.HISTORY.EMPTY')}</p>
    );
  return (
    <>
      <ol className="history">
        {entries.map(({ entry, names }) => {
          const detail = detailInWords(t, formats, entry);
          return (
            <li key={entry.id}>
              <span className="history-icon">
                <Icon name={icons[entry.deed]} size={14} />
              </span>
              <span className="history-words">
                {deedInWords(t, formats, entry, names)}
                {detail === null ? null : <small className="muted history-detail">{detail}</small>}
              </span>
              <span className="muted history-time">
                <Time at={entry.at} formats={formats} />
              </span>
            </li>
          );
        })}
      </ol>
      {more === undefined ? null : <MoreRows {...more}>{t('MAINTENANCE.CONSOLE.MORE')}</MoreRows>}
    </>
  );
}
