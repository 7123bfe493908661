import type { Place } from './place.ts';

/*
 * Universal Transverse Mercator on WGS 84, by Krüger's series to the third order: exact to a millimetre
 * within a zone (C. F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", 2011).
 */

export type Utm = { zone: number; band: string; easting: number; northing: number };

const bands = 'CDEFGHJKLMNPQRSTUVWX';
const n = 1 / 298.257223563 / (2 - 1 / 298.257223563);
const rectifyingRadius = (6_378_137 / (1 + n)) * (1 + n ** 2 / 4 + n ** 4 / 64);
const scale = 0.9996;
const falseEasting = 500_000;
const falseNorthing = 10_000_000;
const alpha = [
  n / 2 - (2 / 3) * n ** 2 + (5 / 16) * n ** 3,
  (13 / 48) * n ** 2 - (3 / 5) * n ** 3,
  (61 / 240) * n ** 3,
];
const beta = [n / 2 - (2 / 3) * n ** 2 + (37 / 96) * n ** 3, n ** 2 / 48 + n ** 3 / 15, (17 / 480) * n ** 3];
const delta = [
  2 * n - (2 / 3) * n ** 2 - 2 * n ** 3,
  (7 / 3) * n ** 2 - (8 / 5) * n ** 3,
  (56 / 15) * n ** 3,
];
const radians = Math.PI / 180;

/** The zone of a place, with the wider ones of Norway and Svalbard. */
export function zoneAt([longitude, latitude]: Place): number {
  if (latitude >= 56 && latitude < 64 && longitude >= 3 && longitude < 12) return 32;
  if (latitude >= 72 && latitude <= 84 && longitude >= 0 && longitude < 42) {
    return 31 + 2 * Math.floor((longitude + 3) / 12);
  }
  return Math.min(60, Math.floor((longitude + 180) / 6) + 1);
}

/** The UTM coordinates of a place; null beyond 80° south and 84° north, where UTM ends. */
export function toUtm(place: Place): Utm | null {
  const [longitude, latitude] = place;
  if (latitude < -80 || latitude > 84) return null;
  const zone = zoneAt(place);
  const phi = latitude * radians;
  const lambda = (longitude - (zone * 6 - 183)) * radians;
  const c = (2 * Math.sqrt(n)) / (1 + n);
  const t = Math.sinh(Math.atanh(Math.sin(phi)) - c * Math.atanh(c * Math.sin(phi)));
  const xi = Math.atan2(t, Math.cos(lambda));
  const eta = Math.atanh(Math.sin(lambda) / Math.sqrt(1 + t * t));
  let east = eta;
  let north = xi;
  for (const [index, a] of alpha.entries()) {
    const j = 2 * (index + 1);
    east += a * Math.cos(j * xi) * Math.sinh(j * eta);
    north += a * Math.sin(j * xi) * Math.cosh(j * eta);
  }
  const band = bands[Math.min(19, Math.floor((latitude + 80) / 8))] ?? 'X';
  return {
    zone,
    band,
    easting: falseEasting + scale * rectifyingRadius * east,
    northing: (isSouth(band) ? falseNorthing : 0) + scale * rectifyingRadius * north,
  };
}

const isSouth = (band: string) => band < 'N';

/** The place in a zone; bands before N are south of the equator. */
export function fromUtm({ zone, band, easting, northing }: Utm): Place {
  const xi = (northing - (isSouth(band) ? falseNorthing : 0)) / (scale * rectifyingRadius);
  const eta = (easting - falseEasting) / (scale * rectifyingRadius);
  let xiPrime = xi;
  let etaPrime = eta;
  for (const [index, b] of beta.entries()) {
    const j = 2 * (index + 1);
    xiPrime -= b * Math.sin(j * xi) * Math.cosh(j * eta);
    etaPrime -= b * Math.cos(j * xi) * Math.sinh(j * eta);
  }
  const chi = Math.asin(Math.sin(xiPrime) / Math.cosh(etaPrime));
  const phi = delta.reduce((sum, d, index) => sum + d * Math.sin(2 * (index + 1) * chi), chi);
  const lambda = Math.atan2(Math.sinh(etaPrime), Math.cos(xiPrime));
  return [zone * 6 - 183 + lambda / radians, phi / radians];
}
