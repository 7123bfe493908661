import { getOverview } from '#features/overview/contract/overview.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

const everyMs = 60_000;

/** Under which all of it is cached. */
export const overviewKey = ['overview'] as const;

/** The overview, loaded again each minute: figures and what is due change without an event. */
export function overviewQuery(api: Api) {
  return queryOptions({
    queryKey: overviewKey,
    queryFn: ({ signal }) => api.call(getOverview, {}, { signal }),
    refetchInterval: everyMs,
  });
}
