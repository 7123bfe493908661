import { errorList } from '#features/diagnostics/contract/diagnostics.ts';
import { listReportErrors } from '#features/diagnostics/contract/of-report.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Api } from '#web/platform/calls/call.ts';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { useFormats } from '#web/platform/i18n/formats-context.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RelativeTime } from './relative-time.tsx';

function reportErrorsQuery(api: Api, reportId: string) {
  return queryOptions({
    queryKey: [errorList.list, 'of-report', reportId],
    queryFn: ({ signal }) => api.call(listReportErrors, { params: { reportId } }, { signal }),
  });
}

/** The errors that the report names or that its sender met around that time; nothing where there are none. */
export function RelatedErrors({ reportId }: { reportId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const mayRead = useCan()('DIAGNOSTICS_READ');
  const answer = useQuery({ ...reportErrorsQuery(useApi(), reportId), enabled: mayRead });
  const errors = answer.data?.errors ?? [];
  if (!mayRead || errors.length === 0) return null;
  return (
    <section className="report-related">
      <h3>
        <Icon name="alert" size={14} />
        {t('REPORTS.ERRORS.TITLE', { count: errors.length })}
      </h3>
      <ul>
        {errors.map(({ error, eventId, receivedAt, by }) => (
          <li key={error.id} className="report-error">
            <Link
              to="/diagnostics/$errorId"
              params={{ errorId: error.id }}
              search={{ event: eventId }}
              className="report-error-link"
            >
              <strong>{error.kind}</strong> <span dir="auto">{error.message}</span>
            </Link>
            <span className="report-error-facts">
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
