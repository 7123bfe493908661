import { listOwnReports, type OwnReport } from '#features/feedback/contract/own-reports.ts';
import type { TFunction } from 'i18next';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi, useCurrentUser, useFormats } from '#web/platform/contexts.tsx';
import { useLoaded } from '#web/platform/state/use-store.ts';
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
export function RecentReports({ justSent, changes }: RecentReportsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow(60_000);
  const person = useCurrentUser()?.id ?? '';
  const api = useApi();
  const load = useCallback(
    (signal: AbortSignal) =>
      api.call(listOwnReports, { params: { userId: 'current' }, query: { limit: count } }, { signal }),
    [api],
  );
  const { known, retry } = useLoaded(load, changes + Number(justSent));
  if (retry !== null)
    return (
      <section className="stack" aria-labelledby="recent-reports">
        <h2 id="recent-reports">{t('RECENT_REPORTS.TITLE')}</h2>
        <RetryNotice retry={{ label: t('COMMON.RETRY'), ...retry }}>{t('RECENT_REPORTS.FAILED')}</RetryNotice>
      </section>
    );
  if (known === null || known.reports.length === 0) return null;
  return (
    <section className="stack" aria-labelledby="recent-reports">
      <h2 id="recent-reports">{t('RECENT_REPORTS.TITLE')}</h2>
      <ul className="panel divided clipped">
        {known.reports.map((report) => (
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
