/** A place on the earth in degrees: longitude, then latitude. */
export type Place = readonly [longitude: number, latitude: number];

/** The latitude up to which the map is drawn: where Web Mercator is a square. */
export const northmost = 85.051129;

/** The same longitude between -180 and 180. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
