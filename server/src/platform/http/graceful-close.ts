import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a stop waits for requests that run and for clients that do not read; then they are cut off. */
const timeoutMs = 8_000;
const lookAgainMs = 25;

/**
 * Lets a stop wait for running requests and for nothing else (RUN-2). Node alone would wait a minute for
 * connections that browsers open in advance and have not used yet, and for keep-alive connections whose last
 * request ended during the stop.
 *
 * @param stopping whether the stop has begun, which may be long before the server closes; from then on each
 *   answer has `Connection: close`, so that a connection is closed after an answer rather than under the next
 *   request (RFC 9112, 9.6)
 */
export function closeGracefully(fastify: FastifyInstance, stopping: () => boolean): void {
  const { server } = fastify;
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    if (stopping()) response.setHeader('connection', 'close');
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    // One that was offered for another protocol comes again with each such request (`placeFront`).
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const again = setInterval(() => server.closeIdleConnections(), lookAgainMs);
    const cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs);
    server.once('close', () => {
      clearInterval(again);
      clearTimeout(cutOff);
    });
    done();
  });
}
