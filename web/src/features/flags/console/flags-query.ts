import { flagList, getFlag, listClientKeys, listFlags } from '@portico/contract/flags';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/calls/call.ts';

export const flagsKey = [flagList.list] as const;

export function flagsQuery(api: Api) {
  return queryOptions({
    queryKey: [...flagsKey, 'list'],
    queryFn: ({ signal }) => api.call(listFlags, {}, { signal }),
    // For how many are connected: the first answer precedes the connection of this browser itself.
    refetchInterval: ({ state }) => (state.dataUpdateCount < 2 ? 2_000 : 30_000),
  });
}

export function clientKeysQuery(api: Api) {
  return queryOptions({
    queryKey: [...flagsKey, 'client-keys'],
    queryFn: ({ signal }) => api.call(listClientKeys, {}, { signal }),
  });
}

/** One flag with what depends on it; always loaded again, since other flags change too. */
export function flagQuery(api: Api, flagKey: string) {
  return queryOptions({
    queryKey: [...flagsKey, 'one', flagKey],
    queryFn: ({ signal }) => api.call(getFlag, { params: { flagKey } }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
}
