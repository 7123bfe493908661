import { createUpstreamConnections } from '#features/gateway/server/upstream-connections.ts';
import { type MapIdentity, requestMapServer } from './request-map-server.ts';
import {
  type Capabilities,
  createCapabilitiesReader,
  type OgcService,
} from './capabilities/read-capabilities.ts';
import { writeParameters } from './map-query.ts';
import type { Config } from '#server/config.ts';

/** An answer with another status than 200. */
export class WrongStatus extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`The map server answered ${status}.`);
    this.name = 'WrongStatus';
    this.status = status;
  }
}

export type MapServer = ReturnType<typeof createMapServer>;

/** The path of each service of a map server, and the version that is requested. */
const places = {
  wms: { path: '/wms', version: '1.3.0' },
  wfs: { path: '/wfs', version: '2.0.0' },
  wmts: { path: '/gwc/service/wmts', version: '1.0.0' },
} as const;

/** GeoServer's own roles that manage GeoServer. */
const mapServersOwn: ReadonlySet<string> = new Set(['ROLE_ADMINISTRATOR', 'ROLE_GROUP_ADMIN']);

/** The identity of Portico's own requests. On the map server, a role is called `ROLE_` and its name. */
export const ownIdentity: MapIdentity = identityOf('portico', ['portico']);

/**
 * The caller, for GeoServer's header authentication. The prefix keeps Portico's roles from becoming roles of the
 * map server that give more, such as `ADMIN`; roles that would become GeoServer's own are left out.
 *
 * @param name in characters that a header may hold
 */
export function identityOf(name: string, roles: readonly string[]): MapIdentity {
  const words = roles
    .map((role) => `ROLE_${role.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`)
    .filter((role) => !mapServersOwn.has(role));
  return [
    ['sec-username', name],
    ['sec-roles', words.join(';')],
  ];
}

/** Portico's own client for the map server. */
export function createMapServer(address: MapServerAddress) {
  const connections = createUpstreamConnections(address);
  return {
    address,
    connections,
    /** @throws NoAnswer, WrongStatus, OgcException, UnreadableDocument */
    async capabilities(service: OgcService, identity: MapIdentity, timeoutMs: number): Promise<Capabilities> {
      const { path, version } = places[service];
      const query = writeParameters([
        ['SERVICE', service.toUpperCase()],
        ['VERSION', version],
        ['REQUEST', 'GetCapabilities'],
      ]);
      let reader: ReturnType<typeof createCapabilitiesReader> | undefined;
      const target = targetOf(address, path, query);
      await requestMapServer(
        connections,
        { target, host: address.url.host, identity, timeoutMs },
        (part, answer) => {
          // The body of a 400 may be an OGC exception with the reason.
          const { statusCode = 0, headers } = answer;
          if (statusCode !== 200 && statusCode !== 400) throw new WrongStatus(statusCode);
          reader ??= createCapabilitiesReader(service, headers['content-type'] ?? '');
          reader.push(part);
        },
      ).then(({ statusCode = 0 }) => {
        if (reader === undefined) throw new WrongStatus(statusCode);
      });
      const read = reader as unknown as ReturnType<typeof createCapabilitiesReader>;
      read.end();
      return read.result();
    },
    close: () => connections.close(),
  };
}

/** The map server's address, and how its paths relate to those of the guard. */
type MapServerAddress = NonNullable<Config['geoserver']>;

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
