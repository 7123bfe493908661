import { listOwnReports, type OwnReport } from '#features/feedback/contract/own-reports.ts';
import type { TFunction } from 'i18next';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useNow } from '#web/platform/time/use-now.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { RetryNotice } from '#web/ui/states.tsx';
import { hasNews } from '../member/seen-news.ts';
import { findStored } from '../report-place.ts';
import { NewsTag, ReportStatusTag } from '../report/report-status-tag.tsx';

const count = 3;

type RecentReportsProps = {
  /** A report was just sent. */
  justSent: boolean;
  /** Grows when the status of a report has changed. */
  changes: number;
};

/** The latest reports of the signed-in person and their status; nothing if there are none. */
export function RecentReports(props: RecentReportsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(60_000);
  const person = useCurrentUser()?.id ?? '';
  const { reports, retry } = useRecentReports(props);
  if (retry !== null)
    return (
      <section className="stack" aria-labelledby="recent-reports">
        <h2 id="recent-reports">{t('RECENT_REPORTS.TITLE')}</h2>
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...retry }}>{t('RECENT_REPORTS.FAILED')}</RetryNotice>
      </section>
    );
  if (reports.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="recent-reports">
      <h2 id="recent-reports">{t('RECENT_REPORTS.TITLE')}</h2>
      <ul className="panel divided clipped">
        {reports.map((report) => (
          <li key={report.id}>
            <Link to="/my-reports" search={{ report: report.id }} className="stack gap-1 opens pad-4">
              <span className="row shrinks">
                <span className={hasNews(person, report) ? 'cut strong' : 'cut'} dir="auto">
                  {report.excerpt}
                </span>
                <time className="end rigid muted small" dateTime={new Date(report.changedAt).toISOString()}>
                  {formats.relative(report.changedAt, now)}
                </time>
              </span>
              <span className="row shrinks small">
                <ReportStatusTag status={report.status} />
                {hasNews(person, report) ? <NewsTag report={report} /> : null}
                <span className="cut muted">{latestWords(t, report)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/my-reports">{t('RECENT_REPORTS.ALL')}</Link>
    </section>
  );
}

/** The last reply of an operator; nothing where there is none. */
function latestWords(t: TFunction, { replies }: OwnReport): string {
  const reply = replies.findLast(({ from }) => from === 'operator');
  if (reply === undefined) return '';
  return t('RECENT_REPORTS.REPLY', { by: reply.by ?? t('RECENT_REPORTS.TEAM'), text: reply.text });
}

/** Loads the reports when they are first shown, after a change, and on return to the tab. */
function useRecentReports({ justSent, changes }: RecentReportsProps) {
  const api = useApi();
  const [reports, setReports] = useState<readonly OwnReport[] | 'unknown' | 'failed'>('unknown');
  const [loading, setLoading] = useState(false);
  const load = useCallback(
    (signal: AbortSignal) =>
      api.call(listOwnReports, { params: { userId: 'current' }, query: { limit: count } }, { signal }).then(
        (answer) => setReports(answer.reports),
        () => {
          // The known reports stay; an empty list would mean that there are none.
          if (!signal.aborted) setReports((known) => (typeof known === 'string' ? 'failed' : known));
        },
      ),
    [api],
  );
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const onVisible = () => {
      if (document.visibilityState === 'visible') void load(signal);
    };
    void load(signal);
    document.addEventListener('visibilitychange', onVisible, { signal });
    return () => leaving.abort();
  }, [load]);
  useEffect(() => {
    if (!justSent && changes === 0) return undefined;
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [justSent, changes, load]);
  const onRetry = () => {
    setLoading(true);
    void load(new AbortController().signal).finally(() => setLoading(false));
  };
  return {
    reports: typeof reports === 'string' ? [] : reports,
    retry: reports === 'failed' ? { onRetry, busy: loading } : null,
  };
}

type BegunReportProps = {
  /** The form is open. */
  open: boolean;
  onContinue: () => void;
};

/** Shows that the person has an unsent bug report in this browser; shows nothing if there is none. */
export function BegunReport({ open, onContinue }: BegunReportProps) {
  const { t } = useTranslation();
  const person = useCurrentUser()?.id;
  const [begun, setBegun] = useState(false);
  useEffect(() => {
    let stale = false;
    if (person !== undefined && !open)
      void findStored(person).then(({ draft }) => {
        if (!stale) setBegun(draft);
      });
    return () => {
      stale = true;
    };
  }, [person, open]);
  if (!begun || open) return null;
  return (
    <Notice severity="info">
      <span className="row wrap between">
        <span>{t('RECENT_REPORTS.BEGUN')}</span>
        <Button small onClick={onContinue}>
          {t('RECENT_REPORTS.CONTINUE')}
        </Button>
      </span>
    </Notice>
  );
}
