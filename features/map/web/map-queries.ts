import { listMapLayers, mapLayerList } from '#features/map/contract/map.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';

/** The common start of the query keys of layers. */
export const mapLayersKey = [mapLayerList.list] as const;

/** The layers that the person may see; loaded again when an operator changes them. */
export const mapLayersQuery = routeQuery([...mapLayersKey, 'visible'], listMapLayers, {});
