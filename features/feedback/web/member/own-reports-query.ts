import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import type { AnswerOf } from '#contract/route.ts';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { routePages } from '#web/platform/calls/route-query.ts';

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
export const ownReportsQuery = (live: boolean) =>
  infiniteQueryOptions({
    ...routePages(ownReportsKey, listOwnReports, { params: { userId: 'current' } }),
    refetchInterval: live ? everyWhileLive : every,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
