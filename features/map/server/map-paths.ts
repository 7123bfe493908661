/*
 * The paths of the map server that are reached through the guard. A path is decoded once, checked part by
 * part and rewritten: what is sent on is what was checked, and no other reading of it exists.
 */

/** What a path asks for. `path` is what is sent on, below the address of the map server. */
export type MapPath = { path: string } & (
  | {
      /** WMS, WMTS or WFS by parameters (KVP); where `service` is null, the parameter `SERVICE` names it. */
      is: 'service';
      service: 'wms' | 'wfs' | 'wmts' | null;
      workspace: string | null;
      /** A service of one layer or group alone (GeoServer's virtual services). */
      layer: string | null;
    }
  | { is: 'tile'; asks: 'picture' | 'info'; layer: string; workspace: string | null }
  | {
      is: 'api';
      asks: 'collections' | 'collection' | 'items' | 'tile' | 'description';
      layer: string | null;
      workspace: string | null;
    }
);

/** Characters that no decoded part may hold: separators, controls, and what other servers decode again. */
const neverInPart = /[/\\%;?#\u0000-\u001f\u007f]/;
const mostParts = 14;
const longestPath = 2_000;

/** The service of each last path part, for a workspace or for all; null: the parameter `SERVICE` names it. */
const services: Record<string, 'wms' | 'wfs' | 'wmts' | null> = { wms: 'wms', wfs: 'wfs', ows: null };

/**
 * @param path below `/geoserver`, without the query, as it came
 * @returns null where the guard has no such path
 */
export function readMapPath(path: string): MapPath | null {
  const parts = partsOf(path);
  if (parts === null) return null;
  return serviceOf(parts) ?? cacheOf(parts) ?? apiOf(parts);
}

function partsOf(path: string): string[] | null {
  if (path.length > longestPath || !path.startsWith('/')) return null;
  const written = path.slice(1).split('/');
  if (written.length > mostParts) return null;
  const parts: string[] = [];
  for (const part of written) {
    const decoded = decodedPart(part);
    if (decoded === null) return null;
    parts.push(decoded);
  }
  return parts;
}

function decodedPart(part: string): string | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    return null;
  }
  return decoded === '' || decoded === '.' || decoded === '..' || neverInPart.test(decoded) ? null : decoded;
}

function written(parts: readonly string[]): string {
  return `/${parts.map((part) => encodeURIComponent(part).replaceAll('%3A', ':').replaceAll('%40', '@')).join('/')}`;
}

/** Reads the path of a service: `wms`, `topp/wms`, `topp/states/wms`. */
function serviceOf(parts: readonly string[]): MapPath | null {
  const last = parts.at(-1) ?? '';
  if (parts.length > 3 || !Object.hasOwn(services, last)) return null;
  const [workspace = null, layer = null] = parts.slice(0, -1);
  // `gwc/service/wms` is a path of the cache, not of a workspace `gwc`.
  if (workspace === 'gwc') return null;
  return { is: 'service', service: services[last] ?? null, workspace, layer, path: written(parts) };
}

/** GeoWebCache: `gwc/service/wmts`, `gwc/service/wms`, their REST paths and TMS, also below a workspace. */
function cacheOf(parts: readonly string[]): MapPath | null {
  const at = parts.indexOf('gwc');
  if (at < 0 || at > 1 || parts[at + 1] !== 'service') return null;
  const workspace = at === 1 ? (parts[0] as string) : null;
  const [service, ...rest] = parts.slice(at + 2);
  const path = written(parts);
  if (rest.length === 0 && (service === 'wmts' || service === 'wms'))
    return { is: 'service', service, workspace, layer: null, path };
  if (service === 'wmts' && rest[0] === 'rest') {
    const asks = tileOfRest(rest.slice(1));
    return asks === null ? null : { is: 'tile', asks, layer: rest[1] as string, workspace, path };
  }
  // tms/1.0.0/{layer}@{matrix set}@{format}/{z}/{x}/{y}.{extension}
  if (service === 'tms' && rest[0] === '1.0.0' && rest.length === 5) {
    const [layer = '', ...named] = (rest[1] as string).split('@');
    // GeoWebCache decodes this part again, in which a plus is a space.
    if (layer === '' || layer.includes('+') || named.length > 2) return null;
    return { is: 'tile', asks: 'picture', layer, workspace, path };
  }
  return null;
}

/**
 * `{layer}/{style}/{matrix set}/{matrix}/{row}/{column}`, without the style where it is the default; `/{j}/{i}`
 * after it asks what is at that pixel. GeoWebCache looks for the layer from the end of a path: no part after the
 * layer may be read as the beginning of another path.
 */
function tileOfRest(parts: readonly string[]): 'picture' | 'info' | null {
  const numbers = parts.length > 6 ? 4 : 2;
  if (parts.length < 5 || parts.length > 8) return null;
  if (!parts.slice(-numbers).every((part) => /^\d{1,9}$/.test(part))) return null;
  return numbers === 4 ? 'info' : 'picture';
}

/** OGC API Features and Tiles: `ogc/features/v1/…` and `ogc/tiles/v1/…` (GeoServer), also below a workspace. */
function apiOf(all: readonly string[]): MapPath | null {
  const workspace = all[0] !== 'ogc' && all[1] === 'ogc' ? (all[0] as string) : null;
  const [ogc, kind, edition, ...rest] = workspace === null ? all : all.slice(1);
  if (ogc !== 'ogc' || edition !== 'v1' || (kind !== 'features' && kind !== 'tiles')) return null;
  const path = written(all);
  const [first, layer = null, ...below] = rest;
  if (first === undefined || first === 'conformance' || first === 'tileMatrixSets')
    return rest.length > 2 ? null : { is: 'api', asks: 'description', layer: null, workspace, path };
  if (first !== 'collections') return null;
  if (layer === null) return { is: 'api', asks: 'collections', layer, workspace, path };
  if (below.length === 0 || (below.length === 1 && /^(?:queryables|schema)$/.test(below[0] as string)))
    return { is: 'api', asks: 'collection', layer, workspace, path };
  if (kind === 'features')
    return below[0] === 'items' && below.length <= 2
      ? { is: 'api', asks: 'items', layer, workspace, path }
      : null;
  return tileOfApi(below) ? { is: 'api', asks: 'tile', layer, workspace, path } : null;
}

/** `tiles/{matrix set}/{matrix}/{row}/{column}`; pictures have `map`, perhaps `styles/{style}`, before it. */
function tileOfApi(below: readonly string[]): boolean {
  const from = below[0] === 'map' ? 1 : below[0] === 'styles' && below[2] === 'map' ? 3 : 0;
  const rest = below.slice(from);
  return rest[0] === 'tiles' && rest.length <= 5;
}
