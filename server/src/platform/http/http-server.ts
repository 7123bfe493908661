import { isUtf8 } from 'node:buffer';
import { createServer } from 'node:http';
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { ProblemCode } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { isOpenWire } from './access-check.ts';
import { closeGracefully } from './graceful-close.ts';
import { HttpProblem, problemBody, type ProblemDetails } from './http-problem.ts';
import { namesOneHost, type Hosts } from './hosts.ts';
import { newId } from '../keys/ids.ts';
import { jsonLossProblem, jsonShapeProblem } from './json-shape.ts';
import type { RequestCounts } from '../metrics/request-counts.ts';
import { createRequestLogger, type Logger } from '../log/logger.ts';
import { asksForPage } from './page.ts';
import { isStorageFailure } from '../database/storage-failure.ts';
import { ObjectStoreError } from '../object-store/object-store-error.ts';
import { answerUnreadable } from './socket-problems.ts';
import { discardUnread } from './receive-bytes.ts';

export type HttpServerOptions = {
  logger: Logger;
  trustProxy: false | number | string[];
  hosts: Pick<Hosts, 'usedBy' | 'unknownDetail'>;
  /** What every answer carries, as `securityHeaders` makes them. */
  securityHeaders: Record<string, string>;
  /** Counts every answer; left out or null: nothing is measured. */
  requests?: Pick<RequestCounts, 'answered'> | null;
  /** The routes declared so far, for the 405 answer. */
  declared: readonly Route[];
  /** Answers a browser while the storage does not work; left out, browsers get the same problem as programs. */
  storagePage?: StoragePage;
};

/** @param retryAfter seconds, for the header */
export type StoragePage = (request: FastifyRequest, reply: FastifyReply, retryAfter: number) => FastifyReply;

/** For whom browsers use https alone (RFC 6797): this host, its subdomains as well, or none. */
export type StrictTransport = 'host' | 'subdomains' | null;

/**
 * What every answer carries, pages and files included.
 *
 * @param strictTransport null where the public URL is not https
 */
export function securityHeaders(strictTransport: StrictTransport): Record<string, string> {
  const subdomains = strictTransport === 'subdomains' ? '; includeSubDomains' : '';
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    ...(strictTransport === null ? {} : { 'strict-transport-security': `max-age=31536000${subdomains}` }),
  };
}

