import type { Place } from './place.ts';

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
