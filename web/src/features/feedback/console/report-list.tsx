import type { ReportSummary } from '@portico/contract/feedback';
import type { MouseEvent, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';

type ReportListProps = {
  list: RefObject<HTMLUListElement | null>;
  reports: readonly ReportSummary[];
  /** The one that is open, or ''. */
  open: string;
  /** The one that Tab leads to: the list is one stop, arrows move in it. */
  current: string;
  now: number;
  onCurrent: (reportId: string) => void;
  onOpen: (reportId: string) => void;
};

/** The inbox's list: each row is a link to its report. */
export function ReportList({ list, reports, open, current, now, onCurrent, onOpen }: ReportListProps) {
  const { t } = useTranslation();
  return (
    <ul ref={list} className="inbox-list" aria-label={t('REPORTS.TITLE')}>
      {reports.map((report) => (
        <li key={report.id}>
          <a
            className="inbox-row"
            href={`?${new URLSearchParams({ report: report.id })}`}
            data-report={report.id}
            tabIndex={report.id === current ? 0 : -1}
            aria-current={report.id === open ? 'true' : undefined}
            onFocus={() => onCurrent(report.id)}
            onClick={(event: MouseEvent) => {
              // A new tab or window stays the browser's.
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              onOpen(report.id);
            }}
          >
            <RowContent report={report} now={now} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function RowContent({ report, now }: { report: ReportSummary; now: number }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <span className="inbox-row-text">{report.excerpt}</span>
      <ReportStatusTag status={report.status} />
      <span className="inbox-row-facts">
        <span>{`#${report.number}`}</span>
        <span className="inbox-row-who">{senderOf(report) ?? t('REPORTS.UNNAMED')}</span>
        <time dateTime={new Date(report.createdAt).toISOString()} title={formats.exact(report.createdAt)}>
          {formats.relative(report.createdAt, now)}
        </time>
      </span>
      {report.pictures === 0 ? null : (
        <span className="inbox-row-pictures" title={t('REPORTS.PICTURES', { count: report.pictures })}>
          <Icon name="image" size={14} />
          <span aria-hidden="true">{formats.number(report.pictures)}</span>
          <span className="visually-hidden">{t('REPORTS.PICTURES', { count: report.pictures })}</span>
        </span>
      )}
    </>
  );
}

/** Who sent it, as far as they said; null where they did not. */
export function senderOf({ name, email }: { name: string; email: string }): string | null {
  if (name !== '') return name;
  return email === '' ? null : email;
}
