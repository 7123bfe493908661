import LineString from 'ol/geom/LineString.js';
import OlPolygon from 'ol/geom/Polygon.js';
import { getArea, getLength } from 'ol/sphere.js';
import type { Place } from '../coordinates/place.ts';

export type MeasureKind = 'distance' | 'area';
/** A measurement on the sphere: `value` is in metres or square metres. */
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

/** Writes lengths and areas in metric units, with three figures or whole numbers. */
export function createMeasures(locale: string) {
  const write = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit,
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  const number = (value: number) =>
    new Intl.NumberFormat(locale, {
      maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0,
    }).format(value);
  return {
    /** @param metres of a line */
    length: (metres: number) => (metres < 1000 ? write(metres, 'meter') : write(metres / 1000, 'kilometer')),
    /** @param squareMetres of an area */
    area(squareMetres: number): string {
      if (squareMetres < 10_000) return `${number(squareMetres)} m²`;
      if (squareMetres < 1_000_000) return `${number(squareMetres / 10_000)} ha`;
      return `${number(squareMetres / 1_000_000)} km²`;
    },
  };
}
