import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { WorldLayer } from './world-layers.ts';

/** Debian's `cgi-mapserver`. */
const program = '/usr/lib/cgi-bin/mapserv';
/** Why there is no MapServer to test against or to show, or null where it is installed. */
export const withoutMapServer = existsSync(program)
  ? null
  : 'MapServer is not installed (Debian: apt-get install cgi-mapserver)';

/** A real MapServer with these layers, over CGI: one process for each request. */
export async function startRealMapServer(layers: readonly WorldLayer[]) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-mapserver-'));
  const server = createServer(
    { keepAliveTimeout: 0 },
    (request, response) => void answer(request, response, folder),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin/mapserv`;
  for (const { name, features } of layers)
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ type: 'FeatureCollection', name, features }),
    );
  const file = join(folder, 'world.map');
  writeFileSync(file, mapFile(layers, folder, address));
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

function mapFile(layers: readonly WorldLayer[], folder: string, address: string): string {
  return `MAP
  NAME "world"
  EXTENT -180 -90 180 90
  SIZE 256 256
  MAXSIZE 4096
  IMAGETYPE "png"
  PROJECTION "epsg:4326" END
  SYMBOL
    NAME "circle"
    TYPE ELLIPSE
    POINTS 1 1 END
    FILLED TRUE
  END
  OUTPUTFORMAT
    NAME "png"
    DRIVER "AGG/PNG"
    MIMETYPE "image/png"
    IMAGEMODE RGBA
    TRANSPARENT ON
  END
  OUTPUTFORMAT
    NAME "geojson"
    DRIVER "OGR/GEOJSON"
    MIMETYPE "application/json"
    FORMATOPTION "STORAGE=stream"
    FORMATOPTION "FORM=SIMPLE"
  END
  WEB
    METADATA
      "ows_title" "World"
      "ows_onlineresource" "${address}?map=${folder}/world.map&"
      "ows_srs" "EPSG:4326 EPSG:3857"
      "ows_enable_request" "*"
      "wms_getfeatureinfo_formatlist" "application/json,text/plain"
      "wfs_getfeature_formatlist" "application/json"
    END
  END
${layers.map((layer) => layerOf(layer, folder)).join('\n')}
END
`;
}

function layerOf({ name, title, abstract, group, kind, colour, time }: WorldLayer, folder: string): string {
  const rgb = colour.join(' ');
  const darker = colour.map((part) => Math.round(part * 0.7)).join(' ');
  const drawn = {
    polygon: `COLOR ${rgb} OUTLINECOLOR ${darker} WIDTH 0.6`,
    line: `COLOR ${rgb} WIDTH 1.4`,
    point: `SYMBOL "circle" SIZE 11 COLOR ${rgb} OUTLINECOLOR 255 255 255 WIDTH 1.5`,
  }[kind];
  return `  LAYER
    NAME "${name}"
    ${group === null ? '' : `GROUP "${group.name}"`}
    TYPE ${kind.toUpperCase()}
    STATUS ON
    CONNECTIONTYPE OGR
    CONNECTION "${folder}/${name}.json"
    DATA "${name}"
    TEMPLATE "none.html"
    TOLERANCE 8
    PROJECTION "epsg:4326" END
    METADATA
      "ows_title" "${title}"
      "ows_abstract" "${abstract}"
      "ows_extent" "-180 -90 180 90"
      "wms_attribution_title" "Natural Earth"
      "gml_include_items" "all"
      ${group === null ? '' : `"wms_group_title" "${group.title}"`}
      ${time === null ? '' : `"wms_timeextent" "${time.values}" "wms_timedefault" "${time.default}" "wms_timeitem" "month"`}
    END
    CLASS
      NAME "${title}"
      STYLE ${drawn} END
    END
  END`;
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
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      MAPSERVER_CONFIG_FILE: join(folder, 'mapserver.conf'),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // It may answer before it has read all.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
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
