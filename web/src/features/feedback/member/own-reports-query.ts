import { listOwnReports } from '@portico/contract/feedback/own-reports';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/calls/call.ts';

const every = 60_000;
const everyWhileLive = 300_000;

/**
 * The reports of who is signed in, the newest first, a page after the other; asked for again every minute, on return to the tab,
 * and when the screen is opened.
 *
 * @param live changes are published at once: every five minutes will do
 */
export function ownReportsQuery(api: Api, live: boolean) {
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
    refetchInterval: live ? everyWhileLive : every,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
}
