import { listAudit } from '@portico/contract/audit';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/calls/call.ts';

/** What a person did and what was done to them, the latest first. */
export function activityQuery(api: Api, personId: string) {
  return infiniteQueryOptions({
    queryKey: ['audit', 'about', personId],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listAudit,
        { query: { about: personId, limit: 25, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}
