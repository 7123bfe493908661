import { reportStatus } from '@portico/contract/feedback';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../platform/address-filter.ts';
import { useApi, useCan, useServerClock } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useListAndDetail } from '../../../platform/list-and-detail.ts';
import { ProblemError } from '../../../platform/problem-error.ts';
import { useTypedSearch } from '../../../platform/typed-search.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import type { InboxAction, KeyPlace } from './inbox-keys.ts';
import { KeysDialog } from './keys-dialog.tsx';
import { savedLetterKeys, saveLetterKeys } from './letter-keys.ts';
import { ReportList } from './report-list.tsx';
import { ReportPane, requestStatus } from './report-pane.tsx';
import { type ReportFilter, reportQuery, reportsQuery, useSetStatus } from './reports-queries.ts';
import { useHeldReports } from './use-held-reports.ts';
import { useInboxKeys } from './use-inbox-keys.ts';
import '../../../ui/screen.css';
import './inbox.css';

/** What people report: find, read, look at the pictures, say what becomes of it. */
export function InboxScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
  const clock = useServerClock();
  const formats = useFormats();
  const word = useStatusWord();
  const mayWrite = useCan()('REPORTS_WRITE');
  const [address, setAddress] = useAddressFilter(['report', 'search', 'status', 'order']);
  const [typed, type] = useTypedSearch(address.search, (search) => setAddress({ search }));
  const open = address.report;
  const filter: ReportFilter = {
    search: address.search.trim(),
    status: reportStatus.safeParse(address.status).data ?? '',
    order: address.order === 'oldest' ? 'oldest' : 'newest',
  };
  const answer = useInfiniteQuery(reportsQuery(api, filter));
  const latest = useMemo(() => answer.data?.pages.flatMap((page) => page.reports) ?? null, [answer.data]);
  const held = useHeldReports(JSON.stringify(filter), answer.isPlaceholderData ? null : latest);
  const { rows } = held;
  const change = useSetStatus((report, by) => {
    held.replace(report);
    if (by === 'us')
      notify({
        kind: 'success',
        key: 'report-status',
        title: t('REPORTS.CHANGE.SAVED', {
          number: formats.number(report.number),
          status: word(report.status),
        }),
      });
  });

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
  const focusRow = useCallback((reportId: string | undefined) => {
    list.current?.querySelector<HTMLElement>(`[data-report="${CSS.escape(reportId ?? '')}"]`)?.focus();
  }, []);

  // Where the focus goes on once rows have come that were asked for.
  const goOnAt = useRef<number | null>(null);
  useEffect(() => {
    const next = goOnAt.current === null ? undefined : rows[goOnAt.current];
    if (next === undefined) return;
    goOnAt.current = null;
    focusRow(next.id);
  }, [rows, focusRow]);

  const { openOne: openReport, close: closeReport } = useListAndDetail(
    open,
    heading,
    focusRow,
    (report, how) => setAddress({ report }, how),
  );

  const [helping, setHelping] = useState(false);
  const [letters, setLetters] = useState(savedLetterKeys);
  useInboxKeys(letters, (action, place) => {
    // In the list a key is meant for the row that has the focus, which need not be the report that is open.
    const meant = place !== 'list' || current === open;
    act(action, place, meant);
  });

  function act(action: InboxAction, place: KeyPlace, meant: boolean): void {
    switch (action.do) {
      case 'move':
        return move(action.by, place);
      case 'first':
        return focusRow(rows[0]?.id);
      case 'last':
        return focusRow(rows.at(-1)?.id);
      case 'search': {
        const search = document.querySelector<HTMLInputElement>('.inbox input[type=search]');
        search?.focus();
        return search?.select();
      }
      case 'back':
        return open === '' ? undefined : closeReport();
      case 'help':
        return setHelping(true);
      case 'status':
        return meant ? press('.inbox-pane .report-status') : undefined;
      case 'picture':
        return meant ? press('.inbox-pane .picture-thumbnail') : undefined;
      case 'set-status': {
        const report = queries.getQueryData(reportQuery(api, open).queryKey);
        if (meant && mayWrite && report !== undefined) requestStatus(change, report, action.status);
      }
    }
  }

  function move(by: 1 | -1, place: KeyPlace): void {
    const at = (reportId: string | undefined) => rows.findIndex((row) => row.id === reportId);
    if (place === 'list') {
      const focused = document.activeElement?.closest<HTMLElement>('[data-report]');
      const next =
        focused === null || focused === undefined
          ? by < 0
            ? rows.at(-1)
            : undefined
          : rows[at(focused.dataset['report']) + by];
      if (next !== undefined) focusRow(next.id);
      else if (by > 0) more.current?.focus();
    } else if (place === 'elsewhere' && document.activeElement?.closest('.inbox-pane')) {
      const next = at(open) < 0 ? undefined : rows[at(open) + by];
      if (next !== undefined) openReport(next.id);
    } else focusRow(current);
  }

  const first = answer.data?.pages[0];
  const narrowed = filter.search !== '' || filter.status !== '';

  return (
    <div className="inbox" data-open={open !== ''}>
      <header className="screen-head">
        <div>
          <h1 tabIndex={-1}>{t('REPORTS.TITLE')}</h1>
          <p className="muted">{t('REPORTS.LEAD')}</p>
        </div>
        <Button className="inbox-help" tone="quiet" icon="keyboard" onClick={() => setHelping(true)}>
          {t('REPORTS.KEYS.OPEN')}
        </Button>
      </header>

      <InboxFilters
        typed={typed}
        onType={type}
        filter={filter}
        onFilter={setAddress}
        counts={first?.counts}
        total={first?.total}
      />

      <div className="inbox-columns" data-alone={rows.length === 0 && open === ''}>
        <div className="inbox-column">
          <div role="status">
            {held.waiting === 0 ? null : (
              <Button
                wide
                small
                className="inbox-waiting"
                icon="inbox"
                onClick={() => {
                  goOnAt.current = 0;
                  held.showAll();
                }}
              >
                {t('REPORTS.WAITING', { count: held.waiting })}
              </Button>
            )}
          </div>
          {answer.isRefetchError ? (
            <Notice severity="medium" role="status">
              {t('REPORTS.STALE')}{' '}
              <Button small busy={answer.isFetching} onClick={() => void answer.refetch()}>
                {t('COMMON.RETRY')}
              </Button>
            </Notice>
          ) : null}
          {answer.isPending ? (
            <Skeleton label={t('REPORTS.LOADING')} kind="rows" count={8} />
          ) : latest === null ? (
            <ErrorState
              title={t('REPORTS.FAILED.TITLE')}
              retry={{
                label: t('COMMON.RETRY'),
                onRetry: () => void answer.refetch(),
                busy: answer.isFetching,
              }}
              detail={answer.error instanceof ProblemError ? answer.error.requestId : undefined}
            >
              {t('REPORTS.FAILED.TEXT')}
            </ErrorState>
          ) : rows.length > 0 ? (
            <ReportList
              list={list}
              reports={rows}
              open={open}
              current={current}
              now={now}
              onCurrent={setChosen}
              onOpen={openReport}
            />
          ) : narrowed ? (
            <EmptyState
              icon="search"
              title={t('REPORTS.NOTHING_FOUND.TITLE')}
              action={
                <Button onClick={() => setAddress({ search: '', status: '' })}>
                  {t('REPORTS.NOTHING_FOUND.ACTION')}
                </Button>
              }
            >
              {t('REPORTS.NOTHING_FOUND.TEXT')}
            </EmptyState>
          ) : (
            <EmptyState icon="inbox" title={t('REPORTS.EMPTY.TITLE')}>
              {t('REPORTS.EMPTY.TEXT', { button: t('SHELL.REPORT_BUG.TRIGGER') })}
            </EmptyState>
          )}
          {answer.hasNextPage && rows.length > 0 ? (
            <div className="list-more">
              <Button
                ref={more}
                busy={answer.isFetchingNextPage}
                onClick={() => {
                  goOnAt.current = rows.length;
                  void answer.fetchNextPage();
                }}
              >
                {t('REPORTS.MORE')}
              </Button>
            </div>
          ) : null}
        </div>
        <div className="inbox-side">
          {open === '' ? (
            <EmptyState icon="inbox" title={t('REPORTS.CHOOSE.TITLE')}>
              {t('REPORTS.CHOOSE.TEXT')}
            </EmptyState>
          ) : (
            <ReportPane
              key={open}
              reportId={open}
              summary={rows.find((row) => row.id === open)}
              heading={heading}
              change={change}
              onClose={closeReport}
            />
          )}
        </div>
      </div>

      {helping ? (
        <KeysDialog
          mayWrite={mayWrite}
          letters={letters}
          onLetters={(on) => {
            saveLetterKeys(on);
            setLetters(on);
          }}
          onClose={() => setHelping(false)}
        />
      ) : null}
    </div>
  );
}

/** As if it had been clicked; the focus then comes back to it. */
function press(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  button?.focus();
  button?.click();
}
