import { reportStatus, type ReportStatus } from '@portico/contract/feedback/own-reports';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { FilterBar } from '../../../ui/list-frame.tsx';
import { SearchInput, Select } from '../../../ui/text-input.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import type { ReportFilter } from './reports-queries.ts';

type InboxFiltersProps = {
  /** The text of the search field, which the filter follows after a pause. */
  typed: string;
  onType: (text: string) => void;
  filter: ReportFilter;
  onFilter: (change: { status: string } | { order: string }) => void;
  /** How many reports match the search in each status, and how many match the whole filter. */
  counts: Record<ReportStatus, number> | undefined;
  total: number | undefined;
};

export function InboxFilters({ typed, onType, filter, onFilter, counts, total }: InboxFiltersProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const word = useStatusWord();
  const counted = (status: string, count: number | undefined) =>
    count === undefined ? status : t('REPORTS.COUNTED', { status, number: formats.number(count) });
  const all = counts === undefined ? undefined : Object.values(counts).reduce((sum, each) => sum + each, 0);
  return (
    <FilterBar count={total === undefined ? '' : t('REPORTS.TOTAL', { count: total })}>
      <SearchInput label={t('REPORTS.SEARCH')} value={typed} maxLength={200} onValue={onType} />
      <Select
        aria-label={t('REPORTS.STATUS')}
        value={filter.status}
        onValue={(status) => onFilter({ status })}
        options={[
          { value: '', label: counted(t('REPORTS.ANY_STATUS'), all) },
          ...reportStatus.options.map((value) => ({ value, label: counted(word(value), counts?.[value]) })),
        ]}
      />
      <Select
        aria-label={t('REPORTS.ORDER')}
        value={filter.order}
        onValue={(order) => onFilter({ order: order === 'newest' ? '' : order })}
        options={[
          { value: 'newest', label: t('REPORTS.ORDERS.NEWEST') },
          { value: 'oldest', label: t('REPORTS.ORDERS.OLDEST') },
        ]}
      />
    </FilterBar>
  );
}
