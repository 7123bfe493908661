import { listApplications } from '#features/gateway/contract/gateway.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

/** The applications behind the gateway, and how many streams are open. */
export function applicationsQuery(api: Api) {
  return queryOptions({
    queryKey: ['applications'],
    queryFn: ({ signal }) => api.call(listApplications, {}, { signal }),
    refetchInterval: 15_000,
  });
}