/** Fastify with Portico's errors, headers and request log; no route yet, and answers nothing before `placeFront`. */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { trustProxy, hosts, securityHeaders: headers } = options;
  const requests = createRequestLogger(options.logger);
  const { requests: counts = null } = options;
  const fastify = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // A logger for each request costs more than the line that most requests write, which names the request
    // itself.
    childLoggerFactory: (logger) => logger,
    genReqId: newId,
    requestIdHeader: false,
    trustProxy:
      typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : trustProxy,
    bodyLimit: 262_144,
    // `placeFront` attaches the listeners, and gives the framework the requests that they leave.
    serverFactory: () =>
      createServer({
        // Ends a client that never finishes its request; event streams are answers and not affected. Files of
        // 25 MiB over a slow line take minutes; a request's headers alone may not (Node's own limit, 60 s).
        requestTimeout: 300_000,
        keepAliveTimeout: 72_000,
        // Our own check answers a missing `Host` header with a problem document.
        requireHostHeader: false,
      }),
    forceCloseConnections: 'idle',
    // Requests during a stop are still served, and their connection closed; /readyz reports the stop.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 300 },
    // A path that cannot be decoded: no hook of ours runs for it.
    frameworkErrors(error, request, reply) {
      void answerError(error, request, reply.headers(headers));
      requests.info({ requestId: request.id, req: request, res: reply, ms: 0 }, 'request');
    },
    clientErrorHandler: answerUnreadable,
  }) as unknown as FastifyInstance;

  // No bound on the number of headers; their bytes are bounded. Beyond that number Node 20 does not interpret
  // headers, even a length, but still lists them, and Node 24 refuses the request.
  fastify.server.maxHeadersCount = 0;
  // Only JSON is accepted, no type that a form of another site can send without a preflight (RFC 9110 15.5.16).
  fastify.removeContentTypeParser('text/plain');
  const parse = boundedJsonParser(fastify);
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Replaced bytes would be stored as other characters (RFC 8259, 8.1).
    if (isUtf8(body) || isOpenWire(request.routeOptions.config.access)) parse(request, body.toString(), done);
    else done(new HttpProblem('BAD_JSON', { detail: 'The body is not UTF-8.' }));
  });
  // Forms with files go unparsed to the routes that declare a form; all other routes refuse them.
  fastify.addContentTypeParser('multipart/form-data', (request, body, done) => {
    if (request.routeOptions.config.form === true) done(null, body);
    else done(new HttpProblem('UNSUPPORTED_MEDIA_TYPE', { detail: jsonAlone }));
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers);
    if (!namesOneHost(request.raw))
      done(new HttpProblem('INVALID_REQUEST', { detail: 'A request has exactly one Host header.' }));
    else if (request.routeOptions.config.anyHost === true || hosts.usedBy(request.raw) !== null) done();
    else done(new HttpProblem('UNKNOWN_HOST', { detail: hosts.unknownDetail }));
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    const { routeOptions } = request;
    counts?.answered(routeOptions, reply);
    const level = isRoutine(routeOptions, reply) ? 'debug' : 'info';
    if (requests.isLevelEnabled(level)) {
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      requests[level]({ requestId: request.id, req: request, res: reply, ms }, 'request');
    }
    done();
  });
  closeGracefully(fastify);
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply, options.storagePage));
  fastify.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(options.declared, request.url.split('?', 1)[0] ?? '');
    // A parameter too long for any route leads here with the right method.
    if (allowed.length > 0 && !allowed.some((method) => method === request.method)) {
      return answerProblem(request, reply, 'METHOD_NOT_ALLOWED', { headers: { allow: allowed.join(', ') } });
    }
    return answerProblem(request, reply, 'NOT_FOUND', {});
  });
  return fastify;
}

/**
 * Whether a request is logged at level debug only: every client asks the flag wire once a minute, and errors come
 * by the thousand, also where they are refused.
 */
function isRoutine({ config }: FastifyRequest['routeOptions'], { statusCode }: FastifyReply): boolean {
  return (
    isOpenWire(config.access) &&
    (statusCode < 400 ||
      // Code that uses a flag that is off asks for it at each of its own requests.
      (config.failure !== undefined && statusCode === 404) ||
      (config.access === 'project-key' && statusCode === 429))
  );
}

/**
 * Fastify's own parser of JSON, for bodies whose shape is bounded; gives BAD_JSON for others, and INVALID_BODY
 * where a value would be read as another one. The clients of open wires send what their platform writes, which is
 * accepted as JavaScript reads it.
 */
export function boundedJsonParser(fastify: FastifyInstance) {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  const parseAll = fastify.getDefaultJsonParser('ignore', 'ignore');
  return (
    request: FastifyRequest,
    text: string,
    done: (error: Error | null, value?: unknown) => void,
  ): void => {
    const problem = jsonShapeProblem(text);
    if (problem !== null) done(new HttpProblem('BAD_JSON', { detail: problem }));
    else if (isOpenWire(request.routeOptions.config.access)) void parse(request, text, done);
    else {
      void parseAll(request, text, (error, value) => {
        const loss = error === null ? jsonLossProblem(text) : null;
        done(loss ?? error, value);
      });
    }
  };
}

/** Codes of Fastify's own errors, and of the parser's, in ours. */
const frameworkCodes: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_REQUEST',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'INVALID_REQUEST',
  FST_ERR_MAX_PARAM_LENGTH: 'NOT_FOUND',
  FST_ERR_ASYNC_CONSTRAINT: 'INVALID_REQUEST',
};

/** When to ask again while the database or the disk does not work. */
const storageRetrySeconds = 5;

/** Our codes for the framework's 4xx. A path that leads out of a folder (403) counts as not found. */
const refusedCodes: Record<number, ProblemCode> = {
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
};

const jsonAlone = 'Send the body as application/json.';
const formAlone = 'Send the body as multipart/form-data.';

