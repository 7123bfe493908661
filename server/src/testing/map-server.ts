import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A map server with faults: the name of a layer says which one. Its pictures are 20 kB. */
export async function startMapServer() {
  const asked: { method: string; url: string; headers: string[]; body: string }[] = [];
  const picture = Buffer.alloc(20_000, 'p');
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const { method = '', url = '', rawHeaders } = request;
    const entry = { method, url, headers: rawHeaders, body: '' };
    asked.push(entry);
    request.setEncoding('utf8').on('data', (part: string) => (entry.body += part));
    const query = new URLSearchParams(url.slice(url.indexOf('?')));
    if (query.get('REQUEST') === 'GetCapabilities') {
      response.writeHead(200, { 'content-type': 'text/xml' });
      response.end(query.get('SERVICE') === 'WMS' ? capabilities(host(server)) : '<nothing/>');
    } else if (url.startsWith('/geoserver/ogc/features/v1/collections?')) {
      const collections = ['town:streets', 'town:cables'].map((id) => ({ id }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ collections }));
    } else answer(query.get('LAYERS') ?? query.get('TYPENAMES') ?? '', request, response, picture);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: new URL(`http://${host(server)}/geoserver`),
    /** What it was asked, capabilities aside, since the last call. */
    asked: () => asked.splice(0).filter(({ url }) => !url.includes('GetCapabilities')),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const host = (server: { address(): unknown }): string =>
  `127.0.0.1:${(server.address() as AddressInfo).port}`;

function answer(layer: string, request: IncomingMessage, response: ServerResponse, picture: Buffer): void {
  const exception = `<?xml version="1.0"?><ServiceExceptionReport><ServiceException code="StyleNotDefined">no /srv/secret/style.sld</ServiceException></ServiceExceptionReport>`;
  const answers: Record<string, () => void> = {
    'town:exception': () =>
      response.writeHead(200, { 'content-type': 'application/vnd.ogc.se_xml' }).end(exception),
    'town:error': () => response.writeHead(200, { 'content-type': 'text/xml' }).end(exception),
    'town:page': () => response.writeHead(200, { 'content-type': 'text/html' }).end('<script>1</script>'),
    'town:away': () =>
      response
        .writeHead(302, { location: 'http://169.254.169.254/', 'content-type': 'image/png' })
        .end(picture),
    'town:huge': () => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 80_000_000 });
      response.flushHeaders();
    },
    'town:cut': () => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': 100_000 });
      response.write(picture, () => response.destroy());
    },
    'town:gone': () => request.socket.destroy(),
    'town:sign-in': () => response.writeHead(401, { 'www-authenticate': 'Basic' }).end(),
  };
  const given = answers[layer];
  if (given !== undefined) {
    given();
    return;
  }
  response.writeHead(200, {
    'content-type': 'image/png',
    'content-length': picture.length,
    'cache-control': 'public, max-age=86400',
    'set-cookie': 'JSESSIONID=1; Path=/',
    server: 'Jetty',
    etag: '"1"',
  });
  response.end(picture);
}

const names = ['streets', 'cables', 'exception', 'error', 'page', 'away', 'huge', 'cut', 'gone', 'sign-in'];

function capabilities(at: string): string {
  const depth = '<Dimension name="depth" units="m">0/100/10</Dimension>';
  const layer = (name: string) =>
    `<Layer queryable="1"><Name>${name}</Name><Title>${name}</Title>${name === 'town:pipes' ? depth : ''}</Layer>`;
  const link = `<OnlineResource xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="http://${at}/geoserver/ows?SERVICE=WMS&amp;"/>`;
  return `<WMS_Capabilities version="1.3.0"><Service><Title>Town</Title></Service><Capability>
    <Request><GetMap><Format>image/png</Format><DCPType><HTTP><Get>${link}</Get></HTTP></DCPType></GetMap></Request>
    <Layer><Title>Town</Title><CRS>EPSG:3857</CRS>
    <Layer><Name>overview</Name><Title>Overview</Title>${layer('town:pipes')}${layer('town:cables')}</Layer>
    ${names
      .filter((name) => name !== 'cables')
      .map((name) => layer(`town:${name}`))
      .join('')}
    </Layer></Capability></WMS_Capabilities>`;
}
