/** Something at a point, as the map server describes it. */
export type FoundFeature = {
  /** The feature's name, from the first property that looks like a name; empty where none does. */
  title: string;
  properties: readonly (readonly [name: string, value: string])[];
  /** GeoJSON in the map's projection; null where the server gives none. */
  geometry: object | null;
};

const most = { features: 50, properties: 100, text: 2_000 } as const;
const nameLike = /^(?:name|title|label|bezeichnung|titel|nom|libelle)(?:_\w+)?$/i;

/** The features of a GeoJSON answer; an empty list for anything else. */
export function readFeatures(answer: unknown): FoundFeature[] {
  const features = objectOf(answer)['features'];
  if (!Array.isArray(features)) return [];
  return features.slice(0, most.features).map((feature: unknown) => {
    const { properties, geometry } = objectOf(feature);
    const read = Object.entries(objectOf(properties))
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .slice(0, most.properties)
      .map(([name, value]) => [name, textOf(value)] as const);
    const named = read.find(([name]) => nameLike.test(name));
    return {
      title: named?.[1] ?? '',
      properties: read,
      geometry: typeof geometry === 'object' ? geometry : null,
    };
  });
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > most.text ? `${text.slice(0, most.text)}…` : text;
}

/** The format of answers that this screen reads best, of those that the server offers; null: none. */
export function bestInfoFormat(offered: readonly string[]): string | null {
  const wanted = ['application/json', 'application/geo+json', 'geojson', 'application/geojson', 'text/plain'];
  return wanted.find((format) => offered.includes(format)) ?? null;
}
