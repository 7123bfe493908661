import type { FastifyInstance } from 'fastify';

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
