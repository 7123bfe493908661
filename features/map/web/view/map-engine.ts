import type { MapLayer } from '#features/map/contract/map.ts';
import DoubleClickZoom from 'ol/interaction/DoubleClickZoom.js';
import { defaults as interactions } from 'ol/interaction/defaults.js';
import OlMap from 'ol/Map.js';
import { fromLonLat, getPointResolution, toLonLat, transformExtent } from 'ol/proj.js';
import OlView from 'ol/View.js';
import { createBaseMap, palettes, type Palette } from '../base-map/base-layers.ts';
import { fineFrom, loadTopology } from '../base-map/topology.ts';
import { northmost, type Place } from '../coordinates/place.ts';
import type { MapFetch } from '../layers/map-fetch.ts';
import { createServerLayer, type LayerState, type ServerLayer } from '../layers/server-layer.ts';
import type { ShownLayer } from '../layers/shown-layers.ts';
import { type Caption, takePicture } from './picture.ts';
import { type LinkedView, mostLinked, zoomRange } from './view-link.ts';
import Feature from 'ol/Feature.js';
import GeoJSON from 'ol/format/GeoJSON.js';
import LineString from 'ol/geom/LineString.js';
import OlPoint from 'ol/geom/Point.js';
import OlPolygon from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import type { MeasureKind } from '../measure/lengths.ts';

/** The present view of the map. `ground` is the metres on the ground for a pixel in the middle. */
export type MapPosition = LinkedView & { ground: number; resolution: number; country: string };

type Look = { scheme: 'light' | 'dark'; language: string };

type EngineDependencies = {
  /** The address that pictures are requested from. */
  url: string;
  mapFetch: MapFetch;
  view: LinkedView | null;
  look: Look;
  onMoved: (position: MapPosition) => void;
  onPointer: (place: Place | null) => void;
  onPressed: (place: Place) => void;
  onLayerState: (name: string, state: LayerState) => void;
  onBaseMapFailed: (error: unknown) => void;
};

export type MapEngine = ReturnType<typeof createMapEngine>;

const wholeWorld: LinkedView = { center: [10, 25], zoom: 1.6 };
const animation = 150;

/** The map in an element. It knows OpenLayers, and nothing of React. */
export function createMapEngine(target: HTMLElement, dependencies: EngineDependencies) {
  let { look } = dependencies;
  const ends = new AbortController();
  const font = fontOf(target);
  const baseLook = () => ({ palette: palettes[look.scheme], language: look.language, font });
  const base = createBaseMap(baseLook());
  const marks = createMarks(palettes[look.scheme]);
  const serverLayers = new Map<string, ServerLayer>();
  const first = dependencies.view ?? wholeWorld;
  const view = new OlView({
    center: fromLonLat([...first.center]),
    zoom: first.zoom,
    minZoom: zoomRange.least,
    maxZoom: zoomRange.most,
    enableRotation: false,
  });
  // Layers of the map server are between ground and names: their z-index starts at 0, the topmost last.
  base.ground.setZIndex(-1);
  for (const layer of [base.names, ...marks.layers]) layer.setZIndex(mostLinked);
  const map = new OlMap({
    target,
    controls: [],
    // Otherwise, as a focusable element, the map could be dragged and zoomed by the wheel only with the focus.
    interactions: interactions({ onFocusOnly: false, altShiftDragRotate: false, pinchRotate: false }),
    view,
    layers: [base.ground, base.names, ...marks.layers],
  });

  let shownTopology: 'none' | 'coarse' | 'fine' = 'none';
  async function showTopology(which: 'coarse' | 'fine'): Promise<void> {
    try {
      const topology = await loadTopology(which, ends.signal);
      if (ends.signal.aborted || shownTopology === 'fine') return;
      base.show(topology);
      shownTopology = which;
      report();
    } catch (error) {
      if (!ends.signal.aborted) dependencies.onBaseMapFailed(error);
    }
  }
  let wantsFine = false;
  function refine(): void {
    if (wantsFine || (view.getZoom() ?? 0) < fineFrom) return;
    wantsFine = true;
    void showTopology('fine');
  }

  function position(): MapPosition {
    const center = view.getCenter() ?? [0, 0];
    const resolution = view.getResolution() ?? 1;
    return {
      center: toLonLat(center) as [number, number],
      zoom: view.getZoom() ?? 0,
      ground: getPointResolution('EPSG:3857', resolution, center),
      resolution,
      country: base.countryAt(center as [number, number]),
    };
  }
  function report(): void {
    if (!ends.signal.aborted) dependencies.onMoved(position());
  }

  map.on('moveend', () => {
    refine();
    report();
  });
  map.on('pointermove', (event) => {
    if (!event.dragging) dependencies.onPointer(toLonLat(event.coordinate) as [number, number]);
  });
  // The first press of two is not reported, since two zoom; while points are set, each press is reported.
  let isEachPress = false;
  for (const kind of ['singleclick', 'click'] as const) {
    map.on(kind, ({ coordinate }) => {
      if ((kind === 'click') === isEachPress)
        dependencies.onPressed(toLonLat(coordinate) as [number, number]);
    });
  }
  target.addEventListener('pointerleave', () => dependencies.onPointer(null), { signal: ends.signal });
  // The map must be focusable to receive keys.
  target.tabIndex = 0;
  target.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || event.target !== target) return;
      event.preventDefault();
      dependencies.onPressed(position().center);
    },
    { signal: ends.signal },
  );
  void showTopology('coarse').then(refine);
  // Text that was drawn before a font had loaded is drawn again.
  document.fonts.addEventListener('loadingdone', () => base.setLook(baseLook()), { signal: ends.signal });

  function setLayers(shown: readonly ShownLayer[], known: ReadonlyMap<string, MapLayer>): void {
    const wanted = shown.filter(({ name }) => known.has(name));
    for (const [name, own] of serverLayers) {
      if (wanted.some((layer) => layer.name === name)) continue;
      own.remove();
      map.removeLayer(own.layer);
      serverLayers.delete(name);
    }
    for (const [index, layer] of wanted.toReversed().entries()) {
      const description = known.get(layer.name);
      if (description === undefined) continue;
      let own = serverLayers.get(layer.name);
      if (own === undefined) {
        own = createServerLayer(description, layer, {
          ...dependencies,
          onState: (state) => dependencies.onLayerState(layer.name, state),
        });
        serverLayers.set(layer.name, own);
        map.addLayer(own.layer);
      } else own.update(layer);
      own.layer.setZIndex(index);
    }
  }

  function goTo({ center, zoom }: LinkedView): void {
    view.cancelAnimations();
    view.animate({ center: fromLonLat([...center]), zoom, duration: duration() });
  }

  return {
    focus: () => target.focus({ preventScroll: true }),
    setLayers,
    goTo,
    position,
    showWorld: () => goTo(wholeWorld),
    zoomBy: (steps: number) => view.animate({ zoom: (view.getZoom() ?? 0) + steps, duration: duration() }),
    /** @param bounds west, south, east, north in degrees */
    fit([west, south, east, north]: readonly [number, number, number, number]): void {
      const inside = [west, Math.max(-northmost, south), east, Math.min(northmost, north)];
      const extent = transformExtent(inside, 'EPSG:4326', 'EPSG:3857');
      view.fit(extent, { padding: [40, 40, 40, 40], maxZoom: 16, duration: duration() });
    },
    retry: (name: string) => serverLayers.get(name)?.retry(),
    infoUrl: (name: string, [longitude, latitude]: Place, format: string) =>
      serverLayers.get(name)?.infoUrl(fromLonLat([longitude, latitude]), view.getResolution() ?? 1, format) ??
      null,
    highlight: (place: Place | null, geometry: object | null) =>
      marks.highlight(place === null ? null : fromLonLat([...place]), geometry),
    /** Reports each press at once: two in a row do not zoom. */
    takeEachPress(each: boolean): void {
      isEachPress = each;
      for (const own of map.getInteractions().getArray())
        if (own instanceof DoubleClickZoom) own.setActive(!each);
    },
    /** Draws what is measured: points, and between them a line or an area. */
    showMeasured: (kind: MeasureKind, places: readonly Place[]) =>
      marks.showMeasured(
        kind,
        places.map((place) => fromLonLat([...place])),
      ),
    setLook(next: Look): void {
      look = next;
      base.setLook(baseLook());
      marks.setPalette(palettes[look.scheme]);
      report();
    },
    picture: (caption: Caption) =>
      takePicture(map, caption, {
        background: palettes[look.scheme].water,
        paper: look.scheme === 'dark' ? '#1a1e21' : '#ffffff',
        ink: look.scheme === 'dark' ? '#e9e7e2' : '#1c1f21',
        font,
      }),
    end(): void {
      ends.abort();
      for (const own of serverLayers.values()) own.remove();
      map.setTarget(undefined);
      map.dispose();
    },
  };
}

