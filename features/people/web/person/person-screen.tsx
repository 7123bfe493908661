import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useApi, useCan } from '#web/platform/contexts.tsx';
import { activityQuery } from '#features/audit/web/of-person/activity-query.ts';
import { PersonActivity } from '#features/audit/web/of-person/person-activity.tsx';
import { ReportsOfPerson } from '#features/feedback/web/of-person/reports-of-person.tsx';
import { reportsOfPersonQuery } from '#features/feedback/web/of-person/reports-query.ts';
import { peopleKey } from '../people-queries.ts';
import { PersonPage } from './person-page.tsx';

/** A person, with their reports and their audit entries for people who may read these. */
export function PersonScreen() {
  const { personId = '' }: { personId?: string } = useParams({ strict: false });
  const api = useApi();
  const can = useCan();
  const reports = useInfiniteQuery({ ...reportsOfPersonQuery(api, personId), enabled: can('REPORTS_READ') });
  const activity = useInfiniteQuery({
    ...activityQuery(api, personId, peopleKey),
    enabled: can('AUDIT_READ'),
  });
  return (
    <PersonPage
      personId={personId}
      reports={
        can('REPORTS_READ')
          ? {
              count: reports.data?.pages[0]?.total,
              first: <ReportsOfPerson reports={reports} most={3} />,
              all: <ReportsOfPerson reports={reports} />,
            }
          : null
      }
      activity={
        can('AUDIT_READ')
          ? {
              first: <PersonActivity activity={activity} most={5} />,
              all: <PersonActivity activity={activity} personId={personId} />,
            }
          : null
      }
    />
  );
}
