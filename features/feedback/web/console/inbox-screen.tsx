import { type FullReport, reportOrder } from '#features/feedback/contract/inbox.ts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { catalogueKey } from '#web/platform/i18n/isolated.ts';
import { isFirstLoad, listState, retryProps } from '#web/platform/lists/list-state.ts';
import { keysAsked, useScreenKeys } from '#web/platform/keys/keys.ts';
import { useNow } from '#web/platform/time/use-now.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ListBeside } from '#web/ui/list-beside.tsx';
import { ListFrame, MoreRows } from '#web/ui/list-frame.tsx';
import { notify } from '#web/ui/notifications/notifications.ts';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import { Select } from '#web/ui/text-input.tsx';
import { RetentionLine } from '#features/erasure/web/retention-section.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { BulkBar, DeleteDialog } from './bulk-bar.tsx';
import { ExportMenu } from './export-menu.tsx';
import { InboxIcon } from './inbox-icon.tsx';
import { isUnderWay } from './inbox-filter.ts';
import { InboxFilters, InboxTabs } from './inbox-filters.tsx';
import { NothingFound, ReportList } from './report-list.tsx';
import { afterDone, ReportPane } from './report-pane.tsx';
import { useInboxActions, useInboxKeyRows } from './use-inbox-actions.tsx';
import { type Inbox, useInbox } from './use-inbox.ts';
import { type ReportChanges, useReportChanges, type Change } from './use-report-changes.ts';
import './inbox.css';

/** The inbox: search, read, answer, assign, label, set the status (BUG-8); and how long reports are stored. */
export function InboxScreen() {
  const { t } = useTranslation();
  const inbox = useInbox();
  const { open, rows, detail, leaveRow } = inbox;
  const [deleting, setDeleting] = useState<FullReport | null>(null);
  const changes = useReportChanges((ids, change) => {
    inbox.held.release(ids);
    if (ids.length === 1 && ids[0] === open && isPutAway(change)) goOnAfter(inbox);
  });
  const answered = useAnswered(inbox, changes);
  useInboxActions(inbox, changes);
  useScreenKeys(t('REPORTS.TITLE'), useInboxKeyRows(), open !== '');

  return (
    <ListBeside
      className="inbox"
      head={<InboxHead inbox={inbox} />}
      filters={
        <div className="inbox-above">
          <InboxTabs
            tab={inbox.filter.tab}
            counts={inbox.answer.data?.pages[0]?.tabs}
            onTab={(tab) => {
              inbox.deselect();
              inbox.setFilter({ tab, status: '' });
            }}
          />
          <InboxFilters inbox={inbox} />
        </div>
      }
      list={<InboxList inbox={inbox} changes={changes} />}
      alone={rows.length === 0 && !isFirstLoad(inbox.answer)}
      choose={{ icon: 'inbox', title: t('REPORTS.CHOOSE.TITLE'), text: t('REPORTS.CHOOSE.TEXT') }}
      detail={
        open === '' ? null : (
          <ReportPane
            key={open}
            reportId={open}
            summary={rows.find((row) => row.id === open)}
            heading={detail.heading}
            changes={changes}
            onOpen={detail.openOne}
            onClose={detail.close}
            onDelete={setDeleting}
            onAnswered={answered}
            onGone={() => leaveRow(open, false)}
          />
        )
      }
    >
      {deleting === null ? null : (
        <DeleteDialog
          report={deleting}
          onDeleted={() => {
            setDeleting(null);
            leaveRow(deleting.id, true);
            detail.close();
          }}
          onClose={() => setDeleting(null)}
        />
      )}
    </ListBeside>
  );
}

/** Whether a change removes a report from the open ones, by its status or by a snooze. */
function isPutAway({ status, snoozedUntil }: Pick<Partial<Change>, 'status' | 'snoozedUntil'>): boolean {
  return (status !== undefined && !isUnderWay(status)) || typeof snoozedUntil === 'number';
}

/** After the open report is put away, opens the next one, or the last one, if the operator has chosen so. */
function goOnAfter({ beside, detail }: Inbox): void {
  const next = afterDone.get() === 'stay' ? undefined : (beside(1) ?? beside(-1));
  if (next !== undefined) detail.openOne(next.id);
}

/** Notifies that a reply was sent that also set the status. The status can be undone, the reply cannot. */
function useAnswered(inbox: Inbox, changes: ReportChanges) {
  const { t } = useTranslation();
  const word = useStatusWord();
  return (report: FullReport, before: FullReport['status']) => {
    inbox.held.release([report.id]);
    if (report.id === inbox.open && isPutAway(report)) goOnAfter(inbox);
    notify({
      kind: 'success',
      key: 'report-changes',
      duration: 10_000,
      title: t('REPORTS.COMPOSER.SENT_AND', {
        number: report.number,
        status: word(report.status),
      }),
      actions: [
        {
          label: t('REPORTS.COMPOSER.BACK_TO', { status: word(before) }),
          act: () => changes.run([report], { status: before }),
        },
      ],
    });
  };
}

