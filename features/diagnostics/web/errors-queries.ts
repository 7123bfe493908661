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
import { keepPreviousData } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';
import { minutesEastOfUtc } from '#web/platform/time/time-offset.ts';
import { getDiagnosticSettings, listProjects, projectList } from '#features/diagnostics/contract/projects.ts';
import { listSourceMaps } from '#features/diagnostics/contract/source-maps.ts';

export const projectsKey = [projectList.list] as const;
export const settingsKey = ['diagnostic-settings'] as const;
export const sourceMapsKey = ['source-maps'] as const;

export const projectsQuery = routeQuery(projectsKey, listProjects, {});

export const settingsQuery = {
  ...routeQuery(settingsKey, getDiagnosticSettings, {}),
  staleTime: 0,
};

export const sourceMapsQuery = routeQuery(sourceMapsKey, listSourceMaps, {});

/** The lines that connect a browser application. */
export function sdkLines(dsn: string): string {
  return [
    `import * as Sentry from '@sentry/browser';`,
    `const dsn = '${dsn}';`,
    `Sentry.init({ dsn, release: 'shop@1.0.0' });`,
  ].join('\n');
}

export const errorsKey = [errorList.list] as const;

/** The parameters of the address that select what is listed; an empty value means the default. */
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

/** The query of the address in the server's format. */
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
export const errorAssigneesQuery = (search: string) => ({
  ...routeQuery([...errorsKey, 'assignees', search], listErrorAssignees, { query: { search } }),
  placeholderData: keepPreviousData,
});

/** One page of errors after the other. */
export function errorsQuery(address: ErrorsAddress, timeZone: string) {
  const query = { ...listQueryOf(address), offset: offsetOf(timeZone) };
  return {
    ...routePages([...errorsKey, 'list', query], listErrors, { query }),
    // While a changed filter loads, the previous list stays, so that nothing jumps.
    placeholderData: keepPreviousData,
  };
}

export function countsQuery(address: Pick<ErrorsAddress, 'project' | 'period'>, timeZone: string) {
  const { project, period } = address;
  const query = { ...projectOf(project), period: periodOf(period), offset: offsetOf(timeZone) };
  return {
    ...routeQuery([...errorsKey, 'counts', query], countEvents, { query }),
    placeholderData: keepPreviousData,
  };
}

export function filtersQuery(project: string) {
  const query = projectOf(project);
  return {
    ...routeQuery([...errorsKey, 'filters', query], listErrorFilters, { query }),
    placeholderData: keepPreviousData,
  };
}

export function errorQuery(errorId: string, period: string, timeZone: string) {
  const query = { period: periodOf(period), offset: offsetOf(timeZone) };
  return {
    ...routeQuery([...errorsKey, 'one', errorId, query], getError, { params: { errorId }, query }),
    placeholderData: keepPreviousData,
  };
}

/** @param event its number, or `latest` */
export const eventQuery = (errorId: string, event: string) => ({
  ...routeQuery([...errorsKey, 'event', errorId, event], getErrorEvent, { params: { errorId, event } }),
  placeholderData: keepPreviousData,
});

/** When each hour or day of a period begins. */
export function startsOf({ from, step, steps }: CountedPeriod): number[] {
  return Array.from({ length: steps }, (_, index) => from + index * step);
}
