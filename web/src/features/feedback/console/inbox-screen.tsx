import { reportStatus } from '@portico/contract/feedback';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../platform/address-filter.ts';
import { askAgain } from '../../../platform/ask-again.ts';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { useListAndDetail } from '../../../platform/list-and-detail.ts';
import { useTypedSearch } from '../../../platform/typed-search.ts';
import { useNow } from '../../../platform/use-now.ts';
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
import '../../../ui/list-beside.css';
import '../../../ui/screen.css';
import './inbox.css';

/** What people report: find, read, look at the pictures, say what becomes of it. */
export function InboxScreen() {
  const { t } = useTranslation();
  const api = useApi();
  const queries = useQueryClient();
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

  const now = useNow(30_000);
  const more = useRef<HTMLButtonElement>(null);
  const { list, heading, current, focusRow, goOnAt, rowLink, openOne, close } = useListAndDetail(
    open,
    rows,
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
        return open === '' ? undefined : close();
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
      const focused = document.activeElement?.closest<HTMLElement>('[data-row]');
      const next =
        focused === null || focused === undefined
          ? by < 0
            ? rows.at(-1)
            : undefined
          : rows[at(focused.dataset['row']) + by];
      if (next !== undefined) focusRow(next.id);
      else if (by > 0) more.current?.focus();
    } else if (place === 'elsewhere' && document.activeElement?.closest('.inbox-pane')) {
      const next = at(open) < 0 ? undefined : rows[at(open) + by];
      if (next !== undefined) openOne(next.id);
    } else focusRow(current);
  }

  const first = answer.data?.pages[0];
  const narrowed = filter.search !== '' || filter.status !== '';

  return (
    <div className="list-beside inbox" data-open={open !== ''}>
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

      <div className="list-beside-columns" data-alone={rows.length === 0 && open === ''}>
        <div className="list-beside-column">
          <div role="status">
            {held.waiting === 0 ? null : (
              <Button
                wide
                small
                className="inbox-waiting"
                icon="inbox"
                onClick={() => {
                  goOnAt(0);
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
            <ErrorState title={t('REPORTS.FAILED.TITLE')} {...askAgain(t, answer)}>
              {t('REPORTS.FAILED.TEXT')}
            </ErrorState>
          ) : rows.length > 0 ? (
            <ReportList list={list} reports={rows} rowLink={rowLink} now={now} />
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
                  goOnAt(rows.length);
                  void answer.fetchNextPage();
                }}
              >
                {t('REPORTS.MORE')}
              </Button>
            </div>
          ) : null}
        </div>
        <div className="list-beside-side">
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
              onClose={close}
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
