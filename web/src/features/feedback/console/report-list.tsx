import type { ReportSummary } from '@portico/contract/feedback/inbox';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import type { ListAndDetail } from '../../../platform/lists/list-and-detail.ts';
import { Icon } from '../../../ui/icon.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';

type ReportListProps = Pick<ListAndDetail, 'list' | 'rowLink'> & {
  reports: readonly ReportSummary[];
  now: number;
};

/** The inbox's list: each row is a link to its report. */
export function ReportList({ list, reports, rowLink, now }: ReportListProps) {
  const { t } = useTranslation();
  return (
    <ul ref={list} className="list-beside-rows" aria-label={t('REPORTS.TITLE')}>
      {reports.map((report) => (
        <li key={report.id}>
          <a
            className="list-beside-row inbox-row"
            href={`?${new URLSearchParams({ report: report.id })}`}
            {...rowLink(report.id)}
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
      <span className="list-beside-facts inbox-row-facts">
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

/** Who sent it, as given by the reporter; null where they gave no name. */
export function senderOf({ name, email }: { name: string; email: string }): string | null {
  if (name !== '') return name;
  return email === '' ? null : email;
}
