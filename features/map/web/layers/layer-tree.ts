import { listMapLayers, type MapLayer, mapLayerList } from '#features/map/contract/map.ts';
import { routeQuery } from '#web/platform/calls/route-query.ts';

/** The common start of the query keys of layers. */
export const mapLayersKey = [mapLayerList.list] as const;

/** The layers that the person may see; loaded again when an operator changes them. */
export const mapLayersQuery = routeQuery([...mapLayersKey, 'visible'], listMapLayers, {});

export type LayerGroup = {
  title: string;
  path: string;
  groups: LayerGroup[];
  layers: MapLayer[];
  count: number;
};

type Language = keyof MapLayer['titles'];
type Named = Pick<MapLayer, 'name' | 'title' | 'titles' | 'groups'>;

/** A layer's title: from an operator in the person's language, or else from the map server. */
export function layerTitle({ titles, title, name }: Named, language: string): string {
  const own = titles[(language in titles ? language : 'en') as Language];
  return own !== '' ? own : title !== '' ? title : name;
}

/** The layers in the groups of the map server, in the order in which layers and groups first appear. */
export function layerTree(layers: readonly MapLayer[]): LayerGroup {
  const root: LayerGroup = { title: '', path: '', groups: [], layers: [], count: 0 };
  const byPath = new Map<string, LayerGroup>([['', root]]);
  for (const layer of layers) {
    let group = root;
    group.count += 1;
    for (const title of layer.groups) {
      const path = `${group.path}/${encodeURIComponent(title)}`;
      let next = byPath.get(path);
      if (next === undefined) {
        next = { title, path, groups: [], layers: [], count: 0 };
        byPath.set(path, next);
        group.groups.push(next);
      }
      next.count += 1;
      group = next;
    }
    group.layers.push(layer);
  }
  return root;
}

/** Without accents and in lower case, so that `genève` is found by `geneve`. */
export function plainText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The layers whose title, name, groups or description hold every word that is searched for. */
export function searchLayers(layers: readonly MapLayer[], typed: string, language: string): MapLayer[] {
  return matching(layers, typed, (layer) => [layerTitle(layer, language), layer.title, layer.abstract]);
}

/** As `searchLayers`, for operators: it searches all titles of a layer. */
export function searchManaged<Layer extends Named>(layers: readonly Layer[], typed: string): Layer[] {
  return matching(layers, typed, ({ title, titles }) => [title, ...Object.values(titles)]);
}

function matching<Layer extends Named>(
  layers: readonly Layer[],
  typed: string,
  textsOf: (layer: Layer) => readonly string[],
): Layer[] {
  const words = plainText(typed)
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return [...layers];
  return layers.filter((layer) => {
    const text = plainText([layer.name, ...layer.groups, ...textsOf(layer)].join('\n'));
    return words.every((word) => text.includes(word));
  });
}
