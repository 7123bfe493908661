import { homeList } from '@portico/contract/home';
import { listApps } from '@portico/contract/home/apps';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/calls/call.ts';

/** Loaded again when an operator has changed them. */
export const appsKey = [homeList.list, 'apps'] as const;

/** The applications of the home screen as operators manage them. */
export function appsQuery(api: Api) {
  return queryOptions({
    queryKey: appsKey,
    queryFn: ({ signal }) => api.call(listApps, {}, { signal }),
  });
}
