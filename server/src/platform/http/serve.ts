import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { FieldProblem } from '@portico/contract/problem';
import {
  whileClosed,
  type Access,
  type BodyOf,
  type GivenAnswerOf,
  type ParamsOf,
  type QueryOf,
  type Route,
  type Schema,
} from '@portico/contract/route';
import { sessionHeader } from '@portico/contract/session';
import { answerOpenPreflights, answerPreflights, checkOrigin } from './cross-origin.ts';
import { HttpProblem } from './http-problem.ts';
import { boundedJsonParser } from './http-server.ts';
import { giveBackBody, takePackedBody } from './packed-body.ts';
import type { RateLimit } from './rate-limit.ts';
import { fieldProblems } from './validation.ts';

/** Who is calling, once that is checked. */
export type Caller = {
  kind: 'person' | 'token';
  /** The person's id; for an API token its own id. */
  id: string;
  /** What audit rows and "changed by" show: an e-mail address, or the token's name. */
  name: string;
  /** The session of a person; null for an API token. */
  sessionId: string | null;
};

/** What `serve` asks of the features; handed over in `app.ts`. */
export type Entrance = {
  /** The caller behind a bearer token. Throws TOKEN_EXPIRED, TOKEN_INVALID, SESSION_ENDED or PERSON_BLOCKED. */
  identify(bearer: string): Promise<Caller>;
  /**
   * The caller behind the session cookie. Throws SESSION_ENDED or PERSON_BLOCKED; `bearer` is what came along as a token, which may
   * show that the client is the one whose session it was.
   */
  identifySession(cookieHeader: string | undefined, bearer?: string | null): Promise<Caller>;
  /** The rights in force now, decided by the server, never from token claims (RIGHT-3). */
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** The maintenance gate (MAINT-6); `retryAfter` in seconds. */
  closed(): { mode: 'off' | 'read-only' | 'full'; retryAfter: number };
};

type CallerOf<R extends Route> = R['access'] extends 'signed-in' | 'session' | object
  ? Caller
  : R['access'] extends 'signed-in-or-allowed'
    ? Caller | null
    : null;

/** One call of a route, checked: its parts have the types that the contract declares. */
export type Call<R extends Route> = {
  params: ParamsOf<R>;
  query: QueryOf<R>;
  /** Of a route with a `form` the bytes as they come, for `readForm`. */
  body: R['form'] extends object ? Readable : BodyOf<R>;
  caller: CallerOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
};

export type Handler<R extends Route> = (call: Call<R>) => GivenAnswerOf<R> | Promise<GivenAnswerOf<R>>;

/** Puts a declared route on the server. The only way in: nothing answers that is not declared. */
export type Serve = <const R extends Route>(
  route: R,
  handler: Handler<R>,
  options?: {
    /** By address, before anything else is looked at. */
    limit?: RateLimit;
    /** For `signed-in-or-allowed`: what the installation's settings say. */
    withoutSignIn?: boolean;
    /** The origins whose pages may call it; left out, the browsers' own rule holds and only the installation's may. */
    origins?: readonly string[];
    /** Asked last, before the body is read; throws, or lets the request wait. */
    admit?: (request: FastifyRequest, reply: FastifyReply) => void | Promise<void>;
    /** The name of members that hold base64, for `unpack`: the body may be larger than others for these. */
    packed?: string;
    /** A problem of its own for a body that does not fit its schema, or null for INVALID_BODY. */
    refusal?: (errors: FieldProblem[]) => HttpProblem | null;
  },
) => void;

export type ServeOptions = {
  entrance: Entrance;
  /** Origin of the installation, for the cross-site check. */
  publicUrl: string;
  limits: {
    /** By person or token. */
    caller: RateLimit;
    /** By address, with room for a whole office behind one (API-2). */
    address: RateLimit;
  };
  /** Every declared route lands here, for `/openapi.json`, the 405 answer and the tests that walk them all. */
  declared: Route[];
};

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
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
 * Declares a route and answers it. In this order: who is calling, the rate limit, the right, the maintenance gate (all before the body
 * is read), then params, query and body against their schemas, then the feature; its answer is cut to its schema.
 */