function InboxHead({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <ScreenHead title={t('REPORTS.TITLE')} lead={t('REPORTS.LEAD')} heading={inbox.title}>
      <div className="row">
        <Button
          className="inbox-help"
          tone="quiet"
          title={t('REPORTS.KEYS.OPEN')}
          onClick={() => keysAsked.publish()}
        >
          <InboxIcon name="keyboard" />
          <span className="visually-hidden">{t('REPORTS.KEYS.OPEN')}</span>
        </Button>
        <ExportMenu filter={inbox.filter} count={inbox.answer.data?.pages[0]?.total} />
        {can('SETTINGS_WRITE') ? (
          <Link to="/settings/reports" className="button button-quiet" title={t('PAGES.REPORT_SETTINGS')}>
            <Icon name="settings" />
            <span className="visually-hidden">{t('PAGES.REPORT_SETTINGS')}</span>
          </Link>
        ) : null}
      </div>
    </ScreenHead>
  );
}

function InboxList({ inbox, changes }: { inbox: Inbox; changes: ReportChanges }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const mayWrite = useCan()('REPORTS_WRITE');
  const { answer, held, rows, selected, detail, more, showMore } = inbox;
  const first = answer.data?.pages[0];
  return (
    <>
      <InboxListHead inbox={inbox} />
      <div role="status">
        {held.waiting === 0 ? null : (
          <Button
            wide
            small
            className="filter-chip inbox-waiting"
            icon="inbox"
            onClick={() => {
              detail.goOnAt(0);
              held.showAll();
            }}
          >
            {t('REPORTS.WAITING', { count: held.waiting })}
          </Button>
        )}
      </div>
      {answer.isRefetchError ? (
        <RetryNotice {...retryProps(t, answer)}>{t('REPORTS.STALE')}</RetryNotice>
      ) : null}
      {rows.length === 0 && first !== undefined && !answer.isPlaceholderData ? (
        <NothingFound inbox={inbox} tabs={first.tabs} />
      ) : (
        <ListFrame texts="REPORTS" {...listState(t, answer)} more={undefined} skeletonRows={8}>
          <ReportList inbox={inbox} now={now} />
        </ListFrame>
      )}
      {answer.hasNextPage && rows.length > 0 ? (
        <MoreRows button={more} busy={answer.isFetchingNextPage} onMore={showMore} />
      ) : null}
      {mayWrite && selected.length > 0 ? (
        <BulkBar
          selected={selected}
          busy={changes.busy}
          onChange={(change) => {
            changes.run(selected, change);
            // A change of labels keeps the selection: more labels may be chosen for the same reports.
            if (change.addLabels === undefined && change.removeLabels === undefined) inbox.deselect();
          }}
          onDeselect={inbox.deselect}
        />
      ) : null}
      {isFirstLoad(answer) ? null : <RetentionLine />}
    </>
  );
}

/**
 * Above the list: the box that selects every row that is shown, how many there are, and the order. It is there
 * before the rows are, so that nothing moves when they come.
 */
function InboxListHead({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { rows, selected, filter } = inbox;
  const box = useRef<HTMLInputElement>(null);
  const some = selected.length > 0 && selected.length < rows.length;
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = some;
  }, [some]);
  const total = inbox.answer.data?.pages[0]?.total;
  if (rows.length === 0 && !isFirstLoad(inbox.answer)) return null;
  return (
    <div className="inbox-list-head row gap-3 muted small">
      {mayWrite ? (
        <label className="inbox-select-all inline-row gap-3">
          <input
            ref={box}
            type="checkbox"
            aria-label={t('REPORTS.SELECT.ALL')}
            title={t('REPORTS.SELECT.ALL')}
            disabled={rows.length === 0}
            checked={selected.length > 0 && selected.length === rows.length}
            onChange={inbox.toggleAll}
          />
        </label>
      ) : null}
      <span className="nowrap" role="status">
        {total === undefined ? '' : t('REPORTS.TOTAL', { count: total })}
      </span>
      <Select
        aria-label={t('REPORTS.ORDER')}
        value={filter.order}
        onValue={(order) => inbox.setFilter({ order: order === 'newest' ? '' : order })}
        options={reportOrder.options.map((value) => ({
          value: value as string,
          label: t(`REPORTS.ORDERS.${catalogueKey(value)}`),
        }))}
      />
    </div>
  );
}
