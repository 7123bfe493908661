import type { MapLayer } from '#features/map/contract/map.ts';
import { type LinkedLayer, mostLinked } from '../view/view-link.ts';

/** A layer on the map; the first of a list is the topmost. */
export type ShownLayer = LinkedLayer;

export const shownAtFirst = (name: string): ShownLayer => ({ name, opacity: 100, time: null });

/** The layers that the map starts with: those of the link, or else those that are on at first. */
export function firstShown(layers: readonly MapLayer[], linked: readonly LinkedLayer[] | null): ShownLayer[] {
  if (linked !== null) return [...linked];
  return layers
    .filter(({ onAtFirst }) => onAtFirst)
    .slice(0, mostLinked)
    .map(({ name }) => shownAtFirst(name));
}

/** Adds a layer on top of the others, or removes it. */
export function toggled(shown: readonly ShownLayer[], name: string): ShownLayer[] {
  const rest = shown.filter((layer) => layer.name !== name);
  return rest.length < shown.length ? rest : [shownAtFirst(name), ...rest].slice(0, mostLinked);
}

export function changed(
  shown: readonly ShownLayer[],
  name: string,
  change: Partial<Omit<ShownLayer, 'name'>>,
): ShownLayer[] {
  return shown.map((layer) => (layer.name === name ? { ...layer, ...change } : layer));
}

/** The attributions of the map: those of the layers, from the map server, and of the base map. */
export function sourcesOf(shown: readonly ShownLayer[], known: ReadonlyMap<string, MapLayer>): string[] {
  const own = shown.map(({ name }) => known.get(name)?.attribution ?? '').filter((text) => text !== '');
  return [...new Set([...own, 'Natural Earth'])];
}

/**
 * A copy of the list with one entry moved. Places beyond the ends count as the ends.
 *
 * @param to the place of the entry afterwards
 */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const entry = list[from];
  if (entry === undefined) return [...list];
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(Math.max(0, Math.min(rest.length, to)), 0, entry);
}
