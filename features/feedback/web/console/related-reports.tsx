import type { FullReport, RelatedReport } from '#features/feedback/contract/inbox.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import type { Change } from './use-report-changes.ts';

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
        <h3>
          <Icon name="copy" size={14} />
          {title}
        </h3>
        <ul>
          {reports.map((one) => (
            <li key={one.id}>
              <RelatedLink report={one} onOpen={onOpen} />
              {action}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <section className="report-related stack gap-1">
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
  const formats = useFormats();
  return (
    <a
      className="report-related-link row"
      href={`?${new URLSearchParams({ report: report.id })}`}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onOpen(report.id);
      }}
    >
      <span className="muted">{`#${formats.number(report.number)}`}</span>
      <span className="report-related-text cut" dir="auto">
        {report.excerpt}
      </span>
      <ReportStatusTag status={report.status} />
    </a>
  );
}
