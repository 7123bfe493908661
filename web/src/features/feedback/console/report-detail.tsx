import type { ReportStatus } from '@portico/contract/feedback/own-reports';
import type { FullReport } from '@portico/contract/feedback/inbox';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../../platform/contexts.tsx';
import { HistoryLink } from '../../../platform/lists/history-link.tsx';
import { useFormats } from '../../../platform/i18n/formats-context.tsx';
import { namedActor } from '../../../platform/named-person.ts';
import { Icon } from '../../../ui/icon.tsx';
import { Time } from '../../../ui/time.tsx';
import { Pictures } from '../report/pictures/pictures.tsx';
import { ReportAddress } from '../report/report-address.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import { ReportContextFacts } from './report-context-facts.tsx';
import { senderOf } from './report-list.tsx';

/** A report as operators read it: its text, its sender, its page, with pictures and history. */
export function ReportDetail({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      {/* What a reporter wrote is shown as plain text. */}
      <p className="report-message" dir="auto">
        {report.message}
      </p>
      {report.attachments.length === 0 ? null : (
        <section className="section">
          <h3>{t('REPORTS.REPORT.PICTURES')}</h3>
          <Pictures pictures={report.attachments} />
        </section>
      )}
      <dl className="facts section-divided">
        <dt>{t('REPORTS.REPORT.FROM')}</dt>
        <dd>
          <Sender report={report} />
        </dd>
        {report.email === '' || report.name === '' ? null : (
          <>
            <dt>{t('REPORTS.REPORT.EMAIL')}</dt>
            <dd>{report.email}</dd>
          </>
        )}
        <dt>{t('REPORTS.REPORT.SENT')}</dt>
        <dd>
          <Time at={report.createdAt} formats={formats} />
        </dd>
        {report.url === '' ? null : (
          <>
            <dt>{t('REPORTS.REPORT.PAGE')}</dt>
            <dd>
              <ReportAddress url={report.url} />
            </dd>
          </>
        )}
        <ReportTags tags={report.tags} />
      </dl>
      <section className="section section-divided">
        <h3>{t('REPORTS.REPORT.CONTEXT')}</h3>
        <ReportContextFacts report={report} />
      </section>
      <History report={report} />
      <HistoryLink subject={report.id} />
    </>
  );
}

function Sender({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const can = useCan();
  const who = senderOf(report);
  if (report.reporterId === null || !can('PEOPLE_READ')) {
    return who === null ? <span className="muted">{t('REPORTS.UNNAMED')}</span> : who;
  }
  return (
    <Link to="/people" search={{ person: report.reporterId }}>
      {who ?? t('REPORTS.UNNAMED')}
    </Link>
  );
}

function ReportTags({ tags }: Pick<FullReport, 'tags'>) {
  const { t } = useTranslation();
  const entries = Object.entries(tags);
  if (entries.length === 0) return null;
  return (
    <>
      <dt>{t('REPORTS.REPORT.TAGS')}</dt>
      <dd>
        <ul className="report-tags">
          {entries.map(([key, value]) => (
            <li key={key}>
              <span className="muted">{key}</span> {value}
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function History({ report: { history, names } }: { report: FullReport }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="section section-divided">
      <h3>{t('REPORTS.REPORT.HISTORY')}</h3>
      <ol className="report-history">
        {history
          .filter((change) => change.what === 'status')
          .map(({ at, before, after, by }) => (
            <li key={`${at} ${after}`}>
              <span className="report-history-change">
                {before === null ? null : <StatusBefore status={before} />}
                <ReportStatusTag status={after} />
              </span>
              <span className="muted">
                {by === '' ? null : t('REPORTS.REPORT.BY', { name: namedActor(t, by, names) })}{' '}
                <Time at={at} formats={formats} />
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
}

function StatusBefore({ status }: { status: ReportStatus }) {
  const { t } = useTranslation();
  return (
    <>
      <ReportStatusTag status={status} />
      <Icon name="chevron-right" size={12} />
      <span className="visually-hidden">{t('REPORTS.REPORT.CHANGED')}</span>
    </>
  );
}
