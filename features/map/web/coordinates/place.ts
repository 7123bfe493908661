/** A place on the earth in degrees: longitude, then latitude. */
export type Place = readonly [longitude: number, latitude: number];

/** The latitude up to which the map is drawn: where Web Mercator is a square. */
export const northmost = 85.051129;

/** The same longitude between -180 and 180. */
export function wrapped(longitude: number): number {
  if (longitude >= -180 && longitude <= 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}

const radius = 6_378_137;

/** Metres of Web Mercator (EPSG:3857) for a place. */
export function toMercator([longitude, latitude]: Place): [number, number] {
  const y = radius * Math.log(Math.tan(((90 + latitude) * Math.PI) / 360));
  return [(radius * longitude * Math.PI) / 180, y];
}

/** The place at metres of Web Mercator. */
export function fromMercator([x, y]: readonly [number, number]): Place {
  return [(x / radius / Math.PI) * 180, (Math.atan(Math.exp(y / radius)) * 360) / Math.PI - 90];
}
