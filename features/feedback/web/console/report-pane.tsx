import { errorList, listReportErrors } from '#features/diagnostics/contract/diagnostics.ts';
import { type ReportStatus, reportStatus } from '#features/feedback/contract/own-reports.ts';
import type { FullReport, ReportSummary } from '#features/feedback/contract/inbox.ts';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '@tanstack/react-router';
import { routeQuery } from '#web/platform/calls/route-query.ts';
import { detailState } from '#web/platform/lists/list-state.ts';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { namedActor } from '#web/platform/named-person.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { problemText } from '#web/platform/calls/problem-text.ts';
import { storedChoice } from '#web/platform/state/stored-choice.ts';
import { useStore } from '#web/platform/state/use-store.ts';
import { Icon } from '#web/ui/icon.tsx';
import { DetailPane } from '#web/ui/list-beside.tsx';
import { Menu } from '#web/ui/menu.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spin } from '#web/ui/spinner.tsx';
import { DetailFrame } from '#web/ui/detail-frame.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { ReportStatusTag, statusLooks, useStatusWord } from '../report/report-status-tag.tsx';
import { Composer } from './composer.tsx';
import { Conversation, RelativeTime } from './conversation.tsx';
import { ReportOpening, ReportRest } from './report-detail.tsx';
import { RelatedReports, ReportProperties } from './report-properties.tsx';
import { reportQuery } from './reports-queries.ts';
import type { Change, ReportChanges } from './use-report-changes.ts';

/** What the inbox does once the open report is resolved, closed, a duplicate or spam. */
export const afterDone = storedChoice('portico.inbox.after-done', ['stay', 'next']);

type ReportPaneProps = {
  reportId: string;
  /** The report as the list has it. */
  summary: ReportSummary | undefined;
  heading: RefObject<HTMLHeadingElement | null>;
  changes: ReportChanges;
  onOpen: (reportId: string) => void;
  onClose: () => void;
  onDelete: (report: FullReport) => void;
  /** Called when a reply has set another status; `before` is the previous status. */
  onAnswered: (report: FullReport, before: ReportStatus) => void;
  /** Called when the report was deleted and the person has left it. */
  onGone: () => void;
};

/** Height of the bar at the top with the space below it, in pixels; the pane sticks below them. */
const barHeight = 68;

/** One report next to the list, or instead of it on narrow windows. */
export function ReportPane(props: ReportPaneProps) {
  const { reportId, summary, heading, changes, onClose, onDelete, onGone } = props;
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const report = useQuery(reportQuery(reportId));
  const gone = isProblem(report.error, 'NOT_FOUND', 'INVALID_REQUEST');
  // The report is not found now, but an earlier answer or the list contained it.
  const deleted = gone && (report.data !== undefined || summary !== undefined);
  useLeavingGone(deleted, onGone);
  usePaneTop(heading);
  const number = report.data?.number ?? summary?.number;
  const own = changes.of(reportId);
  const status =
    (own?.isPending === true ? own.change.status : undefined) ?? (report.data ?? summary)?.status;
  const change = (wanted: Change) => {
    if (report.data !== undefined) changes.run([report.data], wanted);
  };

  return (
    <DetailPane
      className="inbox-pane"
      title={number === undefined ? t('REPORTS.REPORT.UNKNOWN') : t('REPORTS.REPORT.TITLE', { number })}
      heading={heading}
      backLabel={t('REPORTS.REPORT.BACK')}
      closeLabel={t('REPORTS.REPORT.CLOSE')}
      onClose={onClose}
      beside={
        status === undefined || gone ? null : mayWrite && report.data !== undefined ? (
          <StatusMenu
            status={status}
            busy={own?.isPending ?? false}
            onStatus={(next) => {
              if (next !== report.data.status) change({ status: next });
            }}
          />
        ) : (
          <ReportStatusTag status={status} />
        )
      }
    >
      {gone ? null : <ChangeProblem own={own} report={report.data} />}
      {deleted ? (
        <div role="status">
          <EmptyState icon="trash" title={t('REPORTS.REPORT.DELETED.TITLE')}>
            {t('REPORTS.REPORT.DELETED.TEXT')}
          </EmptyState>
        </div>
      ) : (
        <DetailFrame texts="REPORTS.REPORT" {...detailState(t, report)}>
          {report.data === undefined ? null : (
            <>
              <ReportProperties report={report.data} busy={own?.isPending ?? false} onChange={change} />
              <ReportOpening report={report.data} />
              <RelatedReports report={report.data} onOpen={props.onOpen} onChange={change} />
              <RelatedErrors reportId={report.data.id} />
              <Conversation report={report.data} />
              {mayWrite ? <Composer report={report.data} onAnswered={props.onAnswered} /> : null}
              <ReportRest report={report.data} onDelete={() => onDelete(report.data)} />
            </>
          )}
        </DetailFrame>
      )}
    </DetailPane>
  );
}

