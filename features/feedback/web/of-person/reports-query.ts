import { listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

/** The reports that a person sent, the latest first; live like the inbox. */
export function reportsOfPersonQuery(api: Api, personId: string) {
  return infiniteQueryOptions({
    queryKey: [reportInbox.list, 'of', personId],
    queryFn: ({ pageParam, signal }) =>
      api.call(listReports, { query: { reporter: personId, limit: 25, ...pageParam } }, { signal }),
    ...pages,
  });
}
