import LineString from 'ol/geom/LineString.js';
import OlPolygon from 'ol/geom/Polygon.js';
import { getArea, getLength } from 'ol/sphere.js';
import type { Place } from '../coordinates/place.ts';

export type MeasureKind = 'distance' | 'area';
/** In metres, or square metres, on the sphere. */
export type Measured = { kind: MeasureKind; value: number; points: number };

/** The length of the line between places, or the area that they enclose, along great circles. */
export function measure(kind: MeasureKind, places: readonly Place[]): Measured {
  const degrees = { projection: 'EPSG:4326' };
  const points = places.map((place) => [...place]);
  const value =
    kind === 'distance'
      ? getLength(new LineString(points), degrees)
      : points.length > 2
        ? getArea(new OlPolygon([points]), degrees)
        : 0;
  return { kind, value, points: points.length };
}
