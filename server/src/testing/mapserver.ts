import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { feature } from 'topojson-client';

/** Debian's `cgi-mapserver`. */
const program = '/usr/lib/cgi-bin/mapserv';
/** Why the tests against MapServer are skipped, or null where it is installed. */
export const withoutMapServer = existsSync(program)
  ? null
  : 'MapServer is not installed (Debian: apt-get install cgi-mapserver)';

/**
 * A real MapServer with the countries and the land of Natural Earth (`world-atlas`), over CGI: one process
 * for each request.
 */
export async function startRealMapServer() {
  const folder = mkdtempSync(join(tmpdir(), 'portico-mapserver-'));
  const server = createServer((request, response) => void answer(request, response, folder));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin/mapserv`;
  writeData(folder);
  const file = join(folder, 'world.map');
  writeFileSync(file, mapFile(folder, address));
  writeFileSync(
    join(folder, 'mapserver.conf'),
    `CONFIG\n  ENV\n    MS_MAP_PATTERN "^${folder}/world[.]map$"\n  END\nEND\n`,
  );
  return {
    url: new URL(`${address}?map=${file}`),
    stop() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function writeData(folder: string): void {
  const path = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Parameters<typeof feature>[0];
  for (const name of ['countries', 'land']) {
    const drawn = feature(topology, topology.objects[name] as Parameters<typeof feature>[1]);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...drawn, name }));
  }
}

function mapFile(folder: string, address: string): string {
  const layer = (name: string, colour: string) => `
  LAYER
    NAME "${name}"
    TYPE POLYGON
    STATUS ON
    CONNECTIONTYPE OGR
    CONNECTION "${folder}/${name}.json"
    DATA "${name}"
    TEMPLATE "none.html"
    PROJECTION "epsg:4326" END
    METADATA
      "ows_title" "${name}"
      "gml_include_items" "all"
    END
    CLASS
      NAME "${name}"
      STYLE COLOR ${colour} END
    END
  END`;
  return `MAP
  NAME "world"
  EXTENT -180 -90 180 90
  SIZE 256 256
  IMAGETYPE "png"
  PROJECTION "epsg:4326" END
  WEB
    METADATA
      "ows_title" "World"
      "ows_onlineresource" "${address}?map=${folder}/world.map&"
      "ows_srs" "EPSG:4326 EPSG:3857"
      "ows_enable_request" "*"
    END
  END${layer('land', '40 160 80')}${layer('countries', '200 40 40')}
END
`;
}

/** The common gateway interface (RFC 3875), as far as MapServer needs it. */
async function answer(request: IncomingMessage, response: ServerResponse, folder: string): Promise<void> {
  const { method = 'GET', url = '' } = request;
  const mark = url.indexOf('?');
  const child = spawn(program, [], {
    env: {
      REQUEST_METHOD: method,
      QUERY_STRING: mark < 0 ? '' : url.slice(mark + 1),
      SCRIPT_NAME: mark < 0 ? url : url.slice(0, mark),
      SERVER_NAME: '127.0.0.1',
      SERVER_PORT: String(request.socket.localPort),
      SERVER_PROTOCOL: 'HTTP/1.1',
      GATEWAY_INTERFACE: 'CGI/1.1',
      MAPSERVER_CONFIG_FILE: join(folder, 'mapserver.conf'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await buffer(child.stdout);
  const end = /\r?\n\r?\n/.exec(output.toString('latin1'));
  const head = output.toString('latin1', 0, end?.index ?? 0);
  let status = 200;
  for (const line of head.split(/\r?\n/)) {
    const [name = '', value = ''] = line.split(/:\s*(.*)/s);
    if (/^status$/i.test(name)) status = Number.parseInt(value, 10);
    else if (name !== '') response.setHeader(name, value);
  }
  response.writeHead(status).end(output.subarray((end?.index ?? 0) + (end?.[0].length ?? 0)));
}
