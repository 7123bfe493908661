import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a stop waits for requests that run and for clients that do not read; then they are cut off. */
const timeoutMs = 8_000;
const lookAgainMs = 25;

/**
 * Lets a stop wait for running requests and for nothing else (RUN-2). Node alone would wait a minute for
 * connections that browsers open in advance and have not used yet, and for keep-alive connections whose last
 * request ended during the stop.
 */
export function closeGracefully(fastify: FastifyInstance): void {
  const { server } = fastify;
  const sockets = new Set<Socket>();
  let again: NodeJS.Timeout | undefined;
  let cutOff: NodeJS.Timeout | undefined;
  server.on('connection', (socket: Socket) => {
    // A connection with an offer to upgrade is reported again for each such request (`readWithoutUpgrade`).
    if (sockets.has(socket)) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    // The framework closes a server of ours only where it listens.
    if (!server.listening) return done();
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    again = setInterval(() => server.closeIdleConnections(), lookAgainMs);
    cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs);
    done();
  });
  // Later than the server's own `close`, which does not wait for the connections of other sockets (`listenOn`).
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(again);
    clearTimeout(cutOff);
    done();
  });
}
