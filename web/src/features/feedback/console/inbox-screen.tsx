import { type FullReport } from '@portico/contract/feedback/inbox';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { listState } from '../../../platform/lists/list-state.ts';
import { useNow } from '../../../platform/time/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ListBeside } from '../../../ui/list-beside.tsx';
import { ListFrame, MoreRows } from '../../../ui/list-frame.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { notify } from '../../../ui/notifications/notifications.ts';
import { ScreenHead } from '../../../ui/screen-head.tsx';
import { useStatusWord } from '../report/report-status-tag.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { InboxFilters } from './inbox-filters.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { savedLetterKeys, saveLetterKeys } from './letter-keys.ts';
import { ReportList } from './report-list.tsx';
import { ReportPane } from './report-pane.tsx';
import { useSetStatus } from './reports-queries.ts';
import { type Inbox, useInbox } from './use-inbox.ts';
import { useInboxActions } from './use-inbox-actions.ts';
import './inbox.css';

/** The reports: search, read, view the pictures, set the status. */
export function InboxScreen() {
  const { t } = useTranslation();
  const formats = useFormats();
  const word = useStatusWord();
  const mayWrite = useCan()('REPORTS_WRITE');
  const inbox = useInbox();
  const { open, rows, answer, detail, leaveRow } = inbox;
  const [deleting, setDeleting] = useState<FullReport | null>(null);
  const [helping, setHelping] = useState(false);
  const [letters, setLetters] = useState(savedLetterKeys);
  const change = useSetStatus((report, by) => {
    inbox.held.replace(report);
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
  useInboxActions(inbox, change, letters, () => setHelping(true));
  const first = answer.data?.pages[0];

  return (
    <ListBeside
      className="inbox"
      head={<InboxHead title={inbox.title} onHelp={() => setHelping(true)} />}
      filters={
        <InboxFilters
          typed={inbox.typed}
          onType={inbox.type}
          filter={inbox.filter}
          onFilter={inbox.setAddress}
          counts={first?.counts}
          total={first?.total}
        />
      }
      list={<InboxList inbox={inbox} />}
      alone={rows.length === 0}
      choose={{ icon: 'inbox', title: t('REPORTS.CHOOSE.TITLE'), text: t('REPORTS.CHOOSE.TEXT') }}
      detail={
        open === '' ? null : (
          <ReportPane
            key={open}
            reportId={open}
            summary={rows.find((row) => row.id === open)}
            heading={detail.heading}
            change={change}
            onClose={detail.close}
            onDelete={setDeleting}
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
    </ListBeside>
  );
}

function InboxHead({ title, onHelp }: { title: Inbox['title']; onHelp: () => void }) {
  const { t } = useTranslation();
  const can = useCan();
  return (
    <ScreenHead title={t('REPORTS.TITLE')} lead={t('REPORTS.LEAD')} heading={title}>
      <div className="inbox-tools">
        <Button className="inbox-help" tone="quiet" icon="keyboard" onClick={onHelp}>
          {t('REPORTS.KEYS.OPEN')}
        </Button>
        {can('SETTINGS_WRITE') ? (
          <Link to="/reports/settings" className="button button-quiet">
            <Icon name="settings" />
            {t('PAGES.REPORT_SETTINGS')}
          </Link>
        ) : null}
      </div>
    </ScreenHead>
  );
}

function InboxList({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation();
  const now = useNow(30_000);
  const { answer, held, rows, filter, setAddress, detail, more, showMore } = inbox;
  const narrowed = filter.search !== '' || filter.status !== '';
  return (
    <>
      <div role="status">
        {held.waiting === 0 ? null : (
          <Button
            wide
            small
            className="inbox-waiting"
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
        <Notice severity="medium" role="status">
          {t('REPORTS.STALE')}{' '}
          <Button small busy={answer.isFetching} onClick={() => void answer.refetch()}>
            {t('COMMON.RETRY')}
          </Button>
        </Notice>
      ) : null}
      <ListFrame
        texts="REPORTS"
        {...listState(t, answer)}
        more={undefined}
        skeletonRows={8}
        count={rows.length}
        empty={{ icon: 'inbox', values: { button: t('SHELL.REPORT_BUG.TRIGGER') } }}
        onClear={narrowed ? () => setAddress({ search: '', status: '' }) : undefined}
      >
        <ReportList list={detail.list} reports={rows} rowLink={detail.rowLink} now={now} />
      </ListFrame>
      {answer.hasNextPage && rows.length > 0 ? (
        <MoreRows button={more} busy={answer.isFetchingNextPage} onMore={showMore}>
          {t('REPORTS.MORE')}
        </MoreRows>
      ) : null}
    </>
  );
}
