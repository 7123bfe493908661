import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useCan } from '#web/platform/contexts.tsx';
import { HistoryLink } from '#web/platform/lists/history-link.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Face } from '../report/face.tsx';
import { Pictures } from '../report/pictures/pictures.tsx';
import { ReportAddress } from '../report/report-address.tsx';
import { ReportContextFacts } from './report-context-facts.tsx';
import { senderOf } from './report-list.tsx';
import { RelativeTime } from './relative-time.tsx';

/** The reporter, with their text and pictures. */
export function ReportOpening({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  return (
    <article className="report-opening" aria-label={t('REPORTS.REPORT.MESSAGE')}>
      <header className="talk-head">
        <Face name={senderOf(report)} />
        <span className="report-sender">
          <Sender report={report} />
          <span className="report-sender-facts muted">
            {report.email === '' || report.name === '' ? null : <span>{report.email}</span>}
            <RelativeTime at={report.createdAt} />
          </span>
        </span>
      </header>
      {report.attachments.length === 0 ? null : (
        <div className="report-pictures" role="group" aria-label={t('REPORTS.REPORT.PICTURES')}>
          <Pictures pictures={report.attachments} />
        </div>
      )}
      {/* What a reporter wrote is shown as plain text. */}
      <p className="report-message" dir="auto">
        {report.message}
      </p>
      {report.url === '' ? null : (
        <p className="report-page muted">
          <span>{t('REPORTS.REPORT.PAGE')}</span> <ReportAddress url={report.url} />
        </p>
      )}
    </article>
  );
}

function Sender({ report }: { report: FullReport }) {
  const { t } = useTranslation();
  const can = useCan();
  const who = senderOf(report);
  if (report.reporterId === null || !can('PEOPLE_READ')) {
    return who === null ? <span className="muted">{t('REPORTS.UNNAMED')}</span> : <strong>{who}</strong>;
  }
  return (
    <Link to="/people/$personId" params={{ personId: report.reporterId }}>
      <strong>{who ?? t('REPORTS.UNNAMED')}</strong>
    </Link>
  );
}

type ReportRestProps = { report: FullReport; onDelete: () => void };

/** The circumstances in which it was sent, folded, and what is seldom needed. */
export function ReportRest({ report, onDelete }: ReportRestProps) {
  const { t } = useTranslation();
  const can = useCan();
  const tags = Object.entries(report.tags);
  return (
    <div className="report-rest">
      <details className="report-technical">
        <summary>
          <Icon name="chevron-right" size={14} />
          {t('REPORTS.REPORT.CONTEXT')}
        </summary>
        {tags.length === 0 ? null : (
          <dl className="facts">
            <dt>{t('REPORTS.REPORT.TAGS')}</dt>
            <dd>
              <ul className="report-tags">
                {tags.map(([key, value]) => (
                  <li key={key}>
                    <span className="muted">{key}</span> {value}
                  </li>
                ))}
              </ul>
            </dd>
          </dl>
        )}
        <ReportContextFacts report={report} />
      </details>
      <div className="report-foot">
        <HistoryLink subject={report.id} />
        {can('REPORTS_DELETE') ? (
          <Button tone="danger" small icon="trash" onClick={onDelete}>
            {t('REPORTS.DELETE.OPEN')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
