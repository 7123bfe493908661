import { type FullReport, type ReportStatus, type ReportSummary } from '@portico/contract/feedback';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../../platform/ask-again.ts';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { isProblem } from '../../../platform/problem-error.ts';
import { problemText } from '../../../platform/problem-text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { ReportStatusTag, useStatusWord } from '../report/report-status-tag.tsx';
import { ReportDetail } from './report-detail.tsx';
import { reportQuery, type useSetStatus } from './reports-queries.ts';
import { StatusMenu } from './status-menu.tsx';

type ReportPaneProps = {
  reportId: string;
  /** What the list knows of it already. */
  summary: ReportSummary | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  change: ReturnType<typeof useSetStatus>;
  onClose: () => void;
};

/** One report beside the list, or in its place where there is no room for both. */
export function ReportPane({ reportId, summary, heading, change, onClose }: ReportPaneProps) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const mayWrite = useCan()('REPORTS_WRITE');
  const headingId = useId();
  const report = useQuery(reportQuery(api, reportId));
  const number = report.data?.number ?? summary?.number;
  const own = change.variables?.report.id === reportId;
  const status = own && change.isPending ? change.variables.status : (report.data ?? summary)?.status;

  return (
    <section className="list-beside-pane inbox-pane" aria-labelledby={headingId}>
      <div className="list-beside-head inbox-pane-head">
        <Button
          className="list-beside-back inbox-pane-back"
          tone="quiet"
          small
          icon="chevron-left"
          onClick={onClose}
        >
          {t('REPORTS.REPORT.BACK')}
        </Button>
        <h2 ref={heading} id={headingId} tabIndex={-1}>
          {number === undefined
            ? t('REPORTS.REPORT.UNKNOWN')
            : t('REPORTS.REPORT.TITLE', { number: formats.number(number) })}
        </h2>
        {status === undefined ? null : mayWrite && report.data !== undefined ? (
          <StatusMenu
            status={status}
            busy={own && change.isPending}
            onStatus={(next) => requestStatus(change, report.data, next)}
          />
        ) : (
          <ReportStatusTag status={status} />
        )}
        <IconButton
          className="list-beside-close"
          icon="close"
          small
          label={t('REPORTS.REPORT.CLOSE')}
          onClick={onClose}
        />
      </div>
      {own ? <StatusProblem change={change} report={report.data} /> : null}
      {report.data !== undefined ? (
        <ReportDetail report={report.data} />
      ) : report.isPending ? (
        <Skeleton label={t('REPORTS.REPORT.LOADING')} count={6} />
      ) : isProblem(report.error, 'NOT_FOUND', 'INVALID_REQUEST') ? (
        <ErrorState title={t('REPORTS.REPORT.GONE.TITLE')}>{t('REPORTS.REPORT.GONE.TEXT')}</ErrorState>
      ) : (
        <ErrorState title={t('REPORTS.REPORT.FAILED.TITLE')} {...askAgain(t, report)}>
          {t('REPORTS.REPORT.FAILED.TEXT')}
        </ErrorState>
      )}
    </section>
  );
}

/** One change at a time, and none to what it is already. */
export function requestStatus(
  change: ReturnType<typeof useSetStatus>,
  report: FullReport,
  status: ReportStatus,
): void {
  if (!change.isPending && report.status !== status) change.mutate({ report, status });
}

function StatusProblem({
  change,
  report,
}: {
  change: ReturnType<typeof useSetStatus>;
  report: FullReport | undefined;
}) {
  const { t } = useTranslation();
  const word = useStatusWord();
  if (!change.isError) return null;
  const latest = report?.history.at(-1);
  return (
    <Notice severity={latest !== undefined && isConflict(change.error) ? 'medium' : 'high'} role="alert">
      {latest !== undefined && isConflict(change.error)
        ? t('REPORTS.CHANGE.CONFLICT', { name: latest.by, status: word(latest.after) })
        : problemText(t, change.error)}
    </Notice>
  );
}

function isConflict(error: unknown): boolean {
  return isProblem(error, 'VERSION_CONFLICT');
}
