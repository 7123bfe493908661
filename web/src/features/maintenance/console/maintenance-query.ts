import { getMaintenance } from '@portico/contract/maintenance';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../../platform/call.ts';

/** The switch and the notice as they are kept; asked again now and then, since others may change them and people come and go. */
export function maintenanceQuery(api: Api) {
  return queryOptions({
    queryKey: ['maintenance'],
    queryFn: ({ signal }) => api.call(getMaintenance, {}, { signal }),
    // The first answer comes before this browser itself is connected.
    refetchInterval: ({ state }) => (state.dataUpdateCount < 2 ? 2_000 : 15_000),
  });
}
