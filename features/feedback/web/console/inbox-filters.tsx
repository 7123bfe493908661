import { reportTab, type ReportTab } from '#features/feedback/contract/inbox.ts';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import { useQuery } from '@tanstack/react-query';
import { ViewMenu } from '#features/views/web/view-menu.tsx';
import { useTranslation } from 'react-i18next';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { formatDay } from '#web/platform/time/wall-times.ts';
import { Button } from '#web/ui/button.tsx';
import { DateInput } from '#web/ui/date-input/date-input.tsx';
import { Field, SelectField } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { FilterBar } from '#web/ui/list-frame.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { countNarrowing, filterNames, type InboxFilter, statusesOf } from './inbox-filter.ts';
import { assigneesQuery, labelsQuery } from './reports-queries.ts';
import type { Inbox } from './use-inbox.ts';
import { useFormats } from '#web/platform/contexts.tsx';
import '#web/ui/tabs.css';

type InboxTabsProps = {
  tab: ReportTab;
  /** How many reports of each tab match the filter. */
  counts: Record<ReportTab, number> | undefined;
  onTab: (tab: ReportTab) => void;
};

/** The parts of the inbox, with how many reports each has: links, since each has an address. */
export function InboxTabs({ tab, counts, onTab }: InboxTabsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <nav className="tabs above-4" aria-label={t('REPORTS.TABS.LABEL')}>
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
          <span className="count-pill small">{counts && formats.number(counts[one])}</span>
        </a>
      ))}
    </nav>
  );
}

