import { listAudit } from '#features/audit/contract/audit.ts';
import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

/**
 * What a person did and what was done to them, the latest first.
 *
 * @param within the beginning of its key: what is asked again with it when the person is changed
 */
export function activityQuery(api: Api, personId: string, within: QueryKey) {
  return infiniteQueryOptions({
    queryKey: [...within, 'activity', personId],
    queryFn: ({ pageParam, signal }) =>
      api.call(listAudit, { query: { about: personId, limit: 25, ...pageParam } }, { signal }),
    ...pages,
  });
}
