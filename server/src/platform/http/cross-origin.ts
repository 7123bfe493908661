import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Route } from '#contract/route.ts';
import { timeOffsetHeader } from '#features/profile/contract/profile.ts';
import { sessionHeader } from '#features/session/contract/session.ts';
import { HttpProblem } from './http-problem.ts';

/** What pages of other origins may send in addition to what needs no permission; never cookies. */
const allowedHeaders = ['authorization', 'content-type', timeOffsetHeader].join(', ');

/**
 * Refuses pages of origins that are not listed, with ORIGIN_NOT_ALLOWED; a request without an origin comes
 * from no page. The page can read the refusal, to distinguish it from a network failure (BUG-4).
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

/** Answers whether a page of another origin may call the route (Fetch standard, CORS preflight). */
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

/** A header's name or a method (RFC 9110, 5.6.2). */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const mostAllowed = 50;

/**
 * Answers the preflights of GrowthBook's wire as its proxy does: pages of every origin may call it, with the
 * headers and the method that they ask for, and never with cookies. An SDK sends whatever headers its
 * application gives it.
 */
export function answerOpenPreflights(fastify: FastifyInstance, { path, method }: Route): void {
  // One answer for all methods of a path.
  if (fastify.hasRoute({ method: 'OPTIONS', url: path })) return;
  fastify.options(path, (request, reply) => {
    const asked = namesIn(request.headers['access-control-request-method']);
    // What proves a call of Portico's own pages (SES-2) is granted to no other origin, wherever it is asked
    // for.
    const headers = namesIn(request.headers['access-control-request-headers']).filter(
      (name) => name.toLowerCase() !== sessionHeader,
    );
    return reply
      .code(204)
      .headers({
        vary: 'Access-Control-Request-Method, Access-Control-Request-Headers',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': [...new Set([method, ...asked, 'OPTIONS'])].join(', '),
        ...(headers.length === 0 ? {} : { 'access-control-allow-headers': headers.join(', ') }),
        'access-control-max-age': '86400',
      })
      .send();
  });
}

/** The names in a header that lists them, each once whatever its case; what is no name is left out. */
function namesIn(list: string | undefined): string[] {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => token.test(name));
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].slice(0, mostAllowed);
}
