import type { OwnReport } from '#features/feedback/contract/own-reports.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '#web/app/app-context.tsx';
import { listState, retryProps, useAddressFilter } from '#web/platform/lists/list-state.ts';
import { useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useStore } from '#web/platform/state/use-store.ts';
import { Button } from '#web/ui/button.tsx';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ScreenHead } from '#web/ui/screen-head.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import { useOpenReport } from '../open-report.ts';
import { NewsTag, ReportStatusTag } from '../report/report-status-tag.tsx';
import { ownReportsQuery, ReportThread } from './report-thread.tsx';
import { hasNews } from './seen-news.ts';
import './my-reports.css';

/** The reports of the signed-in person and their status (BUG-9). */
export function MyReportsScreen() {
  const { t } = useTranslation();
  const { live, reportBug, reportNews } = useApp();
  const justSent = useStore(reportBug.view) === 'thanks';
  const changes = useStore(reportNews.changes);
  const openReport = useOpenReport();
  const answer = useInfiniteQuery(ownReportsQuery(useStore(live.connected)));
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
    <div className="stack gap-4">
      <ScreenHead title={t('MY_REPORTS.TITLE')} lead={t('MY_REPORTS.LEAD')}>
        <span className="end muted small" role="status">
          {reports.length === 0 ? '' : t('MY_REPORTS.TOTAL', { count: answer.data?.pages[0]?.total ?? 0 })}
        </span>
      </ScreenHead>
      {answer.isRefetchError ? (
        <RetryNotice {...retryProps(t, answer)}>{t('MY_REPORTS.STALE')}</RetryNotice>
      ) : null}
      <ListFrame
        texts="MY_REPORTS"
        {...listState(t, answer)}
        skeletonRows={4}
        count={reports.length}
        empty={{
          icon: 'bug',
          values: { button: t('SHELL.REPORT_BUG.TRIGGER') },
          action: <Button onClick={() => void openReport()}>{t('MY_REPORTS.EMPTY.ACTION')}</Button>,
        }}
      >
        <ul className="panel divided clipped">
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
  const person = useCurrentUser()?.id ?? '';
  const news = !open && hasNews(person, report);
  const openAtFirst = useRef(open);
  useEffect(() => {
    // The address names this report, which may be further down.
    if (openAtFirst.current) place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <details
      ref={place}
      className="my-report"
      open={open}
      data-news={news}
      onToggle={(event) => {
        if (event.currentTarget.open !== open) onOpen(event.currentTarget.open);
      }}
    >
      {/* The text must not appear in the steps of the next report. */}
      <summary className="my-report-line full middle opens" data-private="">
        <span className="my-report-excerpt cut" dir="auto">
          {report.excerpt}
        </span>
        <span className="my-report-tags row wrap to-end gap-1-3">
          {news ? <NewsTag report={report} /> : null}
          <ReportStatusTag status={report.status} />
        </span>
        <span className="my-report-facts flex gap-0-2 dotted wrap muted small">
          <span>{`#${report.number}`}</span>
          <time dateTime={new Date(report.createdAt).toISOString()}>{formats.date(report.createdAt)}</time>
          {report.attachments.length === 0 ? null : (
            <span>{t('MY_REPORTS.PICTURES_COUNT', { count: report.attachments.length })}</span>
          )}
          {report.replyCount === 0 ? null : (
            <span>{t('MY_REPORTS.REPLIES', { count: report.replyCount })}</span>
          )}
        </span>
      </summary>
      {open ? <ReportThread report={report} /> : null}
    </details>
  );
}
