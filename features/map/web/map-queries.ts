import { listMapLayers, mapLayerList } from '#features/map/contract/map.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '#web/platform/calls/call.ts';

/** The common start of the query keys of layers. */
export const mapLayersKey = [mapLayerList.list] as const;

/** The layers that the person may see; loaded again when an operator changes them. */
export function mapLayersQuery(api: Api) {
  return queryOptions({
    queryKey: [...mapLayersKey, 'visible'],
    queryFn: ({ signal }) => api.call(listMapLayers, {}, { signal }),
  });
}
