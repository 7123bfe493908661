import { createServer } from 'node:http';

// The map server behind the guard: capabilities with one layer, and a tile of 20 kB.

const tile = Buffer.alloc(20_000, 'x');
const capabilities =
  '<WMS_Capabilities><Service><Title>Town</Title></Service><Capability><Layer><Title>Town</Title>' +
  '<Layer><Name>town:streets</Name><Title>Streets</Title></Layer></Layer></Capability></WMS_Capabilities>';

createServer((request, response) => {
  if (request.url?.includes('GetCapabilities') === true)
    response.writeHead(200, { 'content-type': 'text/xml' }).end(capabilities);
  else response.writeHead(200, { 'content-type': 'image/png', 'content-length': tile.length }).end(tile);
}).listen(Number(process.argv[2]), '127.0.0.1');
