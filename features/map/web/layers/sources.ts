import type { MapLayer } from '#features/map/contract/map.ts';
import type { ShownLayer } from './shown-layers.ts';

/** The attributions of the map: those of the layers, from the map server, and of the base map. */
export function sourcesOf(shown: readonly ShownLayer[], known: ReadonlyMap<string, MapLayer>): string[] {
  const own = shown.map(({ name }) => known.get(name)?.attribution ?? '').filter((text) => text !== '');
  return [...new Set([...own, 'Natural Earth'])];
}
