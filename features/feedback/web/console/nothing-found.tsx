import { reportTab, type ReportTab } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { countNarrowing } from './inbox-filter.ts';
import type { Inbox } from './use-inbox.ts';

/** Why the list is empty, and where else the filter finds something. */
export function NothingFound({ inbox, tabs }: { inbox: Inbox; tabs: Record<ReportTab, number> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { filter, setFilter, clear } = inbox;
  const others = reportTab.options.filter((tab) => tab !== filter.tab && tab !== 'mine' && tabs[tab] > 0);
  if (filter.search !== '' || countNarrowing(filter) > 0)
    return (
      <EmptyState
        icon="search"
        title={t('REPORTS.NOTHING_FOUND.TITLE')}
        action={
          <span className="button-row">
            {others.map((tab) => (
              <Button key={tab} onClick={() => setFilter({ tab, status: '' })}>
                {t('REPORTS.COUNTED', {
                  status: t(`REPORTS.TABS.${catalogueKey(tab)}`),
                  number: formats.number(tabs[tab]),
                })}
              </Button>
            ))}
            <Button onClick={clear}>{t('REPORTS.NOTHING_FOUND.ACTION')}</Button>
          </span>
        }
      >
        {others.length === 0 ? t('REPORTS.NOTHING_FOUND.TEXT') : t('REPORTS.NOTHING_FOUND.ELSEWHERE')}
      </EmptyState>
    );
  if (Object.values(tabs).every((count) => count === 0))
    return (
      <EmptyState icon="inbox" title={t('REPORTS.EMPTY.TITLE')}>
        {t('REPORTS.EMPTY.TEXT', { button: t('SHELL.REPORT_BUG.TRIGGER') })}
      </EmptyState>
    );
  const key = catalogueKey(filter.tab);
  return (
    <EmptyState
      icon={filter.tab === 'open' || filter.tab === 'mine' ? 'check-circle' : 'inbox'}
      title={t(`REPORTS.EMPTY_TABS.${key}.TITLE`)}
    >
      {t(`REPORTS.EMPTY_TABS.${key}.TEXT`)}
    </EmptyState>
  );
}
