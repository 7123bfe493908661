import coarse from 'world-atlas/countries-110m.json?url';
import fine from 'world-atlas/countries-50m.json?url';
import { base } from '#web/platform/base.ts';

/** A topology as `world-atlas` ships it: arcs that neighbours share, in steps of a grid. */
export type Topology = {
  arcs: readonly (readonly (readonly [number, number])[])[];
  transform: { scale: readonly [number, number]; translate: readonly [number, number] };
  objects: Readonly<Record<string, { geometries: readonly TopologyGeometry[] }>>;
};

type TopologyGeometry = {
  type: string;
  id?: string | undefined;
  properties?: { name?: string };
  /** Rings of a polygon, or polygons of rings; -1 is the first arc backwards. */
  arcs?: readonly (readonly number[])[] | readonly (readonly (readonly number[])[])[];
};

export type Point = [longitude: number, latitude: number];
export type Ring = Point[];
/** The outer ring, then its holes. */
export type Polygon = Ring[];

export type Country = { id: string | null; name: string; polygons: Polygon[] };

/** The countries of a topology, in degrees. Geometries that are no polygons are left out. */
export function readCountries(topology: Topology): Country[] {
  const arcs = readArcs(topology);
  const ring = (indexes: readonly number[]): Ring =>
    indexes.flatMap((index, at) => {
      const arc = index < 0 ? (arcs[~index]?.toReversed() ?? []) : (arcs[index] ?? []);
      // The first point of an arc is the last one of the arc before it.
      return at === 0 ? arc : arc.slice(1);
    });
  return (topology.objects['countries']?.geometries ?? []).flatMap(
    ({ type, id, properties, arcs: parts }) => {
      if (parts === undefined) return [];
      const polygons =
        type === 'Polygon'
          ? [parts as readonly (readonly number[])[]]
          : type === 'MultiPolygon'
            ? (parts as readonly (readonly (readonly number[])[])[])
            : [];
      if (polygons.length === 0) return [];
      return [
        {
          id: id ?? null,
          name: properties?.name ?? '',
          polygons: polygons.map((rings) => rings.map(ring)),
        },
      ];
    },
  );
}

/** Every line of a topology once, in degrees: coasts and borders. */
export function readArcs({ arcs, transform: { scale, translate } }: Topology): Point[][] {
  return arcs.map((steps) => {
    let [x, y] = [0, 0];
    return steps.map(([dx, dy]): Point => {
      x += dx;
      y += dy;
      return [x * scale[0] + translate[0], y * scale[1] + translate[1]];
    });
  });
}

/** From this zoom on the fine base map is worth its download. */
export const fineFrom = 3;

/** The base map of the world as files next to the scripts: about 33 kB, and 205 kB for the fine one. */
export async function loadTopology(which: 'coarse' | 'fine', signal: AbortSignal): Promise<Topology> {
  const response = await fetch(`${base}${which === 'fine' ? fine : coarse}`, { signal });
  if (!response.ok) throw new Error(`The base map was answered with ${response.status}.`);
  return (await response.json()) as Topology;
}

/**
 * The name of a country in a language, from the browser's own data.
 *
 * @param id three figures (ISO 3166-1, UN M.49), as `world-atlas` has them; null: `name` is used
 */
export function countryName(id: string | null, name: string, language: string): string {
  if (id === null) return name;
  try {
    // The locale knows that `und-276` is `und-DE`.
    const region = new Intl.Locale(`und-${id}`).region;
    const found =
      region === undefined || /^\d/.test(region)
        ? undefined
        : new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(region);
    return found ?? name;
  } catch {
    return name;
  }
}
