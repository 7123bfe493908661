import { northmost, type Place, wrapped } from '../coordinates/place.ts';

/*
 * The view as it stands in the query of the address: `at=48.13743,11.57549,7.5` and
 * `layers=topp:roads~60,topp:rivers~100~2020-01-01`, the topmost first; `layers=-` for a map without layers.
 */

export type LinkedLayer = {
  name: string;
  /** In whole percent. */
  opacity: number;
  /** A time of its time dimension; null: the server's default. */
  time: string | null;
};

export type LinkedView = { center: Place; zoom: number };

export const zoomRange = { least: 0, most: 20 } as const;
/** The most layers that are read from an address. */
export const mostLinked = 50;
const none = '-';

export function writeView({ center, zoom }: LinkedView): string {
  const latitude = Math.max(-northmost, Math.min(northmost, center[1]));
  return [latitude.toFixed(5), wrapped(center[0]).toFixed(5), String(Math.round(zoom * 100) / 100)].join(',');
}

/** @returns null for a text that is no view */
export function readView(text: string): LinkedView | null {
  const found = /^(-?\d{1,2}(?:\.\d{1,10})?),(-?\d{1,3}(?:\.\d{1,10})?),(\d{1,2}(?:\.\d{1,5})?)$/.exec(text);
  if (found === null) return null;
  const [latitude, longitude, zoom] = found.slice(1).map(Number) as [number, number, number];
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return {
    center: [longitude, Math.max(-northmost, Math.min(northmost, latitude))],
    zoom: Math.min(zoomRange.most, zoom),
  };
}

const escaped = (text: string) => text.replace(/[%,~]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
const unescaped = (text: string) =>
  text.replace(/%(25|2c|7e|2d)/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export function writeLayers(layers: readonly LinkedLayer[]): string {
  if (layers.length === 0) return none;
  const text = layers
    .map(({ name, opacity, time }) =>
      [
        escaped(name),
        ...(opacity === 100 && time === null ? [] : [String(opacity)]),
        ...(time === null ? [] : [escaped(time)]),
      ].join('~'),
    )
    .join(',');
  return text === none ? '%2d' : text;
}

/** @returns null where the address names no layers, so that those that are on at first are shown */
export function readLayers(text: string): LinkedLayer[] | null {
  if (text === '') return null;
  if (text === none) return [];
  const seen = new Set<string>();
  return text
    .split(',')
    .slice(0, mostLinked)
    .flatMap((part) => {
      const [name = '', opacity = '100', time] = part.split('~');
      const known = unescaped(name);
      if (known === '' || seen.has(known)) return [];
      seen.add(known);
      const percent = /^\d{1,3}$/.test(opacity) ? Math.min(100, Number(opacity)) : 100;
      return [{ name: known, opacity: percent, time: time === undefined ? null : unescaped(time) }];
    });
}
