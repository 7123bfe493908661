import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../platform/address-filter.ts';
import { useApi, useServerClock } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useListAndDetail } from '../../platform/list-and-detail.ts';
import { ProblemError } from '../../platform/problem-error.ts';
import { useTypedSearch } from '../../platform/typed-search.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { uppermostModal } from '../../ui/modal-stack.ts';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { AuditPane } from './audit-pane.tsx';
import { auditQuery, filterNames, type AuditFilter } from './audit-queries.ts';
import { ExportButtons } from './export-buttons.tsx';
import '../../ui/screen.css';
import './audit.css';

const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as AuditFilter;

/** Who changed what: find it, read it in words with before and after, take it away as a file. */
export function AuditScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const clock = useServerClock();
  const formats = useFormats();
  const [{ entry: open, ...filter }, setAddress] = useAddressFilter(['entry', ...filterNames]);
  const [typed, type] = useTypedSearch(filter.search, (search) => setAddress({ search }));
  const answer = useInfiniteQuery(auditQuery(api, filter, formats.timeZone));
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.entries) ?? [], [answer.data]);
  const lookedBackTo = answer.data?.pages.at(-1)?.lookedBackTo ?? null;
  const narrowed = filterNames.some((name) => filter[name] !== '');

  const [now, setNow] = useState(clock.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), 30_000);
    return () => clearInterval(timer);
  }, [clock]);

  const list = useRef<HTMLUListElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [chosen, setChosen] = useState('');
  const current = [chosen, open].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id ?? '';
  const focusRow = useCallback((entryId: string | undefined) => {
    list.current?.querySelector<HTMLElement>(`[data-entry="${CSS.escape(entryId ?? '')}"]`)?.focus();
  }, []);
  const { openOne, close } = useListAndDetail(open, heading, focusRow, (entry, how) =>
    setAddress({ entry }, how),
  );

  // Where the focus goes on once rows have come that were asked for.
  const goOnAt = useRef<number | null>(null);
  useEffect(() => {
    const next = goOnAt.current === null ? undefined : rows[goOnAt.current];
    if (next === undefined) return;
    goOnAt.current = null;
    focusRow(next.id);
  }, [rows, focusRow]);

  function moveInList(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = rows.findIndex((row) => row.id === current);
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (rows[target] !== undefined) focusRow(rows[target].id);
    else if (target > 0) more.current?.focus();
  }

  const hear = useEffectEvent((event: globalThis.KeyboardEvent) => {
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
    const listener = (event: globalThis.KeyboardEvent) => hear(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  return (
    <div className="audit" data-open={open !== ''}>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{t('AUDIT.TITLE')}</h1>
          <p className="muted">{t('AUDIT.LEAD')}</p>
        </div>
        <div className="audit-actions">
          <IconButton
            icon="refresh"
            label={t('AUDIT.REFRESH')}
            busy={answer.isRefetching}
            onClick={() => void answer.refetch()}
          />
          <ExportButtons filter={filter} />
        </div>
      </header>

      <AuditFilters typed={typed} onType={type} filter={filter} entries={rows} onFilter={setAddress} />

      <div className="audit-columns" data-alone={rows.length === 0 && open === ''}>
        <div className="audit-column">
          {answer.isPending ? (
            <Skeleton label={t('AUDIT.LOADING')} kind="rows" count={8} />
          ) : answer.data === undefined ? (
            <ErrorState
              title={t('AUDIT.FAILED.TITLE')}
              retry={{
                label: t('COMMON.RETRY'),
                onRetry: () => void answer.refetch(),
                busy: answer.isFetching,
              }}
              detail={answer.error instanceof ProblemError ? answer.error.requestId : undefined}
            >
              {t('AUDIT.FAILED.TEXT')}
            </ErrorState>
          ) : rows.length > 0 ? (
            <AuditList
              list={list}
              entries={rows}
              open={open}
              current={current}
              now={now}
              onCurrent={setChosen}
              onOpen={openOne}
              onKeyDown={moveInList}
            />
          ) : answer.hasNextPage ? null : narrowed ? (
            <EmptyState
              icon="search"
              title={t('AUDIT.NOTHING_FOUND.TITLE')}
              action={<Button onClick={() => setAddress(noFilter)}>{t('AUDIT.FILTERS.CLEAR')}</Button>}
            >
              {t('AUDIT.NOTHING_FOUND.TEXT')}
            </EmptyState>
          ) : (
            <EmptyState icon="list" title={t('AUDIT.EMPTY.TITLE')}>
              {t('AUDIT.EMPTY.TEXT')}
            </EmptyState>
          )}
          {answer.isError && answer.data !== undefined ? (
            <Notice severity="medium" role="status">
              {t('AUDIT.FAILED.TITLE')}
            </Notice>
          ) : null}
          {answer.hasNextPage ? (
            <div className="list-more audit-more">
              {lookedBackTo !== null && narrowed ? (
                <p className="muted" role="status">
                  {t('AUDIT.LOOKED_BACK', { time: formats.dateTime(lookedBackTo) })}
                </p>
              ) : null}
              <Button
                ref={more}
                busy={answer.isFetchingNextPage}
                onClick={() => {
                  goOnAt.current = rows.length;
                  void answer.fetchNextPage();
                }}
              >
                {t(rows.length === 0 ? 'AUDIT.FURTHER' : 'AUDIT.MORE')}
              </Button>
            </div>
          ) : null}
        </div>
        <div className="audit-side">
          {open === '' ? (
            <EmptyState icon="list" title={t('AUDIT.CHOOSE.TITLE')}>
              {t('AUDIT.CHOOSE.TEXT')}
            </EmptyState>
          ) : (
            <AuditPane
              key={open}
              entryId={open}
              summary={rows.find((row) => row.id === open)}
              heading={heading}
              onClose={close}
              onFilter={(change) => setAddress({ ...noFilter, entry: '', ...change }, 'push')}
            />
          )}
        </div>
      </div>
    </div>
  );
}
