import { listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import type { AnswerOf } from '#contract/route.ts';
import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { routePages } from '#web/platform/calls/route-query.ts';
import { useFormats, useServerClock } from '#web/platform/contexts.tsx';
import { listState } from '#web/platform/lists/list-state.ts';
import { ListFrame } from '#web/ui/list-frame.tsx';
import { ReportStatusTag } from '../report/report-status-tag.tsx';
import './reports-of-person.css';

/** The reports that a person sent, the latest first; live like the inbox. */
export const reportsOfPersonQuery = (personId: string) =>
  routePages([reportInbox.list, 'of', personId], listReports, {
    query: { reporter: personId, limit: 25 },
  });

type ReportsOfPersonProps = {
  reports: UseInfiniteQueryResult<InfiniteData<AnswerOf<typeof listReports>>>;
  /** The number of rows to show. */
  most?: number;
};

/** The reports of a person: one line each, with a link to the report. */
export function ReportsOfPerson({ reports, most }: ReportsOfPersonProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const clock = useServerClock();
  const [now] = useState(() => clock.now());
  const found = reports.data?.pages.flatMap((page) => page.reports) ?? [];
  const { more, ...state } = listState(t, reports);
  const list = (
    <ListFrame
      texts="REPORTS_OF_PERSON"
      {...state}
      more={most === undefined ? more : undefined}
      skeletonRows={most ?? 6}
    >
      {found.length === 0 ? (
        <p className="reports-of-person-none muted">{t('REPORTS_OF_PERSON.NONE')}</p>
      ) : null}
      <ul className="reports-of-person divided" data-private>
        {found.slice(0, most).map((report) => (
          <li key={report.id} className="opens">
            <span className="muted">{`#${report.number}`}</span>
            <Link to="/reports" search={{ report: report.id }} className="covers cut" dir="auto">
              {report.excerpt}
            </Link>
            <ReportStatusTag status={report.status} />
            <time
              className="muted small nowrap"
              dateTime={new Date(report.createdAt).toISOString()}
              title={formats.exact(report.createdAt)}
            >
              {formats.relative(report.createdAt, now)}
            </time>
          </li>
        ))}
      </ul>
    </ListFrame>
  );
  return most === undefined ? <div className="panel shrinks">{list}</div> : list;
}
