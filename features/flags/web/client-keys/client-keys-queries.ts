import { listManagedClientKeys } from '#features/flags/contract/flags.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

export const managedKeysKey = ['managed-client-keys'] as const;

export function managedKeysQuery(api: Api) {
  return queryOptions({
    queryKey: managedKeysKey,
    queryFn: ({ signal }) => api.call(listManagedClientKeys, {}, { signal }),
    refetchInterval: 15_000,
  });
}
