import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { FieldProblem } from '#contract/problem.ts';
import type { Access, BodyOf, GivenAnswerOf, ParamsOf, QueryOf, Route, Schema } from '#contract/route.ts';
import {
  accessCheck,
  isOpenWire,
  type AccessOptions,
  type AccessSettings,
  type Caller,
} from './access-check.ts';
import { answerOpenPreflights, answerPreflights } from './cross-origin.ts';
import { creationIdOf, type Creations } from './creations.ts';
import { HttpProblem } from './http-problem.ts';
import { boundedJsonParser } from './http-server.ts';
import { releaseBody, takePackedBody } from './packed-body.ts';
import { fieldProblems } from './validation.ts';

type CallerOf<R extends Route> = R['access'] extends 'signed-in' | 'session' | object
  ? Caller
  : R['access'] extends 'signed-in-or-allowed'
    ? Caller | null
    : null;

/** A validated call of a route: its parts have the types that the contract declares. */
export type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  /** For a route with `form` or `bytes` the unread stream, for `readForm` or `receiveBytes`. */
  body: R['form'] extends object ? Readable : R['bytes'] extends true ? Readable | undefined : BodyOf<R>;
  caller: CallerOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Handler<R extends Route> = (call: Call<R>) => GivenAnswerOf<R> | Promise<GivenAnswerOf<R>>;

/** Adds a declared route to the server. No route is added in any other way. */
export type Serve = <const R extends Route>(
  route: R,
  handler: Handler<R>,
  options?: AccessOptions & {
    /** The name of members with base64, for `unpack`: bodies may exceed the usual limit by these. */
    packed?: string;
    /** A problem of its own for a body that does not fit its schema, or null for INVALID_BODY. */
    refusal?: (errors: FieldProblem[]) => HttpProblem | null;
  },
) => void;

export type ServeOptions = AccessSettings & {
  /** Receives every declared route, for `/openapi.json`, the 405 answer, and tests over all routes. */
  declared: Route[];
  creations: Creations;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
    /** Stays open, as event streams do. */
    stream?: boolean;
    /** A page that browsers navigate to. */
    page?: boolean;
    /** Is answered whatever host the request names. */
    anyHost?: boolean;
    /** What the route answers in place of a problem. */
    failure?: Route['failure'];
    /** An OAuth 2 endpoint, whose errors follow RFC 6749. */
    oauth?: boolean;
    /** Accepts `multipart/form-data`; all other routes refuse it. */
    form?: boolean;
  }
}

/** The limit of a JSON body in bytes, without the base64 of `packed`. */
const usualBody = 262_144;

/**
 * Declares a route and answers its calls. Before the body is read: identify the caller, rate limit, right,
 * maintenance gate. Then params, query and body are validated against their schemas, the handler runs, and
 * its answer is reduced to the fields of its schema.
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
    const stream = raw && (route.answer as { raw: string }).raw === 'text/event-stream';
    const served: RouteOptions = {
      method: route.method,
      url: route.path,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      // A HEAD on an event stream would open one.
      exposeHeadRoute: route.method === 'GET' && !stream,
      config: {
        access: route.access,
        anyHost: route.anyHost ?? false,
        failure: route.failure,
        form,
        stream,
        page: raw && isPage((route.answer as { raw: string }).raw),
      },
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
      const answer: unknown =
        route.creates === true && answerSchema !== null
          ? options.creations.once(
              {
                id: creationIdOf(request.headers),
                caller: request.caller as Caller,
                route: { ...route, answer: answerSchema },
                input: form ? null : [call.params, call.query, call.body],
              },
              () => handler(call),
            )
          : handler(call);
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

/** A redirect counts as a page: browsers pass it on their way to one. */
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
