import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  QueryCache,
  QueryClient,
} from '@tanstack/react-query';
import type { LiveEvents } from '#features/events/web/live-events.ts';
import { ProblemError } from '../platform/calls/problem-error.ts';
import type { Clock } from '../platform/time/clock.ts';

const tries = 3;

/**
 * Returns whether to try again. A retry helps with a lost connection and an overloaded server; a request that
 * the server has refused would be refused again.
 */
export function isRetryable(failures: number, error: unknown): boolean {
  if (failures >= tries - 1) return false;
  return (
    !(error instanceof ProblemError) ||
    error.status === 0 ||
    (error.status >= 500 && error.code !== 'MAINTENANCE')
  );
}

const fresh = 5_000;

/**
 * When a list is reloaded during its first load, the library joins that load. The answer may be older than the
 * change for which the list is reloaded, so this client requests the list once more.
 */
class ReloadingClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined);
    await super.invalidateQueries(filters, options);
    if (loading.length > 0)
      await super.invalidateQueries({ ...filters, predicate: (query) => loading.includes(query) }, options);
  }
}

/**
 * Caches the lists and details that screens have loaded, as long as the page lives.
 *
 * @param isPaused while true, a remounted screen shows what is cached
 * @param onMoreFailed called when the next page of a list could not be loaded; the loaded pages stay
 */
export function createQueryClient(
  isPaused: () => boolean,
  onMoreFailed: (error: unknown) => void,
): QueryClient {
  return new ReloadingClient({
    queryCache: new QueryCache({
      onError(error, { state: { fetchMeta } }) {
        if (fetchMeta?.fetchMore !== undefined) onMoreFailed(error);
      },
    }),
    defaultOptions: {
      queries: {
        retry: isRetryable,
        retryDelay: (attempt) => 500 * 2 ** attempt * (0.75 + Math.random() / 2),
        staleTime: () => (isPaused() ? Number.POSITIVE_INFINITY : fresh),
        // Browsers are often wrong about being offline; a failed call shows it reliably.
        networkMode: 'always',
        refetchOnReconnect: true,
        // What is not there stays so: to ask again would show an error for a moment.
        refetchOnWindowFocus: ({ state }) =>
          state.data !== undefined || state.error === null || isRetryable(0, state.error),
        // An error state goes by itself when the server answers again, also where the stream never broke.
        refetchInterval: ({ state }) =>
          state.status === 'error' && state.data === undefined && isRetryable(0, state.error)
            ? 30_000
            : false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Loads what a screen could not load, as soon as the server is reached again. */
export function followConnection(client: QueryClient, live: Pick<LiveEvents, 'connected'>): void {
  live.connected.subscribe(() => {
    if (live.connected.get())
      void client.refetchQueries({
        type: 'active',
        predicate: ({ state }) => state.data === undefined && isRetryable(0, state.error),
      });
  });
}

/**
 * Reloads lists that have changed on the server: those whose query keys begin with the list's name
 * (`liveList` of the contract).
 */
export function followLists(
  client: QueryClient,
  live: Pick<LiveEvents, 'on'>,
  clock: Pick<Clock, 'after'>,
): void {
  live.on('changed', ({ list, within }) => {
    const reload = () => void client.invalidateQueries(list === null ? {} : { queryKey: [list] });
    if (within === 0) reload();
    else clock.after(Math.random() * within, reload);
  });
}
