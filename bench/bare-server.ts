import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';

// The server that Portico is measured against: node:http alone. `PUT` on a path sets the body that the path
// answers, `GET` returns it, `POST` reads and parses the body first (`/read` only reads it). `GET /sub` and
// `GET /v1/events` open an event stream, `POST /change` sends its body to all streams. `PUT /keep` stores its body
// in a folder and answers once it is on disk.

const prepared = new Map<string, Buffer>();
const streams = new Set<ServerResponse>();
const opening = Buffer.from('retry: 10000\n\n');

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (request.method === 'GET') {
    if (path === '/sub' || path.startsWith('/v1/events')) stream(response);
    else answer(response, prepared.get(path));
  } else if (request.method === 'POST') {
    read(request, (body) => {
      if (path === '/change') {
        for (const one of streams) one.write(body);
        answer(response, empty);
      } else {
        if (path !== '/read') JSON.parse(body.toString());
        answer(response, prepared.get(path));
      }
    });
  } else if (path === '/keep') {
    read(request, (body) => void keep(body).then(() => answer(response, empty)));
  } else {
    read(request, (body) => {
      prepared.set(path, body);
      answer(response, empty);
    });
  }
});

const empty = Buffer.alloc(0);

function answer(response: ServerResponse, body: Buffer | undefined): void {
  if (body === undefined) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(opening);
  streams.add(response);
  response.on('close', () => streams.delete(response));
}

const folder = process.argv[3] ?? '';
let stored = 0;

async function keep(body: Buffer): Promise<void> {
  const file = join(folder, String((stored += 1)));
  const handle = await open(`${file}.tmp`, 'wx');
  await handle.writeFile(body);
  await handle.sync();
  await handle.close();
  await rename(`${file}.tmp`, file);
  const names = await open(folder, 'r');
  await names.sync();
  await names.close();
}

function read(request: IncomingMessage, then: (body: Buffer) => void): void {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => then(Buffer.concat(parts)));
}

// Connections stay open while they are idle between the rounds.
server.keepAliveTimeout = 600_000;
server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
process.on('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
