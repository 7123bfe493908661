import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Popover } from '#web/ui/popover.tsx';
import { Face } from '#features/directory/web/person-face.tsx';
import { LabelChoice, PersonChoice, ReportChoice, SnoozeChoice } from './choices.tsx';
import { isUnderWay } from './inbox-filter.ts';
import { InboxIcon } from './inbox-icon.tsx';
import { LabelTags } from './label-dot.tsx';
import { NewIssue } from './new-issue.tsx';
import type { Change } from './use-report-changes.ts';

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
        <span className="report-property">{who}</span>
        <LabelTags labels={labels} />
        <NewIssue report={report} />
      </div>
    );
  return (
    <div className="report-properties row gap-1 wrap" aria-busy={busy}>
      <Popover
        label={t('REPORTS.FILTER.ASSIGNED', { name: assignee?.name ?? t('REPORTS.ASSIGNEE.NOBODY') })}
        buttonClassName="button button-small button-quiet report-property report-assignee"
        isPrivate
        button={
          <>
            {who}
            <Icon name="chevron-down" size={12} />
          </>
        }
      >
        {(close) => (
          <PersonChoice
            chosen={assignee?.id ?? null}
            onChoose={(person) => {
              close();
              if (person?.id === assignee?.id) return;
              onChange(
                person === null ? { assigneeId: null } : { assigneeId: person.id, named: person.name },
              );
            }}
          />
        )}
      </Popover>
      {assignee !== null && !assignee.active ? (
        <span className="report-assignee-gone">
          <Icon name="warning" size={12} />
          {t('REPORTS.ASSIGNEE.INACTIVE')}
        </span>
      ) : null}
      <Popover
        label={
          labels.length === 0
            ? t('REPORTS.LABELS.ADD')
            : t('REPORTS.LABELS.CURRENT', { labels: labels.join(' ') })
        }
        buttonClassName="button button-small button-quiet report-property report-labels"
        isPrivate={labels.length > 0}
        button={
          labels.length === 0 ? (
            <>
              <InboxIcon name="label" size={14} />
              {t('REPORTS.LABELS.ADD')}
            </>
          ) : (
            <>
              <LabelTags labels={labels} />
              <Icon name="chevron-down" size={12} />
            </>
          )
        }
      >
        {() => (
          <LabelChoice
            labels={[labels]}
            onToggle={(label, add) => onChange(add ? { addLabels: [label] } : { removeLabels: [label] })}
          />
        )}
      </Popover>
      {duplicateOf === null ? (
        <Popover
          label={t('REPORTS.DUPLICATE.MARK')}
          buttonClassName="button button-small button-quiet report-property report-duplicate"
          button={
            <>
              <Icon name="copy" size={14} />
              {t('REPORTS.DUPLICATE.MARK')}
            </>
          }
        >
          {(close) => (
            <ReportChoice
              without={report.id}
              onChoose={(other) => {
                close();
                onChange({ duplicateOf: other.id, named: formats.number(other.number) });
              }}
            />
          )}
        </Popover>
      ) : null}
      {isUnderWay(report.status) ? (
        <Popover
          label={
            snoozedUntil === null
              ? t('REPORTS.SNOOZE.ACTION')
              : t('REPORTS.SNOOZE.UNTIL', { when: formats.dateTime(snoozedUntil) })
          }
          buttonClassName="button button-small button-quiet report-property report-snooze"
          button={
            <>
              <Icon name="clock" size={14} />
              {snoozedUntil === null
                ? t('REPORTS.SNOOZE.ACTION')
                : t('REPORTS.SNOOZE.UNTIL', { when: formats.dateTime(snoozedUntil) })}
            </>
          }
        >
          {(close) => (
            <SnoozeChoice
              isSnoozed={snoozedUntil !== null}
              onChoose={(until) => {
                close();
                onChange({ snoozedUntil: until });
              }}
            />
          )}
        </Popover>
      ) : null}
      <NewIssue report={report} />
    </div>
  );
}
