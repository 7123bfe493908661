import { type AuditEntry, exportAudit } from '#features/audit/contract/audit.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readProblemText } from '#web/platform/calls/problem-text.ts';
import { useDownload } from '#web/platform/files/use-download.ts';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { useApi, useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { listState, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { type ListAndDetail, useListAndDetail } from '#web/platform/lists/list-and-detail.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListBeside } from '#web/ui/list-beside.tsx';
import { ListFrame, MoreRows } from '#web/ui/list-frame.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { uppermostModal } from '#web/ui/modal-stack.ts';
import { Notice, Problem } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { areaIcon, areaOf, areas, EntryFace } from './entry-face.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditPane } from './audit-pane.tsx';
import { type AuditFilter, auditQuery, filterNames, filterQuery } from './audit-queries.ts';
import { byDay, dayWords } from './by-day.ts';
import { useEntryWords } from './entry-words.ts';
import './audit.css';

const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as AuditFilter;

/** The audit: search it, read each entry with before and after, export it. */
export function AuditScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const [{ entry: open, ...filter }, setAddress] = useAddressFilter(['entry', ...filterNames]);
  const [typed, type] = useTypedSearch(filter.search, (search) => setAddress({ search }));
  const answer = useInfiniteQuery(auditQuery(filter, formats.timeZone, clock.now));
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.entries) ?? [], [answer.data]);
  const lookedBackTo = answer.data?.pages.at(-1)?.lookedBackTo ?? null;
  const narrowed = filterNames.some((name) => filter[name] !== '');

  const now = useNow(30_000);
  const more = useRef<HTMLButtonElement>(null);
  const {
    list: listElement,
    heading,
    current,
    focusRow,
    goOnAt,
    rowLink,
    close,
  } = useListAndDetail(open, rows, (entry, how) => setAddress({ entry }, how));

  function moveInList(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex((row) => row.id === current);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (rows[target] !== undefined) focusRow(rows[target].id);
    else if (target > 0) more.current?.focus();
  }

  const handleKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.defaultPrevented || uppermostModal() !== null || !(event.target instanceof Element)) return;
    const inSearch = event.target.closest('.audit input[type=search]') !== null;
    if (event.key === 'ArrowDown' && inSearch) {
      event.preventDefault();
      focusRow(current);
    } else if (
      event.key === 'Escape' &&
      open !== '' &&
      event.target.closest('input, select, [role=menu]') === null
    )
      close();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  const list = (
    <>
      <ListFrame
        texts="AUDIT"
        {...listState(t, answer)}
        more={undefined}
        skeletonRows={8}
        {...(answer.hasNextPage ? {} : { count: rows.length })}
        empty={{ icon: 'list' }}
        onClear={narrowed ? () => setAddress(noFilter) : undefined}
        clearLabel={t('AUDIT.FILTERS.CLEAR')}
      >
        {rows.length === 0 ? null : (
          <AuditList list={listElement} entries={rows} rowLink={rowLink} now={now} onKeyDown={moveInList} />
        )}
      </ListFrame>
      {answer.isError && answer.data !== undefined ? (
        <Notice severity="medium" role="status">
          {t('AUDIT.FAILED.TITLE')}
        </Notice>
      ) : null}
      {answer.hasNextPage ? (
        <MoreRows
          button={more}
          busy={answer.isFetchingNextPage}
          onMore={() => {
            goOnAt(rows.length);
            void answer.fetchNextPage();
          }}
          note={
            lookedBackTo !== null && narrowed ? (
              <p className="muted" role="status">
                {t('AUDIT.LOOKED_BACK', { time: formats.dateTime(lookedBackTo) })}
              </p>
            ) : null
          }
        >
          {t(rows.length === 0 ? 'AUDIT.FURTHER' : 'COMMON.MORE')}
        </MoreRows>
      ) : null}
    </>
  );

  return (
    <ListBeside
      className="audit"
      head={
        <ScreenHead title={t('AUDIT.TITLE')} lead={t('AUDIT.LEAD')}>
          <div className="audit-actions row top">
            <IconButton
              icon="refresh"
              label={t('AUDIT.REFRESH')}
              busy={answer.isRefetching}
              onClick={() => void answer.refetch()}
            />
            <ExportMenu filter={filter} />
          </div>
        </ScreenHead>
      }
      filters={
        <AuditFilters
          typed={typed}
          onType={type}
          filter={filter}
          entries={answer.data && rows}
          onFilter={setAddress}
        />
      }
      list={list}
      detail={
        open === '' ? null : (
          <AuditPane
            key={open}
            entryId={open}
            summary={rows.find((row) => row.id === open)}
            heading={heading}
            onClose={close}
            onFilter={(change) => setAddress({ ...noFilter, entry: '', ...change }, 'push')}
          />
        )
      }
    />
  );
}