/** The search, the choices that narrow the list, and the views. */
export function InboxFilters({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const { filter, typed, type, clear } = inbox;
  const first = inbox.answer.data?.pages[0];
  const narrowed = countNarrowing(filter);
  return (
    <>
      <FilterBar search={{ label: t('REPORTS.SEARCH'), value: typed, maxLength: 200, onValue: type }}>
        <Popover
          label={t('REPORTS.FILTER.LABEL', { count: narrowed })}
          className="inbox-filter-panel"
          button={
            <>
              <Icon name="settings" />
              {t('REPORTS.FILTER.TITLE')}
              {narrowed === 0 ? null : <span className="count-pill small">{narrowed}</span>}
            </>
          }
        >
          {(close) => <FilterFields inbox={inbox} counts={first?.counts} onClose={close} />}
        </Popover>
        <ViewMenu list="reports" fields={filterNames} />
      </FilterBar>
      <FilterChips filter={filter} onFilter={inbox.setFilter} onClear={clear} />
    </>
  );
}

type FilterFieldsProps = {
  inbox: Inbox;
  counts: Record<ReportStatus, number> | undefined;
  onClose: () => void;
};

/** Each choice applies at once; the list follows. */
function FilterFields({ inbox: { filter, setFilter, clear }, counts, onClose }: FilterFieldsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const word = useStatusWord();
  const people = useQuery(assigneesQuery('', 100)).data ?? [];
  const labels = useQuery(labelsQuery).data ?? [];
  const statuses = statusesOf[filter.tab];
  const names = labels.map(({ label }) => label);
  return (
    <div className="inbox-filter-fields stack">
      {statuses.length < 2 ? null : (
        <SelectField
          label={t('REPORTS.STATUS')}
          data-autofocus=""
          value={filter.status}
          onValue={(status) => setFilter({ status })}
          options={[
            { value: '', label: t('REPORTS.ANY_STATUS') },
            ...statuses.map((value) => ({
              value,
              label:
                counts === undefined
                  ? word(value)
                  : t('REPORTS.COUNTED', { status: word(value), number: formats.number(counts[value]) }),
            })),
          ]}
        />
      )}
      {filter.tab === 'mine' ? null : (
        <SelectField
          label={t('REPORTS.ASSIGNEE.TITLE')}
          value={filter.assignee}
          onValue={(assignee) => setFilter({ assignee })}
          options={[
            { value: '', label: t('REPORTS.FILTER.ANYONE') },
            { value: 'current', label: t('REPORTS.FILTER.ME') },
            { value: 'none', label: t('REPORTS.ASSIGNEE.NOBODY') },
            ...people.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <SelectField
        label={t('REPORTS.LABELS.ONE')}
        value={filter.label}
        onValue={(label) => setFilter({ label })}
        options={[
          { value: '', label: t('REPORTS.FILTER.ANY_LABEL') },
          ...[...new Set([...names, ...(filter.label === '' ? [] : [filter.label])])].map((label) => ({
            value: label,
            label,
          })),
        ]}
      />
      <div className="inbox-filter-days grid gap-2">
        {(['from', 'until'] as const).map((name) => (
          <Field key={name} label={t(`REPORTS.FILTER.${name.toUpperCase()}`)}>
            {(control) => (
              <DateInput
                {...control}
                label={t(`REPORTS.FILTER.${name.toUpperCase()}`)}
                to="day"
                formats={formats}
                value={filter[name]}
                {...(name === 'from' ? { max: filter.until } : { min: filter.from })}
                onValue={(day) => setFilter({ [name]: day })}
              />
            )}
          </Field>
        ))}
      </div>
      {(
        [
          ['pictures', t('REPORTS.REPORT.PICTURES'), 'PICTURES', ['', 'with', 'without']],
          ['last', t('REPORTS.FILTER.LAST_WORD'), 'LAST', ['', 'reporter', 'operator']],
        ] as const
      ).map(([name, label, key, values]) => (
        <SelectField
          key={name}
          label={label}
          value={filter[name]}
          onValue={(value) => setFilter({ [name]: value })}
          options={values.map((value) => ({
            value: value as string,
            label: t(`REPORTS.FILTER.${key}.${value === '' ? 'ANY' : catalogueKey(value)}`),
          }))}
        />
      ))}
      <div className="row between">
        <Button small tone="quiet" disabled={countNarrowing(filter) === 0} onClick={clear}>
          {t('REPORTS.FILTER.CLEAR')}
        </Button>
        <Button small onClick={onClose}>
          {t('COMMON.CLOSE')}
        </Button>
      </div>
    </div>
  );
}

type FilterChipsProps = {
  filter: InboxFilter;
  onFilter: (change: Partial<InboxFilter>) => void;
  onClear: () => void;
};

/** The filters that narrow the list, in words; a press on a filter removes it. */
function FilterChips({ filter, onFilter, onClear }: FilterChipsProps) {
  const { t } = useTranslation();
  const chips = useFilterWords()(filter);
  if (chips.length === 0) return null;
  return (
    <ul className="filter-chips row wrap">
      {chips.map(([name, words]) => (
        <li key={name}>
          <Button small className="filter-chip" data-private="" onClick={() => onFilter({ [name]: '' })}>
            <span dir="auto">{words}</span>
            <Icon name="close" size={12} />
            <span className="visually-hidden">{t('REPORTS.FILTER.REMOVE')}</span>
          </Button>
        </li>
      ))}
      {chips.length < 2 ? null : (
        <li>
          <Button small tone="quiet" onClick={onClear}>
            {t('REPORTS.FILTER.CLEAR')}
          </Button>
        </li>
      )}
    </ul>
  );
}

/** Returns a function that puts each filter, except the search, into words. */
function useFilterWords() {
  const { t } = useTranslation();
  const formats = useFormats();
  const word = useStatusWord();
  const people = useQuery(assigneesQuery('', 100)).data ?? [];
  const day = (text: string) => formatDay(text, formats) ?? text;
  return (filter: InboxFilter) => {
    const { status, assignee, label, from, until, pictures, last } = filter;
    const named = people.find(({ id }) => id === assignee)?.name ?? assignee;
    const who =
      assignee === 'none'
        ? t('REPORTS.ASSIGNEE.NOBODY')
        : assignee === 'current'
          ? t('REPORTS.FILTER.ME')
          : named;
    const chips: Partial<Record<keyof InboxFilter, string>> = {
      status: status && word(status as ReportStatus),
      assignee: assignee && t('REPORTS.FILTER.ASSIGNED', { name: who }),
      label: label && t('REPORTS.FILTER.LABELLED', { label }),
      from: from && t('REPORTS.FILTER.SINCE', { day: day(from) }),
      until: until && t('REPORTS.FILTER.TO', { day: day(until) }),
      pictures: pictures && t(`REPORTS.FILTER.PICTURES.${catalogueKey(pictures)}`),
      last: last && t(`REPORTS.FILTER.LAST.${catalogueKey(last)}`),
    };
    return Object.entries(chips).filter(([, words]) => words !== '');
  };
}
