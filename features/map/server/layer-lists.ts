import type { MapLayer } from '#features/map/contract/map.ts';
import type { ManagedLayer, WorkspaceAccess } from '#features/map/contract/manage.ts';
import type { ListedLayer } from './capabilities/read-capabilities.ts';
import { rightOfLayer, workspaceOf, type LayerRights, type LayerRules } from './layer-rights.ts';
import type { StoredLayer, StoredWorkspace } from './map.store.ts';

const noTitles = { en: '', de: '', fr: '' };

/** The layers that can be drawn one by one and that the person may see; groups are their headings. */
export function shownLayers(
  listed: readonly ListedLayer[],
  by: {
    stored: ReadonlyMap<string, StoredLayer>;
    order: readonly string[];
    rights: LayerRights;
    holds: ReadonlySet<string>;
  },
): MapLayer[] {
  const shown = listed.filter(
    ({ isGroup, isDrawn, name }) =>
      !isGroup && isDrawn && by.rights.visible(name, null, by.holds) === 'whole',
  );
  return ordered(shown, by.order).map(
    ({ holds: _holds, isGroup: _isGroup, isDrawn: _isDrawn, dimensions: _dimensions, ...layer }) => {
      const decided = by.stored.get(layer.name.toLowerCase());
      return { ...layer, titles: decided?.titles ?? noTitles, onAtFirst: decided?.onAtFirst ?? false };
    },
  );
}

/** Those that are named, in that order; then the others as they come. */
function ordered<T extends { name: string }>(layers: readonly T[], names: readonly string[]): T[] {
  const places = new Map(names.map((name, place) => [name.toLowerCase(), place]));
  const placeOf = ({ name }: T): number => places.get(name.toLowerCase()) ?? names.length;
  return layers.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Every layer of the map server, then those that were decided about and are gone. */
export function allLayers(
  listed: readonly ListedLayer[],
  by: { stored: ReadonlyMap<string, StoredLayer>; rules: LayerRules; order: readonly string[] },
): ManagedLayer[] {
  const there = new Set(listed.map(({ name }) => name.toLowerCase()));
  const present = ordered(listed, by.order).map((layer) =>
    managedFrom(layer, by.stored.get(layer.name.toLowerCase()) ?? null, by.rules, layer.name),
  );
  const gone = [...by.stored.entries()]
    .filter(([key]) => !there.has(key))
    .map(([, stored]) => managedFrom(null, stored, by.rules, stored.name));
  return [...present, ...gone];
}

export function managedFrom(
  listed: ListedLayer | null,
  stored: StoredLayer | null,
  rules: LayerRules,
  asked: string,
): ManagedLayer {
  const name = listed?.name ?? stored?.name ?? asked;
  return {
    name,
    title: listed?.title ?? '',
    groups: listed?.groups ?? [],
    workspace: workspaceOf(name),
    listed: listed !== null,
    holds: listed?.holds ?? [],
    access: stored?.access ?? 'inherited',
    right: stored?.right ?? null,
    guardedBy: rightOfLayer(name, rules),
    onAtFirst: stored?.onAtFirst ?? false,
    titles: stored?.titles ?? noTitles,
    version: stored?.version ?? null,
  };
}

/**
 * All layers first, then the workspaces by name: those of the map server, and those that were decided about.
 */
export function workspacesFrom(
  listed: readonly ListedLayer[],
  stored: ReadonlyMap<string, StoredWorkspace>,
): WorkspaceAccess[] {
  const counts = new Map<string, { name: string; layers: number }>();
  const count = (name: string, layers: number): void => {
    const key = name.toLowerCase();
    counts.set(key, { name: counts.get(key)?.name ?? name, layers: (counts.get(key)?.layers ?? 0) + layers });
  };
  count('', listed.length);
  for (const { name } of listed) if (workspaceOf(name) !== '') count(workspaceOf(name), 1);
  for (const { name } of stored.values()) count(name, 0);
  return [...counts.values()]
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ name, layers }) => {
      const decided = stored.get(name.toLowerCase());
      return {
        name,
        layers,
        access: decided?.access ?? 'inherited',
        right: decided?.right ?? null,
        version: decided?.version ?? null,
      };
    });
}
