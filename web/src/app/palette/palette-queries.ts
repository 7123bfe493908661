import { listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import { listWindows } from '#features/maintenance/contract/windows.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { queryOptions } from '@tanstack/react-query';
import { flagsQuery } from '#features/flags/web/console/flags-query.ts';
import { maintenanceKey } from '#features/maintenance/web/live-status.ts';
import type { Api } from '../../platform/calls/call.ts';
import { routeQuery } from '../../platform/calls/route-query.ts';

/*
 * The query keys begin like those of the screens, so that the queries are loaded again when something changes. A
 * superseded search is aborted, since nothing waits for its answer any more.
 */

/** How many results of one kind are shown. */
export const shownOfEach = 5;

const ofSearch = { staleTime: 30_000, retry: false } as const;

export const peopleFoundQuery = (search: string) => ({
  ...routeQuery(['people', 'palette', search], listPeople, { query: { search, limit: shownOfEach } }),
  ...ofSearch,
});

/** Finds the reports that contain the words, or the report with the number. */
export function reportsFoundQuery(typed: string) {
  const search = typed.replace(/^#(?=\d)/, '');
  return {
    ...routeQuery([reportInbox.list, 'palette', search], listReports, {
      query: { search, limit: shownOfEach },
    }),
    ...ofSearch,
  };
}

/** All flags, as on the screen of flags, but without polling; the browser searches them. */
export const everyFlagQuery = { ...flagsQuery, refetchInterval: false as const, ...ofSearch };

/** The upcoming maintenance windows and the latest past ones; the browser searches them. */
export function windowsQuery(api: Api) {
  return queryOptions({
    queryKey: [...maintenanceKey, 'palette'],
    queryFn: async ({ signal }) => {
      const ask = (query: { over: boolean; limit: number }) => api.call(listWindows, { query }, { signal });
      const [coming, past] = await Promise.all([
        ask({ over: false, limit: 200 }),
        ask({ over: true, limit: 50 }),
      ]);
      return [...coming.windows, ...past.windows];
    },
    ...ofSearch,
  });
}

/** The person's latest reports; the browser searches them. */
export const ownReportsQuery = {
  ...routeQuery(['own-reports', 'palette'], listOwnReports, {
    params: { userId: 'current' },
    query: { limit: 200 },
  }),
  ...ofSearch,
};
