import type { MapLayer } from '#features/map/contract/map.ts';
import type ImageTile from 'ol/ImageTile.js';
import TileLayer from 'ol/layer/Tile.js';
import { transformExtent } from 'ol/proj.js';
import TileWMS from 'ol/source/TileWMS.js';
import { createXYZ } from 'ol/tilegrid.js';
import TileGrid from 'ol/tilegrid/TileGrid.js';
import TileState from 'ol/TileState.js';
import { northmost } from '../coordinates/place.ts';
import { type MapFetch, MapProblem } from './map-fetch.ts';
import type { ShownLayer } from './shown-layers.ts';

export type LayerState = { loading: boolean; problem: MapProblem | null };

export type ServerLayer = {
  readonly layer: TileLayer<TileWMS>;
  update(shown: ShownLayer): void;
  /** Loads the layer's pictures again. */
  retry(): void;
  /** The address that asks what is at a point of the map; null outside of the layer's tiles. */
  infoUrl(at: number[], resolution: number, format: string): string | null;
  remove(): void;
};

type LayerDependencies = { url: string; mapFetch: MapFetch; onState: (state: LayerState) => void };

/** Metres of a pixel by which scale denominators are defined (OGC). */
const pixelSize = 0.000_28;

/** Size of a tile, pixels. Tiles are large, since the map server draws each tile separately. */
const tileSize = 512;
const world = createXYZ({ tileSize, maxZoom: 22 });
/** Pixels by which a tile is drawn beyond its edges, so that symbols on an edge are whole. */
const gutter = 32;

/** One layer of the map server, in tiles that are loaded with the cookie and report why they fail. */
export function createServerLayer(
  known: MapLayer,
  shown: ShownLayer,
  { url, mapFetch, onState }: LayerDependencies,
): ServerLayer {
  const ends = new AbortController();
  let pending = 0;
  let problem: MapProblem | null = null;
  let time = timeOf(shown).TIME;

  const source = new TileWMS({
    url,
    params: { LAYERS: known.name, STYLES: '', FORMAT: 'image/png', TRANSPARENT: 'true', ...timeOf(shown) },
    serverType: 'geoserver',
    tileGrid: tilesOf(known.bounds),
    gutter,
    transition: 150,
    tileLoadFunction: (tile, address) => void load(tile as ImageTile, address),
  });
  const layer = new TileLayer({
    // A canvas apart from the base map's, which dark mode does not dim.
    className: 'ol-layer map-server',
    source,
    opacity: shown.opacity / 100,
    ...(known.scale.least === null ? {} : { minResolution: known.scale.least * pixelSize }),
    ...(known.scale.most === null ? {} : { maxResolution: known.scale.most * pixelSize }),
  });

  async function load(tile: ImageTile, address: string): Promise<void> {
    // A problem is cleared when new pictures begin to load after all earlier ones have ended.
    if (pending === 0) problem = null;
    pending += 1;
    if (pending === 1) onState({ loading: true, problem });
    try {
      const answer = await mapFetch.get(address, ends.signal, 'low');
      const picture = await answer.blob();
      if (!picture.type.startsWith('image/')) throw new MapProblem('server');
      showPicture(tile.getImage() as HTMLImageElement, picture);
    } catch (error) {
      if (!ends.signal.aborted) problem = error instanceof MapProblem ? error : new MapProblem('none');
      tile.setState(TileState.ERROR);
    } finally {
      pending -= 1;
      if (!ends.signal.aborted && pending === 0) onState({ loading: false, problem });
    }
  }

  return {
    layer,
    update(next) {
      layer.setOpacity(next.opacity / 100);
      const { TIME } = timeOf(next);
      if (TIME === time) return;
      time = TIME;
      source.updateParams({ TIME });
    },
    retry() {
      problem = null;
      source.refresh();
    },
    infoUrl: (at, resolution, format) =>
      source.getFeatureInfoUrl(at, resolution, 'EPSG:3857', { INFO_FORMAT: format, FEATURE_COUNT: 20 }) ??
      null,
    remove: () => ends.abort(),
  };
}

function showPicture(image: HTMLImageElement, picture: Blob): void {
  const address = URL.createObjectURL(picture);
  const forget = () => URL.revokeObjectURL(address);
  image.addEventListener('load', forget, { once: true });
  image.addEventListener('error', forget, { once: true });
  image.src = address;
}

const timeOf = ({ time }: ShownLayer): { TIME?: string } => (time === null ? {} : { TIME: time });

/** The tiles that a layer's bounds touch. Symbols may reach beyond the bounds, so tiles are not cut there. */
function tilesOf(bounds: MapLayer['bounds']): TileGrid {
  const extent = extentOf(bounds);
  if (extent === null) return world;
  return new TileGrid({
    extent,
    origin: world.getOrigin(0),
    resolutions: world.getResolutions(),
    tileSize,
  });
}

function extentOf(bounds: MapLayer['bounds']): number[] | null {
  if (bounds === null) return null;
  const [west, south, east, north] = bounds;
  // Bounds over the antimeridian, or wrong bounds, are no limit.
  if (west >= east || south >= north) return null;
  const inside = [
    Math.max(-180, west),
    Math.max(-northmost, south),
    Math.min(180, east),
    Math.min(northmost, north),
  ];
  return transformExtent(inside, 'EPSG:4326', 'EPSG:3857');
}
