import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { FieldProblem } from '@portico/contract/problem';
import type {
  Access,
  BodyOf,
  GivenAnswerOf,
  ParamsOf,
  QueryOf,
  Route,
  Schema,
} from '@portico/contract/route';
import {
  accessCheck,
  isOpenWire,
  type AccessOptions,
  type AccessSettings,
  type Caller,
} from './access-check.ts';
import { answerOpenPreflights, answerPreflights } from './cross-origin.ts';
import { HttpProblem } from './http-problem.ts';
import { boundedJsonParser } from './http-server.ts';
import { releaseBody, takePackedBody } from './packed-body.ts';
import { fieldProblems } from './validation.ts';

type CallerOf<R extends Route> = R['access'] extends 'signed-in' | 'session' | object
  ? Caller
  : R['access'] extends 'signed-in-or-allowed'
    ? Caller | null
    : null;

/** One call of a route, checked: its parts have the types that the contract declares. */
export type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  /**
   * Of a route with a `form` the bytes as they come, for `readForm`; of one with `bytes` too, for
   * `receiveBytes`.
   */
  body: R['form'] extends object ? Readable : R['bytes'] extends true ? Readable | undefined : BodyOf<R>;
  caller: CallerOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Handler<R extends Route> = (call: Call<R>) => GivenAnswerOf<R> | Promise<GivenAnswerOf<R>>;

/** Puts a declared route on the server. The only way in: nothing answers that is not declared. */
export type Serve = <const R extends Route>(
  route: R,
  handler: Handler<R>,
  options?: AccessOptions & {
    /** The name of members that hold base64, for `unpack`: the body may be larger than others for these. */
    packed?: string;
    /** A problem of its own for a body that does not fit its schema, or null for INVALID_BODY. */
    refusal?: (errors: FieldProblem[]) => HttpProblem | null;
  },
) => void;

export type ServeOptions = AccessSettings & {
  /**
   * Every declared route lands here, for `/openapi.json`, the 405 answer and the tests that walk them all.
   */
  declared: Route[];
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Where browsers go: a person sees what it answers. */
    page?: boolean;
    /** An endpoint of OAuth 2, whose errors are RFC 6749's. */
    oauth?: boolean;
    /** Takes `multipart/form-data`; every other route refuses it. */
    form?: boolean;
  }
}

/** Bytes of JSON; beside what is packed in it, where a route takes that. */
const usualBody = 262_144;

/**
 * Declares a route and answers it. In this order: who is calling, the rate limit, the right, the maintenance
 * gate (all before the body is read), then params, query and body against their schemas, then the feature;
 * its answer is cut to its schema.
 */
export function createServe(fastify: FastifyInstance, options: ServeOptions): Serve {
  fastify.decorateRequest('caller', null);

  return function serve(route, handler, { packed, refusal, ...checks } = {}) {
    options.declared.push(route);
    const raw = typeof route.answer === 'object' && 'raw' in route.answer;
    const answerSchema = raw || route.answer === 'nothing' ? null : route.answer;
    const status = route.status ?? (route.answer === 'nothing' ? 204 : 200);
    const needsBody = route.body !== undefined;
    const asItComes = route.form !== undefined || route.bytes === true;
    const form = route.form !== undefined;
    const served: RouteOptions = {
      method: route.method,
      url: route.path,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      // A HEAD on an event stream would open one.
      exposeHeadRoute:
        route.method === 'GET' && !(raw && (route.answer as { raw: string }).raw === 'text/event-stream'),
      config: { access: route.access, form, page: raw && isPage((route.answer as { raw: string }).raw) },
      onRequest: accessCheck(route, options, checks),
      handler:
        packed === undefined
          ? answerCall
          : async (request, reply) => {
              try {
                await answerCall(request, reply);
              } finally {
                releaseBody(request);
              }
              return reply;
            },
    };

    function answerCall(request: FastifyRequest, reply: FastifyReply): Promise<unknown> | undefined {
      const call = {
        params: checked(route.params, request.params, 'INVALID_REQUEST'),
        query: checked(route.query, request.query, 'INVALID_REQUEST'),
        body: needsBody
          ? checked(route.body, request.body, 'INVALID_BODY', refusal)
          : asItComes
            ? request.body
            : undefined,
        caller: request.caller,
        request,
        reply,
      } as unknown as Call<typeof route>;
      const answer: unknown = handler(call);
      if (answer instanceof Promise) {
        return answer.then((given: unknown) => {
          send(given, reply);
          return reply;
        });
      }
      send(answer, reply);
      return undefined;
    }

    function send(answer: unknown, reply: FastifyReply): void {
      if (raw) return;
      // A handler that has set 304 sends no body.
      if (reply.statusCode !== 304) {
        reply.code(status);
        if (reply.getHeader('cache-control') === undefined) reply.header('cache-control', 'no-store');
        if (answerSchema !== null) {
          void reply.send(z.parse(answerSchema, answer));
          return;
        }
      }
      void reply.send();
    }

    if (packed !== undefined) withPackedBody(fastify, packed, (inside) => inside.route(served));
    else if (route.bytes === true) withAnyBody(fastify, (inside) => inside.route(served));
    else fastify.route(served);
    if (checks.origins !== undefined) answerPreflights(fastify, route);

    if (isOpenWire(route.access)) answerOpenPreflights(fastify, route);
  };
}

/** A redirect is what a browser goes through on its way to a page. */
function isPage(raw: string): boolean {
  return raw === 'text/html' || raw === 'redirect';
}

/** Declares routes that take any bytes, whatever type their sender gives them. */
function withAnyBody(fastify: FastifyInstance, declare: (inside: FastifyInstance) => void): void {
  void fastify.register((inside, _options, done) => {
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload));
    declare(inside);
    done();
  });
}

/** Declares routes whose bodies are read by `takePackedBody`. */
function withPackedBody(
  fastify: FastifyInstance,
  member: string,
  declare: (inside: FastifyInstance) => void,
): void {
  void fastify.register((inside, _options, done) => {
    const usual = boundedJsonParser(inside);
    inside.removeContentTypeParser('application/json');
    inside.addContentTypeParser('application/json', (request: FastifyRequest, payload: IncomingMessage) =>
      takePackedBody(request, payload, {
        member,
        most: usualBody,
        parse(rest) {
          const read: { error: Error | null; value: unknown } = { error: null, value: undefined };
          usual(request, rest, (error, value) => Object.assign(read, { error, value }));
          if (read.error !== null) throw read.error;
          return read.value;
        },
      }),
    );
    declare(inside);
    done();
  });
}

function checked(
  schema: Schema | undefined,
  value: unknown,
  code: 'INVALID_REQUEST' | 'INVALID_BODY',
  refusal?: (errors: FieldProblem[]) => HttpProblem | null,
): unknown {
  if (schema === undefined) return {};
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const errors: FieldProblem[] = fieldProblems(result.error.issues);
  throw refusal?.(errors) ?? new HttpProblem(code, { errors });
}
