import {
  type changeReports,
  listAssignees,
  listReportLabels,
} from '#features/feedback/contract/change-reports.ts';
import { getReport, listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import type { BodyOf } from '#contract/route.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { filterQuery, type InboxFilter } from './inbox-filter.ts';
import { pages } from '#web/platform/lists/pages.ts';

/** What the inbox shows of reports: it is loaded again when the server publishes a change of any. */
export const reportsKey = [reportInbox.list] as const;
export const listKey = [...reportsKey, 'list'] as const;

/** Without live events the inbox reloads every minute, and when a person returns to the tab. */
const live = { refetchInterval: 60_000, refetchOnWindowFocus: 'always' } as const;

/** A page of reports after the other. */
export function reportsQuery(api: Api, filter: InboxFilter, timeZone: string) {
  return infiniteQueryOptions({
    queryKey: [...listKey, filter, timeZone],
    queryFn: ({ pageParam, signal }) =>
      api.call(listReports, { query: { ...filterQuery(filter, timeZone), ...pageParam } }, { signal }),
    ...pages,
    ...live,
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: keepPreviousData,
  });
}

export function reportQuery(api: Api, reportId: string) {
  return queryOptions({
    queryKey: [...reportsKey, 'one', reportId],
    queryFn: ({ signal }) => api.call(getReport, { params: { reportId } }, { signal }),
    ...live,
  });
}

/** Reports that fit a number or words, whatever their tab. */
export function foundReportsQuery(api: Api, words: string) {
  const search = words.trim().replace(/^#(?=\d)/, '');
  return queryOptions({
    queryKey: [...reportsKey, 'found', search],
    queryFn: ({ signal }) => api.call(listReports, { query: { search, limit: 10 } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** The labels that reports have. */
export function labelsQuery(api: Api) {
  return queryOptions({
    queryKey: [...reportsKey, 'labels'],
    queryFn: ({ signal }) => api.call(listReportLabels, {}, { signal }),
  });
}

/** The people to whom reports can be assigned, by words of their name. */
export function assigneesQuery(api: Api, search: string, limit = 20) {
  return queryOptions({
    queryKey: ['report-assignees', search, limit],
    queryFn: ({ signal }) => api.call(listAssignees, { query: { search, limit } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

export type WantedChanges = BodyOf<typeof changeReports>['changes'];
export type Wanted = Omit<WantedChanges[number], 'reportId' | 'version'>;