/**
 * Sets `--pane-top` to the top of the pane in the window, in pixels, so that the pane ends within the window,
 * however far the page is scrolled.
 */
function usePaneTop(heading: RefObject<HTMLHeadingElement | null>): void {
  useLayoutEffect(() => {
    const side = heading.current?.closest<HTMLElement>('.list-beside-side');
    if (side === null || side === undefined) return undefined;
    const measure = () => {
      const top = Math.max(barHeight, Math.round(side.getBoundingClientRect().top));
      side.style.setProperty('--pane-top', `${top}px`);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [heading]);
}

/** Removes a deleted report from the list once it is not open any more. */
function useLeavingGone(deleted: boolean, onGone: () => void): void {
  const leave = useEffectEvent(() => {
    if (deleted) onGone();
  });
  useEffect(() => () => leave(), []);
}

type ChangeProblemProps = { own: ReturnType<ReportChanges['of']>; report: FullReport | undefined };

/** Why the last change of this report was not made. */
function ChangeProblem({ own, report }: ChangeProblemProps) {
  const { t } = useTranslation();
  const word = useStatusWord();
  if (own === null || own.isPending || (own.error === null && own.refused === null)) return null;
  if (own.refused === 'NOT_FOUND') return null;
  const latest = report?.history.at(-1);
  const conflict = own.refused === 'VERSION_CONFLICT' && latest !== undefined;
  return (
    <Notice severity={conflict ? 'medium' : 'high'} role="alert">
      {conflict
        ? t('REPORTS.CHANGE.CONFLICT', {
            name: namedActor(t, latest.by, report?.names),
            status: word(report?.status ?? 'new'),
          })
        : own.refused !== null
          ? t('REPORTS.CHANGE.REFUSED')
          : problemText(t, own.error)}
    </Notice>
  );
}

/**
 * Shows the status of a report and offers the others. It is a menu, since each choice is saved, and the reporter
 * notified, at once.
 */
type StatusMenuProps = { status: ReportStatus; busy: boolean; onStatus: (status: ReportStatus) => void };

function StatusMenu({ status, busy, onStatus }: StatusMenuProps) {
  const { t } = useTranslation();
  const word = useStatusWord();
  const after = useStore(afterDone);
  return (
    <Menu
      label={t('REPORTS.CHANGE.LABEL', { status: word(status) })}
      buttonClassName="button button-small report-status"
      align="start"
      button={
        <>
          <ReportStatusTag status={status} />
          {busy ? <Spin size={12} /> : <Icon name="chevron-down" size={12} />}
        </>
      }
      items={[
        {
          label: t('REPORTS.STATUS'),
          options: reportStatus.options.map((one) => ({
            label: word(one),
            icon: statusLooks[one].icon,
            checked: one === status,
            onSelect: () => onStatus(one),
          })),
        },
        {
          label: t('REPORTS.AFTER.LABEL'),
          options: (['stay', 'next'] as const).map((one) => ({
            label: t(`REPORTS.AFTER.${one.toUpperCase()}`),
            checked: after === one,
            onSelect: () => afterDone.set(one),
          })),
        },
      ]}
    />
  );
}

/** The errors that the report names or that its sender met around that time; nothing where there are none. */
function RelatedErrors({ reportId }: { reportId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayRead = useCan()('DIAGNOSTICS_READ');
  const answer = useQuery({
    ...routeQuery([errorList.list, 'of-report', reportId], listReportErrors, { params: { reportId } }),
    enabled: mayRead,
  });
  const errors = answer.data?.errors ?? [];
  if (!mayRead || errors.length === 0) return null;
  return (
    <section className="stack inset gap-1">
      <h3 className="row muted small">
        <Icon name="alert" size={14} />
        {t('REPORTS.ERRORS.TITLE', { count: errors.length })}
      </h3>
      <ul>
        {errors.map(({ error, eventId, receivedAt, by }) => (
          <li key={error.id} className="stack gap-1">
            <Link
              to="/diagnostics/$errorId"
              params={{ errorId: error.id }}
              search={{ event: eventId }}
              className="cut"
            >
              <strong>{error.kind}</strong> <span dir="auto">{error.message}</span>
            </Link>
            <span className="row wrap gap-0-2 muted small breaks">
              <Tag kind={by === 'event' ? 'info' : 'plain'}>
                {t(by === 'event' ? 'REPORTS.ERRORS.BY_EVENT' : 'REPORTS.ERRORS.BY_PERSON')}
              </Tag>
              {error.place === '' ? null : <code>{error.place}</code>}
              <span>
                {t('REPORTS.ERRORS.EVENTS', { count: error.events, number: formats.number(error.events) })}
              </span>
              <RelativeTime at={receivedAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
