import { getMaintenance, type MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import {
  listMaintenanceHistory,
  listWindows,
  type MaintenanceWindow,
} from '#features/maintenance/contract/windows.ts';
import { getPresence } from '#features/presence/contract/presence.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { maintenanceKey } from '../live-status.ts';
import { pages } from '#web/platform/lists/pages.ts';

const second = 1_000;
// The most windows that are listed; of more, the next ones.
const mostComing = 200;

/** The switch, the notice, and what is in force; polled, since others may change them. */
export function maintenanceQuery(api: Api) {
  return queryOptions({
    queryKey: [...maintenanceKey, 'settings'],
    queryFn: ({ signal }) => api.call(getMaintenance, {}, { signal }),
    refetchInterval: ({ state }) => (isBusy(state.data) ? 3 * second : 10 * second),
  });
}

/** The windows that are not over, the next first. */
export function comingWindowsQuery(api: Api) {
  return queryOptions({
    queryKey: [...maintenanceKey, 'windows', 'coming'],
    queryFn: async ({ signal }): Promise<readonly MaintenanceWindow[]> =>
      (await api.call(listWindows, { query: { limit: mostComing } }, { signal })).windows,
    refetchInterval: 5 * second,
  });
}

/** The windows that are over, the last first, page by page. */
export function pastWindowsQuery(api: Api) {
  return infiniteQueryOptions({
    queryKey: [...maintenanceKey, 'windows', 'over'],
    queryFn: ({ pageParam, signal }) =>
      api.call(listWindows, { query: { over: true, limit: 10, ...pageParam } }, { signal }),
    ...pages,
  });
}

/** The history, the latest first, page by page; of one window, or of everything. */
export function historyQuery(api: Api, windowId: string | null) {
  const of = windowId === null ? {} : { windowId };
  return infiniteQueryOptions({
    queryKey: [...maintenanceKey, 'history', windowId],
    queryFn: ({ pageParam, signal }) =>
      api.call(listMaintenanceHistory, { query: { limit: 20, ...of, ...pageParam } }, { signal }),
    ...pages,
  });
}

/**
 * How many are connected (MAINT-7).
 *
 * @param closely whether an operator decides by it: people are being warned, or maintenance is in force
 */
export function presenceQuery(api: Api, closely: boolean) {
  return queryOptions({
    queryKey: [...maintenanceKey, 'presence'],
    queryFn: ({ signal }) => api.call(getPresence, {}, { signal }),
    staleTime: second,
    refetchInterval: closely ? 2 * second : 5 * second,
  });
}

function isBusy(settings: MaintenanceSettings | undefined): boolean {
  return settings !== undefined && (settings.inForce.mode !== 'off' || settings.inForce.upcoming !== null);
}