export function createServe(fastify: FastifyInstance, options: ServeOptions): Serve {
  const { entrance, limits } = options;
  fastify.decorateRequest('caller', null);

  return function serve(
    route,
    handler,
    { limit, withoutSignIn = false, origins, admit, packed, refusal } = {},
  ) {
    options.declared.push(route);
    const { access } = route;
    const raw = typeof route.answer === 'object' && 'raw' in route.answer;
    const answerSchema = raw || route.answer === 'nothing' ? null : route.answer;
    const status = route.status ?? (route.answer === 'nothing' ? 204 : 200);
    const closing = whileClosed(route);
    const needsBody = route.body !== undefined;
    const form = route.form !== undefined;
    const self = typeof access === 'object' && 'self' in access ? access : null;

    const anonymous = access === 'public' || access === 'client-key' || access === 'one-time-link';
    const counted = anonymous && !(access === 'client-key' && route.method === 'GET');

    function letAnybodyIn(request: FastifyRequest, reply: FastifyReply): void {
      if (origins !== undefined) checkOrigin(request, reply, origins);
      limit?.take(request.ip);
      if (counted) limits.address.take(request.ip);
    }

    async function letIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      letAnybodyIn(request, reply);
      const caller = await callerOf(request);
      request.caller = caller;
      if (caller !== null) limits.caller.take(caller.id);
      if (typeof access === 'object') {
        const needed = 'right' in access ? access.right : isSelf(request, caller) ? null : access.orRight;
        if (needed !== null && !(await entrance.rightsOf(caller as Caller)).has(needed)) {
          throw new HttpProblem('RIGHT_MISSING', { detail: `The right ${needed} is needed.` });
        }
      }
      if (closing !== 'open') await checkGate(caller);
      await admit?.(request, reply);
    }

    async function callerOf(request: FastifyRequest): Promise<Caller | null> {
      if (anonymous) return null;
      const { authorization } = request.headers;
      const bearer =
        authorization !== undefined && /^Bearer +\S+$/i.test(authorization)
          ? authorization.slice(7).trim()
          : null;
      if (access === 'session') {
        refuseCrossSite(request, options.publicUrl);
        return orCountAgainstAddress(request, () => entrance.identifySession(request.headers.cookie, bearer));
      }
      if (access === 'signed-in-or-allowed' && withoutSignIn && authorization === undefined) {
        limits.address.take(request.ip);
        return null;
      }
      return orCountAgainstAddress(request, () => {
        if (bearer === null)
          throw new HttpProblem('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
        return entrance.identify(bearer);
      });
    }

    // Only failures count against the address: a whole office is one address behind its router.
    async function orCountAgainstAddress(
      request: FastifyRequest,
      identify: () => Promise<Caller>,
    ): Promise<Caller> {
      try {
        return await identify();
      } catch (error) {
        limits.address.take(request.ip);
        throw error;
      }
    }

    function isSelf(request: FastifyRequest, caller: Caller | null): boolean {
      if (self === null || caller === null || caller.kind !== 'person') return false;
      const params = request.params as Record<string, string>;
      if (params[self.self] === 'current') params[self.self] = caller.id;
      return params[self.self] === caller.id;
    }

    async function checkGate(caller: Caller | null): Promise<void> {
      const gate = entrance.closed();
      if (gate.mode === 'off' || (gate.mode === 'read-only' && closing === 'read')) return;
      if (caller !== null && (await entrance.rightsOf(caller)).has('MAINTENANCE_BYPASS')) return;
      throw new HttpProblem('MAINTENANCE', {
        retryAfter: gate.retryAfter,
        detail:
          gate.mode === 'full'
            ? 'Portico is closed for maintenance; nothing was changed.'
            : 'Nothing can be changed during maintenance; reading goes on. Nothing was changed.',
      });
    }

    const served: RouteOptions = {
      method: route.method,
      url: route.path,
      ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
      // A HEAD on an event stream would open one.
      exposeHeadRoute:
        route.method === 'GET' && !(raw && (route.answer as { raw: string }).raw === 'text/event-stream'),
      config: { access, form, page: raw && isPage((route.answer as { raw: string }).raw) },
      // Where nothing is waited for, no promise is made: it costs more than all the other checks.
      onRequest:
        anonymous && closing === 'open' && admit === undefined
          ? (request, reply, done) => {
              letAnybodyIn(request, reply);
              done();
            }
          : letIn,
      handler:
        packed === undefined
          ? answerCall
          : async (request, reply) => {
              try {
                await answerCall(request, reply);
              } finally {
                giveBackBody(request);
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
          : form
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
      // A handler that has set 304 has nothing more to say.
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
    else fastify.route(served);
    if (origins !== undefined) answerPreflights(fastify, route);

    if (access === 'client-key') answerOpenPreflights(fastify, route);
  };
}

/** A redirect is what a browser goes through on its way to a page. */
function isPage(raw: string): boolean {
  return raw === 'text/html' || raw === 'redirect';
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

/**
 * Refuses calls on the session cookie that another site could have caused: they need a header that no form and no
 * image can send, and, where the browser says where they come from, the installation's own origin (SES-2).
 */
function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (
    request.headers[sessionHeader] !== '1' ||
    (origin !== undefined && origin !== publicUrl) ||
    (site !== undefined && site !== 'same-origin')
  ) {
    throw new HttpProblem('CROSS_SITE');
  }
}
