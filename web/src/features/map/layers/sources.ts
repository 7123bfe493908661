import type { MapLayer } from '@portico/contract/map';
import type { ShownLayer } from './shown-layers.ts';

/** Whose data is on the map: that of the layers, as the map server says, and of the base map. */
export function sourcesOf(shown: readonly ShownLayer[], known: ReadonlyMap<string, MapLayer>): string[] {
  const own = shown.map(({ name }) => known.get(name)?.attribution ?? '').filter((text) => text !== '');
  return [...new Set([...own, 'Natural Earth'])];
}
