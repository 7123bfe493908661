import type { FullReport, RelatedReport } from '#features/feedback/contract/inbox.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan, useFormats } from '#web/platform/contexts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Button } from '#web/ui/button.tsx';
import { Face } from '#features/directory/web/person-choice.tsx';
import { LabelChoice, LabelTags, OriginalChoice, PersonChoice, SnoozeChoice } from './choices.tsx';
import { isUnderWay } from './inbox-filter.ts';
import { InboxIcon } from './inbox-icon.tsx';
import { NewIssue } from './new-issue.tsx';
import type { Change } from './use-report-changes.ts';
import { ReportStatusTag } from '../report/report-status-tag.tsx';

type ReportPropertiesProps = { report: FullReport; busy: boolean; onChange: (change: Change) => void };

/** Assignee, labels and original of a report: each is a button that changes it. */
export function ReportProperties({ report, busy, onChange }: ReportPropertiesProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { assignee, labels, duplicateOf, snoozedUntil } = report;
  const who = (
    <>
      <Face name={assignee?.name ?? null} small />
      <span>{assignee?.name ?? t('REPORTS.ASSIGNEE.NOBODY')}</span>
    </>
  );
  if (!mayWrite)
    return (
      <div className="report-properties row gap-1 wrap">
        <span className="inline-row wrap gap-1-2">{who}</span>
        <LabelTags labels={labels} />
        <NewIssue report={report} />
      </div>
    );
  /** A button that opens a choice; keyboard shortcuts find it by its class name. */
  const property = (
    name: 'assignee' | 'labels' | 'duplicate' | 'snooze',
    label: string,
    shown: { icon: ReactNode } | { value: ReactNode },
    content: (close: () => void) => ReactNode,
  ) => (
    <Popover
      label={label}
      buttonClassName={`button button-small button-quiet report-property report-${name}`}
      isPrivate={'value' in shown}
      button={
        'value' in shown ? (
          <>
            {shown.value}
            <Icon name="chevron-down" size={12} />
          </>
        ) : (
          <>
            {shown.icon}
            {label}
          </>
        )
      }
    >
      {content}
    </Popover>
  );
  const closing = (close: () => void) => (change: Change) => {
    close();
    if (change.assigneeId === undefined || change.assigneeId !== (assignee?.id ?? null)) onChange(change);
  };
  return (
    <div className="report-properties row gap-1 wrap" aria-busy={busy}>
      {property(
        'assignee',
        t('REPORTS.FILTER.ASSIGNED', { name: assignee?.name ?? t('REPORTS.ASSIGNEE.NOBODY') }),
        { value: who },
        (close) => (
          <PersonChoice chosen={assignee?.id ?? null} onChange={closing(close)} />
        ),
      )}
      {assignee !== null && !assignee.active ? (
        <span className="inline-row gap-1 medium small">
          <Icon name="warning" size={12} />
          {t('REPORTS.ASSIGNEE.INACTIVE')}
        </span>
      ) : null}
      {property(
        'labels',
        labels.length === 0
          ? t('REPORTS.LABELS.ADD')
          : t('REPORTS.LABELS.CURRENT', { labels: labels.join(' ') }),
        labels.length === 0
          ? { icon: <InboxIcon name="label" size={14} /> }
          : { value: <LabelTags labels={labels} /> },
        () => (
          <LabelChoice labels={[labels]} onChange={onChange} />
        ),
      )}
      {duplicateOf === null
        ? property(
            'duplicate',
            t('REPORTS.DUPLICATE.MARK'),
            { icon: <Icon name="copy" size={14} /> },
            (close) => <OriginalChoice without={report.id} onChange={closing(close)} />,
          )
        : null}
      {isUnderWay(report.status)
        ? property(
            'snooze',
            snoozedUntil === null
              ? t('REPORTS.SNOOZE.ACTION')
              : t('REPORTS.SNOOZE.UNTIL', { when: formats.dateTime(snoozedUntil) }),
            { icon: <Icon name="clock" size={14} /> },
            (close) => <SnoozeChoice isSnoozed={snoozedUntil !== null} onChange={closing(close)} />,
          )
        : null}
      <NewIssue report={report} />
    </div>
  );
}

type RelatedReportsProps = {
  report: FullReport;
  onOpen: (reportId: string) => void;
  onChange: (change: Change) => void;
};

/** What this report is a duplicate of, and its own duplicates. */
export function RelatedReports({ report, onOpen, onChange }: RelatedReportsProps) {
  const { t } = useTranslation();
  const mayWrite = useCan()('REPORTS_WRITE');
  const { duplicateOf, duplicates } = report;
  if (duplicateOf === null && duplicates.length === 0) return null;
  const group = (title: string, reports: readonly RelatedReport[], action: ReactNode) =>
    reports.length === 0 ? null : (
      <>
        <h3 className="row muted small">
          <Icon name="copy" size={14} />
          {title}
        </h3>
        <ul>
          {reports.map((one) => (
            <li key={one.id} className="row">
              <RelatedLink report={one} onOpen={onOpen} />
              {action}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <section className="stack inset gap-1">
      {group(
        t('REPORTS.DUPLICATE.OF'),
        duplicateOf === null ? [] : [duplicateOf],
        mayWrite ? (
          <Button small tone="quiet" onClick={() => onChange({ duplicateOf: null })}>
            {t('REPORTS.DUPLICATE.REMOVE')}
          </Button>
        ) : null,
      )}
      {group(t('REPORTS.DUPLICATE.THESE', { count: duplicates.length }), duplicates, null)}
    </section>
  );
}

function RelatedLink({ report, onOpen }: { report: RelatedReport; onOpen: (id: string) => void }) {
  return (
    <a
      className="opens grow row"
      href={`?${new URLSearchParams({ report: report.id })}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onOpen(report.id);
      }}
    >
      <span className="muted">{`#${report.number}`}</span>
      <span className="cut" dir="auto">
        {report.excerpt}
      </span>
      <ReportStatusTag status={report.status} />
    </a>
  );
}
