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
import type { Palette } from '../base-map/palette.ts';
import type { MeasureKind } from '../measure/measured.ts';

/** What is drawn above all layers: what was found at a point, and what is being measured. */
export function createMarks(first: Palette) {
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
