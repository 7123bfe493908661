import { listManagedLayers } from '#features/map/contract/manage.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';
import { mapLayersKey } from '../map-queries.ts';

/** Every layer of the map server, with what operators decided about it. */
export function managedLayersQuery(api: Api) {
  return queryOptions({
    queryKey: [...mapLayersKey, 'managed'],
    queryFn: ({ signal }) => api.call(listManagedLayers, {}, { signal }),
  });
}