/** The families of the page's font: a canvas cannot read variables. */
function fontOf(element: HTMLElement): string {
  const families = getComputedStyle(element).getPropertyValue('--text-font').replaceAll(/\s+/g, ' ').trim();
  return families === '' ? 'sans-serif' : families;
}

/** No animation for people who prefer reduced motion. */
function duration(): number {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : animation;
}

/** The marks above all layers: the feature found at a point, and the present measurement. */
function createMarks(first: Palette) {
  const found = new VectorSource();
  const measured = new VectorSource();
  const layers = [found, measured].map((source) => new VectorLayer({ source, style: styleOf(first) }));
  const format = new GeoJSON();
  return {
    layers,
    setPalette(palette: Palette): void {
      for (const layer of layers) layer.setStyle(styleOf(palette));
    },
    /** @param geometry GeoJSON in the map's projection; null: the point alone */
    highlight(at: number[] | null, geometry: object | null): void {
      found.clear(true);
      const shape = geometry === null ? null : readShape(format, geometry);
      if (shape !== null) found.addFeature(new Feature(shape));
      else if (at !== null) found.addFeature(new Feature(new OlPoint(at)));
      found.changed();
    },
    showMeasured(kind: MeasureKind, points: number[][]): void {
      measured.clear(true);
      const isArea = kind === 'area' && points.length > 2;
      if (points.length > 1)
        measured.addFeature(new Feature(isArea ? new OlPolygon([points]) : new LineString(points)));
      measured.addFeatures(points.map((point) => new Feature(new OlPoint(point))));
      measured.changed();
    },
  };
}

function readShape(format: GeoJSON, geometry: object) {
  try {
    return format.readGeometry(geometry);
  } catch {
    return null;
  }
}

function styleOf({ mark, markFill, halo }: Palette): Style[] {
  const fill = new Fill({ color: markFill });
  return [
    new Style({ stroke: new Stroke({ color: halo, width: 5 }) }),
    new Style({
      fill,
      stroke: new Stroke({ color: mark, width: 2.5 }),
      image: new CircleStyle({
        radius: 5,
        fill: new Fill({ color: mark }),
        stroke: new Stroke({ color: halo, width: 2 }),
      }),
    }),
  ];
}
