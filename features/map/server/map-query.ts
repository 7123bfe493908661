import { isSafeFilter } from './safe-cql.ts';

/*
 * The parameters that a request to the map server may have. They are read once and rewritten: what is sent
 * on has each parameter once, in one spelling, and nothing that is not listed here.
 */

/** The parameters of a request by name in upper case. */
export type Parameters = ReadonlyMap<string, string>;

/** Why a request is refused, in words for the caller. */
export type Refused = { refused: string };

/** A request to a service. `names` are the layers it is about; `asks` is the kind of answer. */
export type MapRequest = {
  service: 'wms' | 'wfs' | 'wmts';
  request: string;
  asks: 'capabilities' | 'picture' | 'info' | 'features' | 'description';
  names: string[];
  /** In the order and spelling in which they are sent on. */
  parameters: [string, string][];
  /** Parameters that may be dimensions of the layers. */
  dimensions: [string, string][];
};

const longestQuery = 16_000;
export const longestForm = 262_144;
const mostParameters = 100;

/**
 * Reads a query string, as map servers do: names in any case.
 *
 * @param query without the question mark
 * @param form the body of a POST, in the same spelling
 */
export function readParameters(query: string, form = ''): Parameters | Refused {
  if (query.length > longestQuery) return { refused: 'The address is too long.' };
  const read = new Map<string, string>();
  const pairs = [...query.split('&'), ...form.split('&')].filter((pair) => pair !== '');
  if (pairs.length > mostParameters) return { refused: 'There are too many parameters.' };
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const name = decoded(equals < 0 ? pair : pair.slice(0, equals))?.toUpperCase();
    const value = equals < 0 ? '' : decoded(pair.slice(equals + 1));
    if (name === undefined || value === undefined)
      return { refused: 'A parameter is not encoded as it should be.' };
    if (read.has(name)) return { refused: `The parameter ${shown(name)} is there twice.` };
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(name + value))
      return { refused: `The parameter ${shown(name)} holds control characters.` };
    read.set(name, value);
  }
  return read;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const shown = (name: string): string => name.replaceAll(/[^A-Z0-9_.-]/g, '?').slice(0, 40);

/** Parameters by which a server reads other layers, files or hosts, or runs what the caller sends. */
const dangerous = new Set(
  (
    'SLD SLD_BODY STYLE_URL STYLE_BODY VIEWPARAMS FILTER FEATUREID RESOURCEID RID ' +
    'REMOTE_OWS_TYPE REMOTE_OWS_URL WFS WCS MAP MAPFILE CONTEXT NAMESPACE NAMESPACES ' +
    'STOREDQUERY_ID STOREDQUERYID ALIASES CALLBACK FEATURETYPE COVERAGE CLIP ENV ' +
    'MODE QSTRING QFILE MAPEXT SQL XSLT AUTHKEY ACCESS_TOKEN TEMPLATE'
  ).split(' '),
);

type Check = (value: string) => boolean;
type Checks = Readonly<Record<string, Check>>;

const matches =
  (pattern: RegExp, longest = 500): Check =>
  (value) =>
    value.length <= longest && pattern.test(value);
const whole =
  (most: number): Check =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) <= most;
