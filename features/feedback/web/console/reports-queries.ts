import {
  type changeReports,
  listAssignees,
  listReportLabels,
} from '#features/feedback/contract/change-reports.ts';
import {
  deleteReport,
  type FullReport,
  getReport,
  listReports,
  reportInbox,
} from '#features/feedback/contract/inbox.ts';
import type { BodyOf } from '#contract/route.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { isProblem } from '#web/platform/calls/problem-error.ts';
import { useApi } from '#web/platform/contexts.tsx';
import { filterQuery, type InboxFilter } from './inbox-filter.ts';
import { pages } from '#web/platform/lists/pages.ts';

/** What the inbox shows of reports: it is loaded again when the server publishes a change of any. */
export const reportsKey = [reportInbox.list] as const;
const listKey = [...reportsKey, 'list'] as const;

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

/** Deletes a report for good; the result is whether another person had deleted it already. */
export function useDeleteReport({ id }: FullReport) {
  const api = useApi();
  const queries = useQueryClient();
  return {
    async run(): Promise<'us' | 'another person'> {
      const by = await api.call(deleteReport, { params: { reportId: id } }).then(
        () => 'us' as const,
        (error: unknown) => {
          if (isProblem(error, 'NOT_FOUND')) return 'another person' as const;
          throw error;
        },
      );
      // An answer that is under way may still contain it.
      await queries.cancelQueries({ queryKey: reportsKey });
      return by;
    },
    reloadList: () => void queries.invalidateQueries({ queryKey: listKey }),
  };
}
