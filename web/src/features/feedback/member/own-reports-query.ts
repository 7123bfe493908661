import { listOwnReports } from '@portico/contract/feedback';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/call.ts';

/** The reports of who is signed in, the newest first, a page after the other; asked for again every minute and on return to the tab. */
export function ownReportsQuery(api: Api) {
  return infiniteQueryOptions({
    queryKey: ['own-reports'],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listOwnReports,
        { params: { userId: 'current' }, query: pageParam === null ? {} : { cursor: pageParam } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: 60_000,
    refetchOnWindowFocus: 'always',
  });
}
