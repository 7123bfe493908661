import Feature from 'ol/Feature.js';
import MultiLineString from 'ol/geom/MultiLineString.js';
import MultiPolygon from 'ol/geom/MultiPolygon.js';
import OlPoint from 'ol/geom/Point.js';
import type OlPolygon from 'ol/geom/Polygon.js';
import { fromLonLat } from 'ol/proj.js';
import VectorSource from 'ol/source/Vector.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import { containsExtent } from 'ol/extent.js';
import VectorImageLayer from 'ol/layer/VectorImage.js';
import type { FrameState } from 'ol/Map.js';
import CanvasVectorImageLayerRenderer from 'ol/renderer/canvas/VectorImageLayer.js';
import { cutLine, cutPolygon, seas } from './cut.ts';
import { countryName, readArcs, readCountries, type Point, type Topology } from './topology.ts';

/** The colours of the base map. The web's palette has none for land and water; a canvas cannot read variables. */
export type Palette = Readonly<
  Record<'water' | 'land' | 'border' | 'country' | 'sea' | 'halo' | 'mark' | 'markFill', string>
>;

export const palettes: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    water: '#dbe6ea',
    land: '#f6f3ec',
    border: '#b9b2a5',
    country: '#4a4f52',
    sea: '#3f6675',
    halo: 'rgb(250 249 246 / 0.85)',
    mark: '#a8201a',
    markFill: 'rgb(168 32 26 / 0.1)',
  },
  dark: {
    water: '#10191d',
    land: '#23292c',
    border: '#47525a',
    country: '#c3c8c9',
    sea: '#7fa3b1',
    halo: 'rgb(14 17 19 / 0.85)',
    mark: '#ff9d94',
    markFill: 'rgb(255 157 148 / 0.12)',
  },
};

/** `font` is a list of font families, as in a style sheet. */
type Look = { palette: Palette; language: string; font: string };

export type BaseMap = {
  /** Land, coasts and borders, below the layers of the map server. */
  ground: MovingImageLayer;
  /** Names of countries and seas, above the layers of the map server. */
  names: MovingImageLayer;
  /** Draws another topology in place of the present one. */
  show(topology: Topology): void;
  setLook(look: Look): void;
  /** The name of the country at a point of the map; '' at sea. */
  countryAt(at: [number, number]): string;
};

/** Size of the picture relative to the map: half a map is drawn in advance on each side. */
const imageRatio = 2;
const projected = (points: readonly Point[]) => points.map((point) => fromLonLat(point));
const isSeaLanguage = (language: string): language is 'en' | 'de' | 'fr' =>
  ['en', 'de', 'fr'].includes(language);
/** Approximate width of a letter of a name, pixels. */
const letterWidth = 6.5;

