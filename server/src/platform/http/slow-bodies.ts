import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { networkOf, sitesRoom } from './network.ts';

export type SlowBodies = ReturnType<typeof createSlowBodies>;

/** The time between two checks, and the bytes that must come in that time: 400 a second. */
const checkMs = 10_000;
const leastBytes = 4_096;
/** The most bodies of one network that may still be coming at a check; later ones are cut off. */
const mostOfNetwork = 200;

type Coming = ReturnType<typeof networkOf> & { bytes: number; wasRead: boolean };

/**
 * Limits the bodies of callers who are not signed in. A body that comes more slowly than any line is cut off, and
 * so are bodies beyond a number from one network: no one holds connections for minutes at no cost. A body that the
 * server itself does not read now, since it waits for its place, is not slow.
 */
export function createSlowBodies({ most = mostOfNetwork }: { most?: number } = {}) {
  const coming = new Map<IncomingMessage, Coming>();
  let timer: NodeJS.Timeout | undefined;

  function forget(this: IncomingMessage): void {
    coming.delete(this);
  }

  function check(): void {
    const counts = new Map<string, number>();
    for (const [request, body] of coming) {
      const { bytesRead } = request.socket;
      const isRead = request.readableFlowing === true;
      const count = (counts.get(body.network) ?? 0) + 1;
      const isSlow = isRead && body.wasRead && bytesRead - body.bytes < leastBytes;
      const ofSite = body.site === null ? 0 : (counts.get(body.site) ?? 0) + 1;
      if (isSlow || count > most || ofSite > most * sitesRoom) {
        coming.delete(request);
        request.destroy();
        continue;
      }
      counts.set(body.network, count);
      if (body.site !== null) counts.set(body.site, ofSite);
      body.bytes = bytesRead;
      body.wasRead = isRead;
    }
    if (coming.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** @param address IP address of the client */
    watch(request: IncomingMessage, address: string): void {
      const { headers } = request;
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
      if (request.complete) return;
      coming.set(request, { ...networkOf(address), bytes: 0, wasRead: false });
      request.once('end', forget).once('close', forget);
      timer ??= setInterval(check, checkMs).unref();
    },
    /** Called every ten seconds while a body is coming. */
    check,
  };
}

/**
 * Lifts the time limit for requests to applications, since Node's own limit is one for the whole server. Portico's
 * own requests still have one.
 *
 * @param ownMs how long a request of Portico's may take to arrive
 */
export function takeLongUploads(fastify: FastifyInstance, ownMs = fastify.server.requestTimeout): void {
  // The time for a request's headers stays limited.
  fastify.server.requestTimeout = 0;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.raw.complete) {
      const timer = setTimeout(() => {
        if (!request.raw.complete) request.raw.destroy();
      }, ownMs);
      timer.unref();
      reply.raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
}
