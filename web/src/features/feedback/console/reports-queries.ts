import { type ReportStatus } from '@portico/contract/feedback/own-reports';
import {
  deleteReport,
  type FullReport,
  getReport,
  listReports,
  setReportStatus,
} from '@portico/contract/feedback/inbox';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '../../../platform/calls/call.ts';
import { useApi } from '../../../platform/contexts.tsx';
import { isProblem } from '../../../platform/calls/problem-error.ts';

/** The filter of the inbox, as it is in the address. */
export type ReportFilter = { search: string; status: ReportStatus | ''; order: 'newest' | 'oldest' };

const reportsKey = ['reports'] as const;
const listKey = [...reportsKey, 'list'] as const;

/** The inbox reloads every minute, and when a person returns to the tab. */
const live = { refetchInterval: 60_000, refetchOnWindowFocus: 'always' } as const;

/** A page of reports after the other. */
export function reportsQuery(api: Api, filter: ReportFilter) {
  return infiniteQueryOptions({
    queryKey: [...listKey, filter],
    queryFn: ({ pageParam, signal }) =>
      api.call(
        listReports,
        {
          query: {
            search: filter.search,
            order: filter.order,
            ...(filter.status === '' ? {} : { status: filter.status }),
            ...(pageParam === null ? {} : { cursor: pageParam }),
          },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    ...live,
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: (previous) => previous,
  });
}

export function reportQuery(api: Api, reportId: string) {
  return queryOptions({
    queryKey: [...reportsKey, 'one', reportId],
    queryFn: ({ signal }) => api.call(getReport, { params: { reportId } }, { signal }),
    ...live,
  });
}

type StatusChange = { report: FullReport; status: ReportStatus };

/**
 * Changes the status of a report. After a conflict the latest report is loaded, and the next try is against
 * it.
 *
 * @param onChanged is called with the report as it is now, and who has changed it
 */
export function useSetStatus(onChanged: (report: FullReport, by: 'us' | 'another person') => void) {
  const api = useApi();
  const queries = useQueryClient();

  function take(report: FullReport, by: 'us' | 'another person'): void {
    queries.setQueryData(reportQuery(api, report.id).queryKey, report);
    onChanged(report, by);
    // Nothing waits for the counts.
    void queries.invalidateQueries({ queryKey: listKey });
  }

  return useMutation({
    mutationFn: ({ report: { id, version }, status }: StatusChange) =>
      api.call(setReportStatus, { params: { reportId: id }, body: { status, version } }),
    onSuccess: (report) => take(report, 'us'),
    async onError(error, { report }) {
      // The report's own query then finds that it was deleted.
      if (isProblem(error, 'NOT_FOUND'))
        await queries.invalidateQueries({ queryKey: reportQuery(api, report.id).queryKey });
      if (!isProblem(error, 'VERSION_CONFLICT')) return;
      take(await api.call(getReport, { params: { reportId: report.id } }), 'another person');
    },
  });
}

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