/** Land, coasts and borders, and the names of countries and seas. */
export function createBaseMap(first: Look): BaseMap {
  let look = first;
  // Neighbouring countries share their borders, so no shape overlaps another.
  const ground = new VectorSource({ overlaps: false });
  const names = new VectorSource();

  const groundLayer = new MovingImageLayer({
    source: ground,
    imageRatio,
    style: (feature) => (feature.get('own') === undefined ? lineStyle : landStyle),
  });
  const nameLayer = new MovingImageLayer({
    imageRatio,
    source: names,
    declutter: true,
    renderBuffer: 200,
    renderOrder: (a, b) => Number(b.get('size')) - Number(a.get('size')),
    style: (feature, resolution) => nameStyle(feature.getProperties(), resolution),
  });
  let landStyle = new Style();
  let lineStyle = new Style();
  let countryText = new Text();
  let seaText = new Text();

  function nameStyle(properties: Record<string, unknown>, resolution: number): Style | undefined {
    const { name, size, from } = properties as { name: string; size: number; from: number | undefined };
    if (from !== undefined) {
      if (resolution > resolutionAt(from)) return undefined;
      seaText.setText(name);
      return new Style({ text: seaText.clone() });
    }
    if (size / resolution < name.length * letterWidth * 0.7) return undefined;
    countryText.setText(name);
    return new Style({ text: countryText.clone() });
  }

  function setLook(next: Look): void {
    const { palette, language, font } = next;
    look = next;
    landStyle = new Style({ fill: new Fill({ color: palette.land }) });
    lineStyle = new Style({ stroke: new Stroke({ color: palette.border, width: 0.8 }) });
    const stroke = new Stroke({ color: palette.halo, width: 3 });
    countryText = new Text({
      font: `600 12px ${font}`,
      fill: new Fill({ color: palette.country }),
      stroke,
      overflow: true,
    });
    seaText = new Text({
      font: `italic 12px ${font}`,
      fill: new Fill({ color: palette.sea }),
      overflow: true,
    });
    for (const feature of names.getFeatures()) feature.set('name', nameOf(feature, language), true);
    for (const layer of [groundLayer, nameLayer]) layer.changed();
  }

  function nameOf(feature: Feature, language: string): string {
    const sea = feature.get('sea') as (typeof seas)[number] | undefined;
    if (sea !== undefined) return sea[isSeaLanguage(language) ? language : 'en'];
    return countryName(feature.get('country') as string | null, feature.get('own') as string, language);
  }

  function show(topology: Topology): void {
    const countries = readCountries(topology);
    const shapes = countries.map(({ id, name, polygons }) => {
      const parts = polygons.flatMap(cutPolygon).map((polygon) => polygon.map(projected));
      return { id, name, geometry: new MultiPolygon(parts) };
    });
    const parts = readArcs(topology).flatMap(cutLine).map(projected);
    ground.clear(true);
    ground.addFeatures([
      ...shapes.map(({ id, name, geometry }) => new Feature({ geometry, country: id, own: name })),
      ...parts.map((part) => new Feature(new MultiLineString([part]))),
    ]);
    names.clear(true);
    names.addFeatures([...shapes.flatMap(countryLabel), ...seas.map(seaLabel)]);
    setLook(look);
  }

  setLook(first);
  return {
    ground: groundLayer,
    names: nameLayer,
    show,
    setLook,
    countryAt(at) {
      const found = ground.getFeaturesAtCoordinate(at).find((feature) => feature.get('own') !== undefined);
      return found === undefined ? '' : nameOf(found, look.language);
    },
  };
}

/** The resolution of a zoom, in metres of the map a pixel. */
const resolutionAt = (zoom: number) => 156_543.033_928 / 2 ** zoom;

type Shape = { id: string | null; name: string; geometry: MultiPolygon };

/** The label of a country, in its largest part. */
function countryLabel({ id, name, geometry }: Shape): Feature[] {
  const largest = geometry.getPolygons().toSorted((a, b) => b.getArea() - a.getArea())[0];
  if (largest === undefined) return [];
  const point = new OlPoint(middleOf(largest));
  return [new Feature({ geometry: point, country: id, own: name, size: Math.sqrt(largest.getArea()) })];
}

function middleOf(polygon: OlPolygon): number[] {
  return polygon.getInteriorPoint().getCoordinates().slice(0, 2);
}

function seaLabel(sea: (typeof seas)[number]): Feature {
  return new Feature({ geometry: new OlPoint(fromLonLat([...sea.at])), sea, from: sea.from, size: 0 });
}

/**
 * A layer whose shapes are drawn as a picture that is larger than the map. While the map is dragged or zoomed, the
 * picture only moves, since drawing takes longer than a frame; it is redrawn only once the map reaches its edge.
 */
class MovingImageLayer extends VectorImageLayer {
  override createRenderer() {
    return new MovingImageRenderer(this);
  }
}

/** View hints of a map that is neither animated nor dragged. */
const atRest = [0, 0];

class MovingImageRenderer extends CanvasVectorImageLayerRenderer {
  override prepareFrame(frame: FrameState): boolean {
    const drawn = this.image?.getExtent() ?? null;
    const isCovered = drawn !== null && frame.extent !== null && containsExtent(drawn, frame.extent);
    return super.prepareFrame(isCovered ? frame : { ...frame, viewHints: atRest });
  }
}
