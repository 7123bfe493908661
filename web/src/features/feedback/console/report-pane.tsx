import { type ReportStatus } from '@portico/contract/feedback/own-reports';
import { type FullReport, type ReportSummary } from '@portico/contract/feedback/inbox';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { askAgain } from '../../../platform/calls/ask-again.ts';
import { useApi, useCan } from '../../../platform/contexts.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { namedActor } from '../../../platform/named-person.ts';
import { isProblem } from '../../../platform/calls/problem-error.ts';
import { problemText } from '../../../platform/calls/problem-text.ts';
import { Button } from '../../../ui/button.tsx';
import { DetailPane } from '../../../ui/list-beside.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { ReportStatusTag, useStatusWord } from '../report/report-status-tag.tsx';
import { ReportDetail } from './report-detail.tsx';
import { reportQuery, type useSetStatus } from './reports-queries.ts';
import { StatusMenu } from './status-menu.tsx';

type ReportPaneProps = {
  reportId: string;
  /** The report as the list has it. */
  summary: ReportSummary | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  change: ReturnType<typeof useSetStatus>;
  onClose: () => void;
  onDelete: (report: FullReport) => void;
  /** It was deleted meanwhile, and the person has left it. */
  onGone: () => void;
};

/** One report beside the list, or instead of it on narrow windows. */
export function ReportPane({
  reportId,
  summary,
  heading,
  change,
  onClose,
  onDelete,
  onGone,
}: ReportPaneProps) {
  const { t } = useTranslation();
  const api = useApi();
  const formats = useFormats();
  const can = useCan();
  const mayWrite = can('REPORTS_WRITE');
  const report = useQuery(reportQuery(api, reportId));
  const gone = isProblem(report.error, 'NOT_FOUND', 'INVALID_REQUEST');
  // Not found now, but an earlier answer or the list had it.
  const deleted = gone && (report.data !== undefined || summary !== undefined);
  useLeavingGone(deleted, onGone);
  const number = report.data?.number ?? summary?.number;
  const own = change.variables?.report.id === reportId;
  const status = own && change.isPending ? change.variables.status : (report.data ?? summary)?.status;

  return (
    <DetailPane
      className="inbox-pane"
      title={
        number === undefined
          ? t('REPORTS.REPORT.UNKNOWN')
          : t('REPORTS.REPORT.TITLE', { number: formats.number(number) })
      }
      heading={heading}
      backLabel={t('REPORTS.REPORT.BACK')}
      closeLabel={t('REPORTS.REPORT.CLOSE')}
      onClose={onClose}
      beside={
        status === undefined || gone ? null : mayWrite && report.data !== undefined ? (
          <StatusMenu
            status={status}
            busy={own && change.isPending}
            onStatus={(next) => requestStatus(change, report.data, next)}
          />
        ) : (
          <ReportStatusTag status={status} />
        )
      }
    >
      {own && !gone ? <StatusProblem change={change} report={report.data} /> : null}
      {deleted ? (
        <div role="status">
          <EmptyState icon="trash" title={t('REPORTS.REPORT.DELETED.TITLE')}>
            {t('REPORTS.REPORT.DELETED.TEXT')}
          </EmptyState>
        </div>
      ) : report.data !== undefined ? (
        <>
          <ReportDetail report={report.data} />
          {can('REPORTS_DELETE') ? (
            <div className="section-divided report-foot">
              <Button tone="danger" small icon="trash" onClick={() => onDelete(report.data)}>
                {t('REPORTS.DELETE.OPEN')}
              </Button>
            </div>
          ) : null}
        </>
      ) : report.isPending ? (
        <Skeleton label={t('REPORTS.REPORT.LOADING')} count={6} />
      ) : gone ? (
        <ErrorState title={t('REPORTS.REPORT.GONE.TITLE')}>{t('REPORTS.REPORT.GONE.TEXT')}</ErrorState>
      ) : (
        <ErrorState title={t('REPORTS.REPORT.FAILED.TITLE')} {...askAgain(t, report)}>
          {t('REPORTS.REPORT.FAILED.TEXT')}
        </ErrorState>
      )}
    </DetailPane>
  );
}

/** Removes a deleted report from the list once it is not open any more. */
function useLeavingGone(deleted: boolean, onGone: () => void): void {
  const leave = useEffectEvent(() => {
    if (deleted) onGone();
  });
  useEffect(() => () => leave(), []);
}

/** One change at a time, and none to the present status. */
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
  if (!change.isError || isProblem(change.error, 'NOT_FOUND')) return null;
  const latest = report?.history.findLast((entry) => entry.what === 'status');
  return (
    <Notice severity={latest !== undefined && isConflict(change.error) ? 'medium' : 'high'} role="alert">
      {latest !== undefined && isConflict(change.error)
        ? t('REPORTS.CHANGE.CONFLICT', {
            name: namedActor(t, latest.by, report?.names),
            status: word(latest.after),
          })
        : problemText(t, change.error)}
    </Notice>
  );
}

function isConflict(error: unknown): boolean {
  return isProblem(error, 'VERSION_CONFLICT');
}
