import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '#web/platform/lists/address-filter.ts';
import { useApi, useServerClock } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { useListAndDetail } from '#web/platform/lists/list-and-detail.ts';
import { useTypedSearch } from '#web/platform/lists/typed-search.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ListBeside } from '#web/ui/list-beside.tsx';
import { ListFrame, MoreRows } from '#web/ui/list-frame.tsx';
import { uppermostModal } from '#web/ui/modal-stack.ts';
import { Notice } from '#web/ui/notice.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { AuditPane } from './audit-pane.tsx';
import { auditQuery, filterNames, type AuditFilter } from './audit-queries.ts';
import { ExportButtons } from './export-buttons.tsx';
import './audit.css';

const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as AuditFilter;

/** The audit: search it, read each entry with before and after, export it. */
export function AuditScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const clock = useServerClock();
  const [{ entry: open, ...filter }, setAddress] = useAddressFilter(['entry', ...filterNames]);
  const [typed, type] = useTypedSearch(filter.search, (search) => setAddress({ search }));
  const answer = useInfiniteQuery(auditQuery(api, filter, formats.timeZone, clock.now));
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
          {t(rows.length === 0 ? 'AUDIT.FURTHER' : 'AUDIT.MORE')}
        </MoreRows>
      ) : null}
    </>
  );

  return (
    <ListBeside
      className="audit"
      head={
        <ScreenHead title={t('AUDIT.TITLE')} lead={t('AUDIT.LEAD')}>
          <div className="audit-actions">
            <IconButton
              icon="refresh"
              label={t('AUDIT.REFRESH')}
              busy={answer.isRefetching}
              onClick={() => void answer.refetch()}
            />
            <ExportButtons filter={filter} />
          </div>
        </ScreenHead>
      }
      filters={
        <AuditFilters typed={typed} onType={type} filter={filter} entries={rows} onFilter={setAddress} />
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
