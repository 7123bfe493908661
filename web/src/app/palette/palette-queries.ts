import { listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import { listOwnReports } from '#features/feedback/contract/own-reports.ts';
import { listWindows } from '#features/maintenance/contract/windows.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { queryOptions } from '@tanstack/react-query';
import { flagsQuery } from '#features/flags/web/console/flags-query.ts';
import { maintenanceKey } from '#features/maintenance/web/live-status.ts';
import type { Api } from '../../platform/calls/call.ts';

/*
 * Their keys begin as those of the screens, so that they are loaded again when something changes. A search that
 * is superseded is aborted, since nothing waits for its answer any more.
 */

/** How many of a kind are shown. */
export const shownOfEach = 5;

const ofSearch = { staleTime: 30_000, retry: false } as const;

export function peopleFoundQuery(api: Api, search: string) {
  return queryOptions({
    queryKey: ['people', 'palette', search],
    queryFn: ({ signal }) => api.call(listPeople, { query: { search, limit: shownOfEach } }, { signal }),
    ...ofSearch,
  });
}

/** Reports with the words, or of the number. */
export function reportsFoundQuery(api: Api, typed: string) {
  const search = typed.replace(/^#(?=\d)/, '');
  return queryOptions({
    queryKey: [reportInbox.list, 'palette', search],
    queryFn: ({ signal }) => api.call(listReports, { query: { search, limit: shownOfEach } }, { signal }),
    ...ofSearch,
  });
}

/** All flags, as their screen has them, but not asked for again and again; they are searched here. */
export function everyFlagQuery(api: Api) {
  return { ...flagsQuery(api), refetchInterval: false as const, ...ofSearch };
}

/** The windows to come and the last ones; they are searched here. */
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

/** The person's latest reports; they are searched here. */
export function ownReportsQuery(api: Api) {
  return queryOptions({
    queryKey: ['own-reports', 'palette'],
    queryFn: ({ signal }) =>
      api.call(listOwnReports, { params: { userId: 'current' }, query: { limit: 200 } }, { signal }),
    ...ofSearch,
  });
}
