import type { Config } from '#server/config.ts';

/** The map server's address, and how its paths relate to those of the guard. */
export type MapServerAddress = NonNullable<Config['geoserver']>;

/**
 * The target of a request to the map server.
 *
 * @param path below `/geoserver`, written by `readMapPath`
 * @param query without the question mark
 */
export function targetOf({ url, single }: MapServerAddress, path: string, query: string): string {
  const own = url.search.slice(1);
  const both = [own, query].filter((part) => part !== '').join('&');
  const place = single ? url.pathname : `${folderOf(url)}${path}`;
  return both === '' ? place : `${place}?${both}`;
}

function folderOf(url: URL): string {
  return url.pathname.replace(/\/$/, '');
}

/**
 * Turns an address in a document of the map server into the one by which clients of the guard reach it; addresses
 * of other hosts stay.
 *
 * @param guard the address of the guard, such as `https://portico.example.org/geoserver`
 * @param service the path of a service, for servers that have one address for all
 */
export function createAddressOf({ url, single }: MapServerAddress, guard: string, service: string) {
  const folder = folderOf(url);
  const ownNames = new Set([...url.searchParams.keys()].map((name) => name.toLowerCase()));
  return function addressOf(found: string): string {
    // WMTS has `{TileMatrix}` and the like in its addresses, which a URL would encode.
    const [, origin = '', path = '', query = ''] =
      /^(https?:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?/i.exec(found) ?? [];
    const isOwnOrigin = origin.toLowerCase() === url.origin;
    if (single) {
      if (!isOwnOrigin && path !== url.pathname) return found;
      return `${guard}${service}${withoutNames(query, ownNames)}`;
    }
    const isBelow = path === folder || path.startsWith(`${folder}/`);
    // A server may know itself by another name than the one by which it is reached here.
    if (!isBelow || (folder === '' && !isOwnOrigin)) return isOwnOrigin ? `${guard}${service}` : found;
    return `${guard}${path.slice(folder.length)}${query}`;
  };
}

function withoutNames(query: string, names: ReadonlySet<string>): string {
  if (query === '' || names.size === 0) return query === '' ? '?' : query;
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has((pair.split('=', 1)[0] ?? '').toLowerCase()));
  return `?${kept.join('&')}`;
}
