import { reportTab, type ReportTab } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/catalogue-key.ts';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';

type InboxTabsProps = {
  tab: ReportTab;
  /** How many reports each tab has of what the filter finds. */
  counts: Record<ReportTab, number> | undefined;
  onTab: (tab: ReportTab) => void;
};

/** The parts of the inbox, with how many reports each has: links, since each has an address. */
export function InboxTabs({ tab, counts, onTab }: InboxTabsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <nav className="inbox-tabs" aria-label={t('REPORTS.TABS.LABEL')}>
      {reportTab.options.map((one) => (
        <a
          key={one}
          href={`?${new URLSearchParams({ tab: one })}`}
          aria-current={one === tab ? 'page' : undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
            event.preventDefault();
            onTab(one);
          }}
        >
          {t(`REPORTS.TABS.${catalogueKey(one)}`)}{' '}
          {counts === undefined ? null : <span className="inbox-count">{formats.number(counts[one])}</span>}
        </a>
      ))}
    </nav>
  );
}