type AuditListProps = Pick<ListAndDetail, 'list' | 'rowLink'> & {
  entries: readonly AuditEntry[];
  now: number;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** The entries, the latest first, grouped by day; each row is a link to its entry. */
function AuditList({ list, entries, rowLink, now, onKeyDown }: AuditListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <ul ref={list} className="audit-days stack gap-4" aria-label={t('AUDIT.COLUMN')}>
      {byDay(entries, formats.timeZone).map(({ day, entries: made }) => (
        <li key={day}>
          <h2 className="audit-day-head muted small strong">{dayWords(day, now, formats)}</h2>
          <ul className="list-beside-rows panel">
            {made.map((entry) => (
              <li key={entry.id}>
                <a
                  className="list-beside-row opens audit-row middle"
                  href={`?${new URLSearchParams({ entry: entry.id })}`}
                  {...rowLink(entry.id)}
                  onKeyDown={onKeyDown}
                >
                  <Row entry={entry} />
                </a>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { sentence, way } = useEntryWords();
  const area = areaOf(entry.action);
  return (
    <>
      <span className="audit-row-text breaks" dir="auto">
        {sentence(entry)}
      </span>
      <span className="list-beside-facts flex shrinks gap-2 dotted muted small">
        <time dateTime={new Date(entry.at).toISOString()} title={formats.exact(entry.at)}>
          {formats.time(entry.at)}
        </time>
        {areas.includes(area) ? (
          <span className="audit-row-area cut">
            <Icon name={areaIcon(area)} size={12} />
            {t(`AUDIT.AREAS.${catalogueKey(area)}`)}
          </span>
        ) : null}
        <span className="audit-row-way">{way(entry)}</span>
      </span>
      <EntryFace entry={entry} />
    </>
  );
}

const megabyte = 1_000_000;

/** Saves what the filter finds, and shows the progress. */
function ExportMenu({ filter }: { filter: AuditFilter }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const api = useApi();
  const clock = useServerClock();
  const { saving, received, cancel } = useDownload<'csv' | 'jsonl'>('portico-audit', (format, options) =>
    api.download(
      exportAudit,
      { query: { ...filterQuery(filter, formats.timeZone, clock.now()), format } },
      options,
    ),
  );
  return (
    <div className="audit-export stack gap-1">
      <Menu
        label={t('AUDIT.EXPORT.TITLE')}
        button={
          <>
            <Icon name="download" />
            {t('AUDIT.EXPORT.TITLE')}
          </>
        }
        items={(['csv', 'jsonl'] as const).map((format) => ({
          label: t(`AUDIT.EXPORT.${catalogueKey(format)}`),
          icon: format === 'csv' ? ('list' as const) : ('download' as const),
          onSelect: () => {
            if (!saving.isPending) saving.mutate(format);
          },
        }))}
      />
      <div role="status">
        {saving.isPending ? (
          <p className="muted small">
            <span>
              {t('AUDIT.EXPORT.PROGRESS', { size: formats.number(Math.floor(received / megabyte)) })}
            </span>{' '}
            <Button small tone="quiet" onClick={cancel}>
              {t('COMMON.CANCEL')}
            </Button>
          </p>
        ) : saving.data === 'saved' ? (
          // Not a notification, which would cover this button.
          <p className="muted small">{t('AUDIT.EXPORT.DONE')}</p>
        ) : null}
      </div>
      <Problem>{saving.isError ? readProblemText(t, saving.error) : null}</Problem>
    </div>
  );
}
