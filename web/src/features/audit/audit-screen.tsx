import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../platform/address-filter.ts';
import { askAgain } from '../../platform/ask-again.ts';
import { useApi } from '../../platform/contexts.tsx';
import { useFormats } from '../../platform/i18n/formats-context.tsx';
import { useListAndDetail } from '../../platform/list-and-detail.ts';
import { useTypedSearch } from '../../platform/typed-search.ts';
import { useNow } from '../../platform/use-now.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { uppermostModal } from '../../ui/modal-stack.ts';
import { Notice } from '../../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { AuditPane } from './audit-pane.tsx';
import { auditQuery, filterNames, type AuditFilter } from './audit-queries.ts';
import { ExportButtons } from './export-buttons.tsx';
import '../../ui/list-beside.css';
import '../../ui/screen.css';
import './audit.css';

const noFilter = Object.fromEntries(filterNames.map((name) => [name, ''])) as AuditFilter;

/** Who changed what: find it, read it in words with before and after, take it away as a file. */
export function AuditScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const [{ entry: open, ...filter }, setAddress] = useAddressFilter(['entry', ...filterNames]);
  const [typed, type] = useTypedSearch(filter.search, (search) => setAddress({ search }));
  const answer = useInfiniteQuery(auditQuery(api, filter, formats.timeZone));
  const rows = useMemo(() => answer.data?.pages.flatMap((page) => page.entries) ?? [], [answer.data]);
  const lookedBackTo = answer.data?.pages.at(-1)?.lookedBackTo ?? null;
  const narrowed = filterNames.some((name) => filter[name] !== '');

  const now = useNow(30_000);
  const more = useRef<HTMLButtonElement>(null);
  const { list, heading, current, focusRow, goOnAt, rowLink, close } = useListAndDetail(
    open,
    rows,
    (entry, how) => setAddress({ entry }, how),
  );

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
    <div className="list-beside audit" data-open={open !== ''}>
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

      <div className="list-beside-columns" data-alone={rows.length === 0 && open === ''}>
        <div className="list-beside-column">
          {answer.isPending ? (
            <Skeleton label={t('AUDIT.LOADING')} kind="rows" count={8} />
          ) : answer.data === undefined ? (
            <ErrorState title={t('AUDIT.FAILED.TITLE')} {...askAgain(t, answer)}>
              {t('AUDIT.FAILED.TEXT')}
            </ErrorState>
          ) : rows.length > 0 ? (
            <AuditList list={list} entries={rows} rowLink={rowLink} now={now} onKeyDown={moveInList} />
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
                  goOnAt(rows.length);
                  void answer.fetchNextPage();
                }}
              >
                {t(rows.length === 0 ? 'AUDIT.FURTHER' : 'AUDIT.MORE')}
              </Button>
            </div>
          ) : null}
        </div>
        <div className="list-beside-side">
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
