import { createServer } from 'node:http';

// The application behind the gateway: a page, an answer of any size, and upgrades, whose bytes it sends back.

const page = Buffer.alloc(20_000, 'x');
const part = Buffer.alloc(65_536);

const server = createServer((request, response) => {
  const bytes = Number(/^\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
  if (bytes === 0) {
    response.writeHead(200, { 'content-length': page.length }).end(page);
    return;
  }
  response.writeHead(200, { 'content-length': bytes });
  let left = bytes;
  const write = (): void => {
    while (left > 0) {
      const next = part.subarray(0, Math.min(left, part.length));
      left -= next.length;
      if (!response.write(next)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
});
server.on('upgrade', (_request, socket) => {
  socket.on('error', () => undefined);
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  socket.pipe(socket);
});
server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
