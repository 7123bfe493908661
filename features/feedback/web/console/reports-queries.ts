import {
  type changeReports,
  listAssignees,
  listReportLabels,
} from '#features/feedback/contract/change-reports.ts';
import { getReport, listReports, reportInbox } from '#features/feedback/contract/inbox.ts';
import type { BodyOf } from '#contract/route.ts';
import { keepPreviousData } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';
import { filterQuery, type InboxFilter } from './inbox-filter.ts';

/** The key of the inbox's queries: they reload when the server publishes a change of any report. */
export const reportsKey = [reportInbox.list] as const;
export const listKey = [...reportsKey, 'list'] as const;

/** Without live events the inbox reloads every minute, and when a person returns to the tab. */
const live = { refetchInterval: 60_000, refetchOnWindowFocus: 'always' } as const;

/** Loads the list of reports page by page. */
export const reportsQuery = (filter: InboxFilter, timeZone: string) => ({
  ...routePages([...listKey, filter, timeZone], listReports, { query: filterQuery(filter, timeZone) }),
  ...live,
  // While a changed filter loads, the previous list stays, so that nothing jumps.
  placeholderData: keepPreviousData,
});

export const reportQuery = (reportId: string) => ({
  ...routeQuery([...reportsKey, 'one', reportId], getReport, { params: { reportId } }),
  ...live,
});

/** Finds the reports of all tabs that match a number or words. */
export function foundReportsQuery(words: string) {
  const search = words.trim().replace(/^#(?=\d)/, '');
  return {
    ...routeQuery([...reportsKey, 'found', search], listReports, { query: { search, limit: 10 } }),
    placeholderData: keepPreviousData,
  };
}

/** The labels that reports have. */
export const labelsQuery = routeQuery([...reportsKey, 'labels'], listReportLabels, {});

/** The people to whom reports can be assigned, by words of their name. */
export const assigneesQuery = (search: string, limit = 20) => ({
  ...routeQuery(['report-assignees', search, limit], listAssignees, { query: { search, limit } }),
  placeholderData: keepPreviousData,
  staleTime: 60_000,
});

export type WantedChanges = BodyOf<typeof changeReports>['changes'];
export type Wanted = Omit<WantedChanges[number], 'reportId' | 'version'>;