function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  storagePage?: StoragePage,
): FastifyReply {
  if (error instanceof HttpProblem) return answerProblem(request, reply, error.code, error.details);
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const known = code === undefined ? undefined : frameworkCodes[code];
  if (known === 'UNSUPPORTED_MEDIA_TYPE') {
    const detail = request.routeOptions.config.form === true ? formAlone : jsonAlone;
    return answerProblem(request, reply, known, { detail });
  }
  if (known !== undefined) return answerProblem(request, reply, known, {});
  // secure-json-parse and Node's own parser errors carry 4xx without a code of Fastify's.
  if (statusCode === 400 && error instanceof SyntaxError)
    return answerProblem(request, reply, 'BAD_JSON', {});
  // What the framework and its plugins refuse is the client's mistake, which should not fill the log.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    request.log.debug({ requestId: request.id, err: error }, 'a request was refused');
    const refused = refusedCodes[statusCode];
    if (refused !== undefined) return answerProblem(request, reply, refused, {});
    return answerProblem(request, reply, 'INVALID_REQUEST', {}, statusCode);
  }
  if (isStorageFailure(error)) {
    request.log.error({ requestId: request.id, err: error, req: request }, 'the storage failed a request');
    if (storagePage !== undefined && request.routeOptions.config.page === true && asksForPage(request)) {
      try {
        discardUnread(request.raw);
        return storagePage(request, reply, storageRetrySeconds);
      } catch (unreadable) {
        request.log.error({ requestId: request.id, err: unreadable }, 'the page for it cannot be made');
      }
    }
    return answerProblem(request, reply, 'UNAVAILABLE', {
      detail: 'The storage does not work now. Send the same again later.',
      retryAfter: storageRetrySeconds,
    });
  }
  if (error instanceof ObjectStoreError) {
    request.log.error(
      { requestId: request.id, err: error, req: request },
      'the object store failed a request',
    );
    return answerProblem(request, reply, 'FILES_UNAVAILABLE', {
      detail: 'The store of the files does not answer now. Send the same again later.',
      retryAfter: storageRetrySeconds,
    });
  }
  request.log.error({ requestId: request.id, err: error, req: request }, 'a request failed');
  return answerProblem(request, reply, 'INTERNAL', {
    detail: 'The operator finds the cause in the log under the request id.',
  });
}

function answerProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ProblemCode,
  details: ProblemDetails,
  /** The HTTP status, where none of our codes has it. */
  status?: number,
): FastifyReply {
  discardUnread(request.raw);
  const body = problemBody(code, details, request.id);
  if (status !== undefined) body.status = status;
  reply
    .code(body.status)
    .header('cache-control', 'no-store')
    .headers(details.headers ?? {});
  if (details.retryAfter !== undefined) reply.header('retry-after', String(details.retryAfter));
  // GrowthBook's wire and Sentry's have error bodies of their own, readable from other origins.
  const { access, failure } = request.routeOptions.config;
  if (isOpenWire(access)) {
    const error = details.detail ?? body.title;
    reply.header('access-control-allow-origin', '*');
    if (failure !== undefined)
      return reply
        .header('access-control-expose-headers', 'retry-after')
        .send(failure(code, error, request.params as object));
    if (access === 'client-key') return reply.send({ status: body.status, error });
    return reply
      .headers({ 'access-control-expose-headers': 'x-sentry-error', 'x-sentry-error': error })
      .send({ detail: error, code });
  }
  // RFC 6749 4.1.2.1; clients of the token endpoint know it too.
  if (request.routeOptions.config.oauth === true && code === 'UNAVAILABLE') {
    return reply.send({ error: 'temporarily_unavailable', error_description: details.detail ?? body.title });
  }
  return reply.type('application/problem+json').send(JSON.stringify(body));
}

function methodsAt(declared: readonly Route[], path: string): string[] {
  const parts = path.split('/');
  const matching = declared.filter((route) => {
    const pattern = route.path.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, index) => part.startsWith(':') || part === parts[index])
    );
  });
  return [...new Set(matching.map((route) => route.method))];
}
