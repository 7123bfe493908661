import { getMaintenance, type MaintenanceSettings } from '#features/maintenance/contract/settings.ts';
import { listMaintenanceHistory, listWindows } from '#features/maintenance/contract/windows.ts';
import { getPresence } from '#features/presence/contract/presence.ts';
import { queryOptions } from '@tanstack/react-query';
import { routePages, routeQuery } from '#web/platform/calls/route-query.ts';
import { maintenanceKey } from '../live-status.ts';
import { useApp } from '#web/app/app-context.tsx';

const second = 1_000;
/** The most windows that are listed; of more windows the next ones. */
const mostComing = 200;

/** The switch, the notice, and what is in force; polled, since others may change them. */
export const maintenanceQuery = queryOptions({
  ...routeQuery([...maintenanceKey, 'settings'], getMaintenance, {}),
  refetchInterval: ({ state }) => (isBusy(state.data) ? 3 * second : 10 * second),
});

/** The windows that are not over, the next first. */
export const comingWindowsQuery = {
  ...routeQuery([...maintenanceKey, 'windows', 'coming'], listWindows, { query: { limit: mostComing } }),
  refetchInterval: 5 * second,
};

/** The windows that are over, the last first, page by page. */
export const pastWindowsQuery = routePages([...maintenanceKey, 'windows', 'over'], listWindows, {
  query: { over: true, limit: 10 },
});

/** The history, the latest first, page by page; of one window, or of everything. */
export function historyQuery(windowId: string | null) {
  return routePages([...maintenanceKey, 'history', windowId], listMaintenanceHistory, {
    query: { limit: 20, ...(windowId === null ? {} : { windowId }) },
  });
}

/**
 * How many people are connected (MAINT-7).
 *
 * @param closely whether an operator decides by this number: people are being warned, or maintenance is in force
 */
export const presenceQuery = (closely: boolean) => ({
  ...routeQuery([...maintenanceKey, 'presence'], getPresence, {}),
  staleTime: second,
  refetchInterval: closely ? 2 * second : 5 * second,
});

function isBusy(settings: MaintenanceSettings | undefined): boolean {
  return settings !== undefined && (settings.inForce.mode !== 'off' || settings.inForce.upcoming !== null);
}

/**
 * For calls that start maintenance: the maintenance page then does not cover the operator's tab.
 *
 * @returns a function that runs a call; if the call starts offline maintenance and succeeds, the operator
 *   stays in the console
 */
export function useStayInConsole(): <Result>(
  starts: boolean,
  call: () => Promise<Result>,
) => Promise<Result> {
  const { maintenance } = useApp();
  return async (starts, call) => {
    const undo = starts ? maintenance.stay() : () => {};
    try {
      return await call();
    } catch (error) {
      undo();
      throw error;
    }
  };
}
