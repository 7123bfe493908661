import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature, mesh } from 'topojson-client';
import { wholeRings, type Position } from './whole-rings.ts';

export type Colour = readonly [red: number, green: number, blue: number];
type Geometry =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }
  | { type: 'MultiLineString'; coordinates: Position[][] }
  | { type: 'Point'; coordinates: Position };
/** GeoJSON (RFC 7946). */
export type WorldFeature = { type: 'Feature'; properties: Record<string, string>; geometry: Geometry };

export type WorldLayer = {
  name: string;
  title: string;
  abstract: string;
  group: { name: string; title: string } | null;
  kind: 'polygon' | 'line' | 'point';
  colour: Colour;
  /** `TIME`: months as ISO 8601 writes them, in the property `month` of its features. */
  time: { values: string; default: string } | null;
  features: WorldFeature[];
};

const surveys = { name: 'surveys', title: 'Surveys' };
const months = 12;

/**
 * What the map servers of the tests and of the demo draw: the world of Natural Earth (`world-atlas`), and on
 * it stations for surveys, with their visits by month.
 *
 * @param now the last month that has visits
 */
export function worldLayers(now: Date): WorldLayer[] {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof feature>[0];
  const featuresOf = (name: string): WorldFeature[] => {
    const found: unknown = feature(topology, topology.objects[name] as Parameters<typeof feature>[1]);
    return (found as { features: WorldFeature[] }).features.map(whole);
  };
  const countries = featuresOf('countries');
  const all = topology.objects['countries'] as Parameters<typeof mesh>[1];
  const borders = mesh(topology, all, (one, other) => one !== other) as Geometry;
  const stations = stationsIn(countries);
  const { visits, values, last } = visitsOf(stations, now);
  const common = { group: null, time: null } as const;
  return [
    {
      ...common,
      name: 'land',
      title: 'Land',
      abstract: 'The land of the world.',
      kind: 'polygon',
      colour: [206, 214, 190],
      features: featuresOf('land'),
    },
    {
      ...common,
      name: 'countries',
      title: 'Countries',
      abstract: 'The countries of the world, with their names.',
      kind: 'polygon',
      colour: [150, 184, 178],
      features: countries,
    },
    {
      ...common,
      name: 'borders',
      title: 'Borders',
      abstract: 'Where one country ends and another begins.',
      kind: 'line',
      colour: [120, 80, 140],
      features: [{ type: 'Feature', properties: {}, geometry: borders }],
    },
    {
      ...common,
      group: surveys,
      name: 'stations',
      title: 'Stations',
      abstract: 'Where samples are taken.',
      kind: 'point',
      colour: [30, 90, 180],
      features: stations,
    },
    {
      group: surveys,
      name: 'visits',
      title: 'Visits by month',
      abstract: 'The stations that were visited in a month.',
      kind: 'point',
      colour: [200, 60, 40],
      time: { values, default: last },
      features: visits,
    },
  ];
}

/** Polygons that cross the antimeridian are drawn on both sides of it, without a line across the map. */
function whole({ properties, geometry }: WorldFeature): WorldFeature {
  const polygons =
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : [];
  const coordinates = polygons.flatMap(wholeRings);
  return { type: 'Feature', properties, geometry: { type: 'MultiPolygon', coordinates } };
}

/** One station in each sixth country, in the middle of its largest part. */
function stationsIn(countries: readonly WorldFeature[]): WorldFeature[] {
  return countries
    .filter((_country, at) => at % 6 === 0)
    .map(({ properties, geometry }, at) => ({
      type: 'Feature',
      properties: { name: `Station ${at + 1}`, country: properties['name'] ?? '' },
      geometry: { type: 'Point', coordinates: middleOf(geometry) },
    }));
}

function middleOf(geometry: Geometry): Position {
  const outlines = geometry.type === 'MultiPolygon' ? geometry.coordinates.map(([ring = []]) => ring) : [];
  const [longest = []] = outlines.toSorted((one, other) => other.length - one.length);
  const middle = (side: 0 | 1): number => {
    const values = longest.map((position) => position[side]);
    return Number(((Math.min(...values) + Math.max(...values)) / 2).toFixed(2));
  };
  return [middle(0), middle(1)];
}

/** Each station every third month, another third of them each month. */
function visitsOf(stations: readonly WorldFeature[], now: Date) {
  const first = now.getUTCFullYear() * 12 + now.getUTCMonth() - months + 1;
  const written = (month: number): string =>
    `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  const visits = Array.from({ length: months }, (_, month) =>
    stations
      .filter((_station, at) => at % 3 === month % 3)
      .map((station) => ({
        ...station,
        properties: { ...station.properties, month: written(first + month) },
      })),
  ).flat();
  const last = written(first + months - 1);
  return { visits, values: `${written(first)}/${last}/P1M`, last };
}
