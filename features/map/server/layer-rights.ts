import type { LayerAccess } from '#features/map/contract/manage.ts';
import type { Capabilities, ListedLayer } from './capabilities/read-capabilities.ts';

/**
 * The operators' rules for who may see which layers. Names are in lower case: some map servers ignore case.
 */
export type LayerRules = {
  /** By name. */
  layers: ReadonlyMap<string, { access: LayerAccess; right: string | null }>;
  /** By name; the empty name is for all layers. */
  workspaces: ReadonlyMap<string, { access: LayerAccess; right: string | null }>;
};

/** The part of a layer's name before the colon; empty where it has none. */
export function workspaceOf(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? '' : name.slice(0, colon);
}

/** The right that a layer needs, by its own rule or that of its workspace or of all layers. Null: none. */
export function rightOfLayer(name: string, { layers, workspaces }: LayerRules): string | null {
  const key = name.toLowerCase();
  const deciding = [layers.get(key), workspaces.get(workspaceOf(key)), workspaces.get('')].find(
    (rule) => rule !== undefined && rule.access !== 'inherited',
  );
  return deciding?.right ?? null;
}

export type LayerRights = {
  /**
   * All the rights that a request for a layer needs; null where the map server lists no such layer.
   *
   * @param asked as the request names it
   * @param workspace of the path, or null
   */
  rightsFor(asked: string, workspace: string | null): ReadonlySet<string> | null;
  /**
   * The name of a dimension of one of these layers, as the map server declares it; null: none of them has it.
   *
   * @param asked the layers as the request names them; left out: all layers
   */
  dimensionOf(name: string, asked?: readonly string[], workspace?: string | null): string | null;
  /** Whether the map server has a workspace with exactly this name. */
  hasWorkspace(name: string): boolean;
  /** Whether a holder of these rights sees a layer, for the filter of capabilities. */
  visible(asked: string, workspace: string | null, holds: ReadonlySet<string>): 'whole' | 'parts' | 'none';
};

/**
 * The rights that each layer needs. A group needs the rights of all layers that are drawn with it. Map servers
 * find layers in any case (MapServer) and without their workspace (GeoServer), so a name stands for every layer
 * that a map server could mean, and needs the rights of all these layers.
 */
export function createLayerRights(listed: readonly ListedLayer[], rules: LayerRules): LayerRights {
  const byName = new Map<string, ListedLayer[]>();
  const byLocalName = new Map<string, ListedLayer[]>();
  // In their own case: GeoServer treats a path with an unknown workspace as the path of all layers.
  const workspaces = new Set(listed.map(({ name }) => workspaceOf(name)).filter((name) => name !== ''));
  for (const layer of listed) {
    const name = layer.name.toLowerCase();
    add(byName, name, layer);
    add(byLocalName, name.slice(name.indexOf(':') + 1), layer);
  }
  const known = new Map<ListedLayer, ReadonlySet<string>>();

  function rightsOf(layer: ListedLayer): ReadonlySet<string> {
    let rights = known.get(layer);
    if (rights === undefined) {
      const all = [layer.name, ...layer.holds].map((name) => rightOfLayer(name, rules));
      rights = new Set(all.filter((right) => right !== null));
      known.set(layer, rights);
    }
    return rights;
  }

  /** Every layer that the map server could mean. */
  function meant(asked: string, workspace: string | null): ListedLayer[] {
    const name = asked.toLowerCase();
    const colon = name.indexOf(':');
    const local = name.slice(colon + 1);
    if (workspace === null) {
      if (colon < 0) return byLocalName.get(name) ?? [];
      // MapServer's WFS puts a prefix before names that have none.
      return byName.get(name) ?? byName.get(local) ?? [];
    }
    if (!workspaces.has(workspace)) return [];
    const folder = workspace.toLowerCase();
    if (colon >= 0 && name.slice(0, colon) !== folder) return [];
    return [...(byName.get(`${folder}:${local}`) ?? []), ...(byName.get(local) ?? [])];
  }

  return {
    dimensionOf(name, asked, workspace = null) {
      const layers = asked?.flatMap((each) => meant(each, workspace)) ?? listed;
      const parts = layers.flatMap((layer) => [layer, ...layer.holds.flatMap((each) => meant(each, null))]);
      const wanted = name.toLowerCase();
      const all = parts.flatMap(({ dimensions }) => dimensions);
      return all.find((dimension) => dimension.toLowerCase() === wanted) ?? null;
    },
    hasWorkspace: (name) => workspaces.has(name),
    rightsFor(asked, workspace) {
      const layers = meant(asked, workspace);
      if (layers.length === 0) return null;
      if (layers.length === 1) return rightsOf(layers[0] as ListedLayer);
      return new Set(layers.flatMap((layer) => [...rightsOf(layer)]));
    },
    visible(asked, workspace, holds) {
      const layers = meant(asked, workspace);
      if (layers.length === 0) return 'none';
      if (layers.every((layer) => isSubset(rightsOf(layer), holds))) return 'whole';
      const inside = layers.flatMap((layer) => layer.holds);
      return inside.some((name) => layersSeen(name, holds)) ? 'parts' : 'none';
    },
  };

  function layersSeen(name: string, holds: ReadonlySet<string>): boolean {
    const right = rightOfLayer(name, rules);
    return right === null || holds.has(right);
  }
}

function add(map: Map<string, ListedLayer[]>, key: string, layer: ListedLayer): void {
  const there = map.get(key);
  if (there === undefined) map.set(key, [layer]);
  else there.push(layer);
}

function isSubset(rights: ReadonlySet<string>, holds: ReadonlySet<string>): boolean {
  for (const right of rights) if (!holds.has(right)) return false;
  return true;
}

/**
 * The listed layers of all services in one list. WMS describes layers best; other services add what WMS lacks. A
 * layer that another service lists with a prefix that WMS does not use (MapServer's WFS) is the same layer.
 */
export function mergeListed(wms: Capabilities | null, others: readonly Capabilities[]): ListedLayer[] {
  const merged = [...(wms?.layers ?? [])];
  const places = new Map(merged.map(({ name }, place) => [name.toLowerCase(), place]));
  for (const layer of others.flatMap(({ layers }) => layers)) {
    const name = layer.name.toLowerCase();
    const place = places.get(name) ?? places.get(name.slice(name.indexOf(':') + 1));
    const same = place === undefined ? undefined : merged[place];
    if (place === undefined || same === undefined) places.set(name, merged.push(layer) - 1);
    else if (layer.dimensions.length > 0)
      merged[place] = { ...same, dimensions: [...same.dimensions, ...layer.dimensions] };
  }
  return merged;
}
