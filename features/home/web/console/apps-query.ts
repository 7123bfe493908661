import { homeList } from '#features/home/contract/home.ts';
import { listApps } from '#features/home/contract/apps.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

/** Loaded again when an operator has changed them. */
export const appsKey = [homeList.list, 'apps'] as const;

/** The applications of the home screen as operators manage them. */
export function appsQuery(api: Api) {
  return queryOptions({
    queryKey: appsKey,
    queryFn: ({ signal }) => api.call(listApps, {}, { signal }),
  });
}
