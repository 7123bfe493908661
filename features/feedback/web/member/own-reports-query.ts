import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import type { AnswerOf } from '#contract/route.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { pages } from '#web/platform/lists/pages.ts';

export const ownReportsKey = ['own-reports'] as const;
export type PageOfOwnReports = AnswerOf<typeof listOwnReports>;

const every = 60_000;
const everyWhileLive = 300_000;

/**
 * The reports of the signed-in person, the newest first, in pages; reloaded every minute, on return to the
 * tab, and when the screen is opened.
 *
 * @param live changes arrive by live events: a reload every five minutes is enough
 */
export function ownReportsQuery(api: Api, live: boolean) {
  return infiniteQueryOptions({
    queryKey: ownReportsKey,
    queryFn: ({ pageParam, signal }) =>
      api.call(listOwnReports, { params: { userId: 'current' }, query: pageParam }, { signal }),
    ...pages,
    refetchInterval: live ? everyWhileLive : every,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
}
