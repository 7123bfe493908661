import type { OwnReport } from '@portico/contract/feedback/own-reports';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddressFilter } from '../../../platform/lists/address-filter.ts';
import { listState } from '../../../platform/lists/list-state.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ListFrame } from '../../../ui/list-frame.tsx';
import { ScreenHead } from '../../../ui/screen-head.tsx';
import { Time } from '../../../ui/time.tsx';
import { Pictures } from '../report/pictures/pictures.tsx';
import { ReportAddress } from '../report/report-address.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import { ownReportsQuery } from './own-reports-query.ts';
import './my-reports.css';

type MyReportsProps = {
  /** Another one has just been sent. */
  justSent: boolean;
  /** Grows when the status of a report has changed. */
  changes: number;
  /** Whether changes arrive at once, by live events. */
  live: boolean;
};

/** The reports of the signed-in person and their status (BUG-9). */
export function MyReportsScreen({ justSent, changes, live }: MyReportsProps) {
  const { t } = useTranslation();
  const api = useApi();
  const answer = useInfiniteQuery(ownReportsQuery(api, live));
  const [address, setAddress] = useAddressFilter(['report']);
  const { refetch } = answer;
  useEffect(() => {
    if (justSent) void refetch();
  }, [justSent, refetch]);
  const seenChanges = useRef(changes);
  useEffect(() => {
    if (changes === seenChanges.current) return;
    seenChanges.current = changes;
    void refetch();
  }, [changes, refetch]);
  const reports = answer.data?.pages.flatMap((page) => page.reports) ?? [];
  return (
    <div className="my-reports">
      <ScreenHead title={t('MY_REPORTS.TITLE')} lead={t('MY_REPORTS.LEAD')}>
        <span className="filter-count" role="status">
          {reports.length === 0 ? '' : t('MY_REPORTS.TOTAL', { count: answer.data?.pages[0]?.total ?? 0 })}
        </span>
      </ScreenHead>
      {answer.isRefetchError ? (
        <Notice severity="medium" role="status">
          {t('MY_REPORTS.STALE')}
        </Notice>
      ) : null}
      <ListFrame
        texts="MY_REPORTS"
        {...listState(t, answer)}
        skeletonRows={4}
        count={reports.length}
        empty={{ icon: 'bug', values: { button: t('SHELL.REPORT_BUG.TRIGGER') } }}
      >
        <ul className="my-reports-list">
          {reports.map((report) => (
            <li key={report.id}>
              <MyReport
                report={report}
                open={report.id === address.report}
                onOpen={(open) => {
                  setAddress({ report: open ? report.id : '' });
                  // An opened report shows its latest status.
                  if (open) void refetch();
                }}
              />
            </li>
          ))}
        </ul>
      </ListFrame>
    </div>
  );
}

type MyReportProps = { report: OwnReport; open: boolean; onOpen: (open: boolean) => void };

/** One report: a line that unfolds. */
function MyReport({ report, open, onOpen }: MyReportProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const place = useRef<HTMLDetailsElement>(null);
  const openAtFirst = useRef(open);
  useEffect(() => {
    // The address names this one, which may be further down.
    if (openAtFirst.current) place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <details
      ref={place}
      className="my-report"
      open={open}
      onToggle={(event) => {
        if (event.currentTarget.open !== open) onOpen(event.currentTarget.open);
      }}
    >
      <summary className="my-report-line">
        <Icon name="chevron-right" />
        <span className="my-report-excerpt">{report.excerpt}</span>
        <ReportStatusTag status={report.status} />
        <span className="my-report-facts">
          <span>{`#${report.number}`}</span>
          <time dateTime={new Date(report.createdAt).toISOString()}>{formats.date(report.createdAt)}</time>
          {report.attachments.length === 0 ? null : (
            <span>{t('MY_REPORTS.PICTURES_COUNT', { count: report.attachments.length })}</span>
          )}
        </span>
      </summary>
      {open ? <MyReportContent report={report} /> : null}
    </details>
  );
}

function MyReportContent({ report }: { report: OwnReport }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <div className="my-report-content">
      <p className="report-message" dir="auto">
        {report.message}
      </p>
      {report.attachments.length === 0 ? null : (
        <section className="section">
          <h2 className="my-report-heading">{t('MY_REPORTS.PICTURES')}</h2>
          <Pictures pictures={report.attachments} />
        </section>
      )}
      <dl className="facts">
        <dt>{t('MY_REPORTS.SENT')}</dt>
        <dd>
          <Time at={report.createdAt} formats={formats} />
        </dd>
        {report.url === '' ? null : (
          <>
            <dt>{t('MY_REPORTS.PAGE')}</dt>
            <dd>
              <ReportAddress url={report.url} />
            </dd>
          </>
        )}
      </dl>
      <section className="section">
        <h2 className="my-report-heading">{t('MY_REPORTS.HISTORY')}</h2>
        <ol className="my-report-history">
          {report.history.map(({ at, status }) => (
            <li key={`${at} ${status}`}>
              <ReportStatusTag status={status} />
              <span className="muted">
                <Time at={at} formats={formats} />
              </span>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