const text: Check = (value) => value.length <= 2_000;
const names: Check = (value) => value.length <= 10_000;
const token = matches(/^[\w.:/@ +()-]*$/);
const format = matches(/^(?!.*(?:html|javascript|jsonp))[\w.+/;:= -]*$/i, 100);
const side = whole(4_096);
const number = matches(/^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/, 40);
const numbers = matches(
  /^[-+\d.,eE]*(?:,(?:urn:ogc:def:crs:|EPSG:|CRS:|http:\/\/www\.opengis\.net\/)[\w.:/#-]+)?$/i,
);
const projection = matches(
  /^(?:EPSG|CRS|AUTO2?|IAU|urn:ogc:def:crs:|http:\/\/www\.opengis\.net\/)[\w.:/#,-]*$/i,
  200,
);
const yesOrNo = matches(/^(?:true|false)$/i);
const time = matches(/^[\dTZPYMDWHS:.,/+ a-z-]*$/i, 2_000);

const drawing: Checks = {
  LAYERS: names,
  STYLES: text,
  CRS: projection,
  SRS: projection,
  BBOX: numbers,
  WIDTH: side,
  HEIGHT: side,
  FORMAT: format,
  TRANSPARENT: yesOrNo,
  BGCOLOR: matches(/^(?:0x|#)?[\da-f]{6}$/i),
  TIME: time,
  ELEVATION: matches(/^[-\d.,/eE]*$/, 2_000),
  CQL_FILTER: isSafeFilter,
  TILED: yesOrNo,
  TILESORIGIN: numbers,
  BUFFER: whole(1_000),
  ANGLE: number,
  DPI: whole(1_200),
  MAP_RESOLUTION: whole(1_200),
  FORMAT_OPTIONS: matches(/^dpi:\d{1,4}$/i),
  INTERPOLATIONS: token,
  LANGUAGE: matches(/^[\w,-]*$/, 100),
};

/** Annex C of OGC 06-042: values, lists and intervals of them, with a resolution; `current`. */
export const isDimensionValue: Check = matches(/^[\p{L}\p{N}\s.,:;/+@_-]*$/u, 10_000);

/** A kind of request: its kind of answer, the parameters that name layers, and the allowed parameters. */
type Request = { asks: MapRequest['asks']; layers: readonly string[]; checks: Checks };

const capabilities: Request = {
  asks: 'capabilities',
  layers: [],
  checks: { LANGUAGE: drawing['LANGUAGE'] as Check },
};

const wms: Record<string, Request> = {
  GETCAPABILITIES: capabilities,
  GETMAP: { asks: 'picture', layers: ['LAYERS'], checks: drawing },
  GETFEATUREINFO: {
    asks: 'info',
    layers: ['LAYERS', 'QUERY_LAYERS'],
    checks: {
      ...drawing,
      QUERY_LAYERS: names,
      INFO_FORMAT: format,
      FEATURE_COUNT: whole(50),
      I: side,
      J: side,
      X: side,
      Y: side,
      PROPERTYNAME: text,
      RADIUS: whole(100),
    },
  },
  GETLEGENDGRAPHIC: {
    asks: 'picture',
    layers: ['LAYER'],
    checks: {
      LAYER: names,
      STYLE: text,
      FORMAT: format,
      WIDTH: side,
      HEIGHT: side,
      SCALE: number,
      RULE: text,
      SLD_VERSION: token,
      LANGUAGE: drawing['LANGUAGE'] as Check,
      TRANSPARENT: yesOrNo,
      DPI: whole(1_200),
      LEGEND_OPTIONS: matches(/^[\w:;.#, -]*$/, 500),
    },
  },
};

const wfs: Record<string, Request> = {
  GETCAPABILITIES: capabilities,
  DESCRIBEFEATURETYPE: {
    asks: 'description',
    layers: ['TYPENAME', 'TYPENAMES'],
    checks: { TYPENAME: names, TYPENAMES: names, OUTPUTFORMAT: format },
  },
  GETFEATURE: {
    asks: 'features',
    layers: ['TYPENAME', 'TYPENAMES'],
    checks: {
      TYPENAME: names,
      TYPENAMES: names,
      OUTPUTFORMAT: format,
      RESULTTYPE: matches(/^(?:hits|results)$/i),
      SRSNAME: projection,
      BBOX: numbers,
      COUNT: whole(100_000),
      MAXFEATURES: whole(100_000),
      STARTINDEX: whole(100_000_000),
      PROPERTYNAME: matches(/^[^()]*$/, 4_000),
      SORTBY: matches(/^[^()]*$/, 1_000),
      CQL_FILTER: isSafeFilter,
    },
  },
};

const wmts: Record<string, Request> = {
  GETCAPABILITIES: capabilities,
  GETTILE: {
    asks: 'picture',
    layers: ['LAYER'],
    checks: {
      LAYER: names,
      STYLE: text,
      FORMAT: format,
      TILEMATRIXSET: token,
      TILEMATRIX: token,
      TILEROW: whole(999_999_999),
      TILECOL: whole(999_999_999),
      TIME: time,
      ELEVATION: drawing['ELEVATION'] as Check,
    },
  },
};
wmts['GETFEATUREINFO'] = {
  asks: 'info',
  layers: ['LAYER'],
  checks: { ...wmts['GETTILE']?.checks, INFOFORMAT: format, I: side, J: side },
};

const requests = { wms, wfs, wmts };
const spelled: Record<string, string> = {
  GETCAPABILITIES: 'GetCapabilities',
  GETMAP: 'GetMap',
  GETFEATUREINFO: 'GetFeatureInfo',
  GETLEGENDGRAPHIC: 'GetLegendGraphic',
  DESCRIBEFEATURETYPE: 'DescribeFeatureType',
  GETFEATURE: 'GetFeature',
  GETTILE: 'GetTile',
};
const versions = { wms: /^1\.(?:1\.[01]|3\.0)$/, wfs: /^(?:1\.[01]\.0|2\.0\.[02])$/, wmts: /^1\.0\.0$/ };
const latest = { wms: '1.3.0', wfs: '2.0.0', wmts: '1.0.0' };
const mostNames = 100;

/**
 * What the parameters ask of a service, or why that is refused.
 *
 * @param service as the path names it, or null
 */
export function readMapRequest(
  parameters: Parameters,
  service: MapRequest['service'] | null,
): MapRequest | Refused {
  for (const name of parameters.keys())
    if (dangerous.has(name)) return { refused: `The parameter ${name} is not allowed here.` };
  const named = (parameters.get('SERVICE') ?? service ?? '').toLowerCase();
  if (named !== 'wms' && named !== 'wfs' && named !== 'wmts')
    return { refused: 'SERVICE has to be WMS, WFS or WMTS.' };
  if (service !== null && named !== service) return { refused: 'SERVICE is not that of the path.' };
  const key = (parameters.get('REQUEST') ?? '').toUpperCase();
  const table = requests[named];
  const request = Object.hasOwn(table, key) ? table[key] : undefined;
  if (request === undefined) return { refused: 'This REQUEST is not allowed here.' };
  const accepted = (parameters.get('VERSION') ?? parameters.get('ACCEPTVERSIONS') ?? latest[named]).split(
    ',',
  );
  const version = accepted.find((each) => versions[named].test(each));
  if (version === undefined) return { refused: 'This VERSION is not known here.' };
  const sent: [string, string][] = [
    ['SERVICE', named.toUpperCase()],
    ['VERSION', version],
    ['REQUEST', spelled[key] as string],
  ];
  const dimensions: [string, string][] = [];
  for (const [name, value] of parameters) {
    const check = Object.hasOwn(request.checks, name) ? request.checks[name] : undefined;
    if (check === undefined) {
      if (request.asks !== 'capabilities' && mayBeDimension(name, named)) dimensions.push([name, value]);
      continue;
    }
    if (!check(value)) return { refused: `The parameter ${name} is not as it should be.` };
    sent.push([name, value]);
  }
  const asked = layersAsked(request, parameters);
  if ('refused' in asked) return asked;
  const { asks } = request;
  return { service: named, request: spelled[key] as string, asks, ...asked, parameters: sent, dimensions };
}

/** Whether a parameter may be a dimension. WMS has a prefix for the server's own dimensions, WMTS has none. */
function mayBeDimension(name: string, service: MapRequest['service']): boolean {
  if (service === 'wms') return /^DIM_[\w.-]{1,60}$/.test(name);
  return service === 'wmts' && /^[A-Z][\w.-]{0,60}$/.test(name) && !ofEveryRequest.has(name);
}

const ofEveryRequest = new Set(['SERVICE', 'VERSION', 'REQUEST', 'ACCEPTVERSIONS']);

/** Every layer that a request names, in whichever of its parameters. */
function layersAsked({ layers, asks }: Request, parameters: Parameters): { names: string[] } | Refused {
  const lists = layers.flatMap((name) => parameters.get(name) ?? []);
  if (asks === 'capabilities') return { names: [] };
  if (lists.length === 0) return { refused: `The parameter ${layers.join(' or ')} is missing.` };
  const asked = [...new Set(lists.flatMap((list) => list.split(',').map((name) => name.trim())))];
  if (asked.length > mostNames) return { refused: 'There are too many layers in one request.' };
  if (asked.some((name) => name === '' || name.length > 200 || /[()=]/.test(name)))
    return { refused: 'A layer is not named as it should be.' };
  return { names: asked };
}

/** The query string of parameters, each in one spelling. */
export function writeParameters(parameters: readonly (readonly [string, string])[]): string {
  return parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

const api: Checks = {
  F: format,
  BBOX: numbers,
  'BBOX-CRS': projection,
  CRS: projection,
  LIMIT: whole(10_000),
  OFFSET: whole(100_000_000),
  STARTINDEX: whole(100_000_000),
  DATETIME: matches(/^[\dTZ:.,/+-]*$/, 100),
  PROPERTIES: matches(/^[^()]*$/, 4_000),
  SORTBY: matches(/^[^()]*$/, 1_000),
  FILTER: isSafeFilter,
  'FILTER-LANG': matches(/^cql2?-text$/),
};

/** The allowed parameters for a tile of GeoWebCache that is requested by its path. */
const cachedTile: Checks = {
  FORMAT: format,
  TIME: time,
  ELEVATION: drawing['ELEVATION'] as Check,
  FLIPY: yesOrNo,
};

type Sent = Pick<MapRequest, 'parameters' | 'dimensions'>;

/** The parameters of a tile's path that are sent on, or why they are refused. */
export function readTileParameters(parameters: Parameters): Sent | Refused {
  const sent = listed(parameters, cachedTile);
  if ('refused' in sent) return sent;
  // GeoWebCache reads these in one spelling alone.
  return {
    parameters: sent.parameters.map(([name, value]) => [name === 'flipy' ? 'flipY' : name, value]),
    dimensions: sent.dimensions.filter(([name]) => mayBeDimension(name, 'wmts')),
  };
}

/**
 * The parameters of a request to an OGC API that are sent on, or why it is refused.
 *
 * @param asJson whether JSON is asked for where the caller names no format
 */
export function readApiParameters(parameters: Parameters, asJson: boolean): Sent | Refused {
  if (parameters.has('COLLECTIONS')) return { refused: 'The parameter COLLECTIONS is not allowed here.' };
  const sent = listed(parameters, api);
  if ('refused' in sent) return sent;
  // Without `f`, some servers answer with a page.
  if (asJson && !parameters.has('F')) sent.parameters.push(['f', 'json']);
  return sent;
}

/** Divides parameters into those in `checks`, with names in lower case, and the others. */
function listed(parameters: Parameters, checks: Checks): Sent | Refused {
  const sent: [string, string][] = [];
  const dimensions: [string, string][] = [];
  for (const [name, value] of parameters) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      if (dangerous.has(name)) return { refused: `The parameter ${name} is not allowed here.` };
      dimensions.push([name, value]);
      continue;
    }
    if (!check(value)) return { refused: `The parameter ${name} is not as it should be.` };
    sent.push([name.toLowerCase(), value]);
  }
  return { parameters: sent, dimensions };
}
