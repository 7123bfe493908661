import {
  type CountedPeriod,
  countEvents,
  errorList,
  errorOrder,
  errorPeriod,
  type ErrorPeriod,
  errorStatus,
  getError,
  getErrorEvent,
  listErrorAssignees,
  listErrorFilters,
  listErrors,
} from '#features/diagnostics/contract/diagnostics.ts';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { pages } from '#web/platform/lists/pages.ts';

export const errorsKey = [errorList.list] as const;

/** What is listed, as it is in the address; empty: the usual. */
export const listNames = [
  'search',
  'status',
  'project',
  'release',
  'environment',
  'assignee',
  'order',
  'period',
] as const;
export type ErrorsAddress = Record<(typeof listNames)[number], string>;

/** The person's own days. */
function offsetOf(timeZone: string): number {
  return minutesEastOfUtc(timeZone, Date.now());
}

export function periodOf(period: string): ErrorPeriod {
  return errorPeriod.safeParse(period).data ?? '24h';
}

export function statusOf(status: string) {
  return errorStatus.safeParse(status).data ?? 'open';
}

export function orderOf(order: string) {
  return errorOrder.safeParse(order).data ?? 'last-seen';
}

function projectOf(project: string): { project?: number } {
  return /^[1-9]\d{0,8}$/.test(project) ? { project: Number(project) } : {};
}

/** The address as the server takes it. */
function listQueryOf({
  search,
  status,
  project,
  release,
  environment,
  assignee,
  order,
  period,
}: ErrorsAddress) {
  return {
    search: search.trim().slice(0, 200),
    status: statusOf(status),
    order: orderOf(order),
    period: periodOf(period),
    ...projectOf(project),
    ...(release === '' ? {} : { release: release.slice(0, 200) }),
    ...(environment === '' ? {} : { environment: environment.slice(0, 64) }),
    ...(assignee === 'current' || assignee === 'none' ? ({ assignee } as const) : {}),
  };
}

/** People to whom errors can be assigned. */
export function errorAssigneesQuery(api: Api, search: string) {
  return queryOptions({
    queryKey: [...errorsKey, 'assignees', search],
    queryFn: ({ signal }) => api.call(listErrorAssignees, { query: { search } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** One page of errors after the other. */
export function errorsQuery(api: Api, address: ErrorsAddress, timeZone: string) {
  const query = { ...listQueryOf(address), offset: offsetOf(timeZone) };
  return infiniteQueryOptions({
    queryKey: [...errorsKey, 'list', query],
    queryFn: ({ pageParam, signal }) =>
      api.call(listErrors, { query: { ...query, ...pageParam } }, { signal }),
    ...pages,
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: (previous) => previous,
  });
}

export function countsQuery(api: Api, address: Pick<ErrorsAddress, 'project' | 'period'>, timeZone: string) {
  const { project, period } = address;
  const query = { ...projectOf(project), period: periodOf(period), offset: offsetOf(timeZone) };
  return queryOptions({
    queryKey: [...errorsKey, 'counts', query],
    queryFn: ({ signal }) => api.call(countEvents, { query }, { signal }),
    placeholderData: (previous) => previous,
  });
}

export function filtersQuery(api: Api, project: string) {
  const query = projectOf(project);
  return queryOptions({
    queryKey: [...errorsKey, 'filters', query],
    queryFn: ({ signal }) => api.call(listErrorFilters, { query }, { signal }),
    placeholderData: (previous) => previous,
  });
}

export function errorQuery(api: Api, errorId: string, period: string, timeZone: string) {
  const query = { period: periodOf(period), offset: offsetOf(timeZone) };
  return queryOptions({
    queryKey: [...errorsKey, 'one', errorId, query],
    queryFn: ({ signal }) => api.call(getError, { params: { errorId }, query }, { signal }),
    placeholderData: (previous) => previous,
  });
}

/** @param event its number, or `latest` */
export function eventQuery(api: Api, errorId: string, event: string) {
  return queryOptions({
    queryKey: [...errorsKey, 'event', errorId, event],
    queryFn: ({ signal }) => api.call(getErrorEvent, { params: { errorId, event } }, { signal }),
    placeholderData: (previous) => previous,
  });
}

/** When each hour or day of a period begins. */
export function startsOf({ from, step, steps }: CountedPeriod): number[] {
  return Array.from({ length: steps }, (_, index) => from + index * step);
}
