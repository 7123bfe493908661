import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '@portico/contract/route';
import { timeOffsetHeader } from '@portico/contract/profile';
import { HttpProblem } from './http-problem.ts';

/** What pages of other origins may send beside what needs no permission; never cookies. */
const allowedHeaders = ['authorization', 'content-type', timeOffsetHeader].join(', ');

/**
 * Refuses pages of origins that are not listed, with ORIGIN_NOT_ALLOWED; who names no origin is no page. Also the
 * refusal can be read where it is refused, so that a page can tell it from a network failure (BUG-4).
 */
export function checkOrigin(request: FastifyRequest, reply: FastifyReply, listed: readonly string[]): void {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after',
  });
  if (!listed.includes(origin)) {
    throw new HttpProblem('ORIGIN_NOT_ALLOWED', {
      detail: `Pages of ${origin} may not send this; the operator can list the origin.`,
    });
  }
}

/** Answers browsers that ask whether a page of another origin may call the route (Fetch standard, CORS preflight). */
export function answerPreflights(fastify: FastifyInstance, { path, method }: Route): void {
  fastify.options(path, (request, reply) =>
    reply
      .code(204)
      .headers({
        vary: 'Origin',
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-methods': method,
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '7200',
      })
      .send(),
  );
}
