import { createUpstreamConnections } from '#features/gateway/server/upstream-connections.ts';
import { requestMapServer, type MapIdentity } from './request-map-server.ts';
import {
  createCapabilitiesReader,
  type Capabilities,
  type OgcService,
} from './capabilities/read-capabilities.ts';
import { writeParameters } from './map-query.ts';
import { targetOf, type MapServerAddress } from './server-address.ts';

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
