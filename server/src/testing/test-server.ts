import type { FastifyInstance } from 'fastify';
import type { Route } from '#contract/route.ts';
import { systemClock, type Clock } from '../platform/time/clock.ts';
import { placeFront } from '../platform/http/front.ts';
import { createHosts } from '../platform/http/hosts.ts';
import { listenOn } from '../platform/http/listen.ts';
import { createHttpServer, securityHeaders, type StrictTransport } from '../platform/http/http-server.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { createLogger } from '../platform/log/logger.ts';
import { createAddressLimit, createRateLimit, type Limit } from '../platform/http/rate-limit.ts';
import type { Caller, AccessControl } from '../platform/http/access-check.ts';
import { createServe, type Serve } from '../platform/http/serve.ts';
import type { LogLine } from './app.ts';
import { afterThisTest } from './fresh-database.ts';

export type TestServer = {
  url: string;
  port: number;
  fastify: FastifyInstance;
  log: LogLine[];
  stop(): Promise<void>;
};

export type TestServerOptions = {
  /**
   * The caller that a bearer (or the session cookie's text) identifies, or the problem that it is refused
   * with.
   */
  callers?: Record<string, Caller | HttpProblem>;
  rights?: Record<string, readonly string[]>;
  closed?: AccessControl['closed'];
  clock?: Clock;
  limits?: { caller?: Limit; address?: Limit };
  strictTransport?: StrictTransport;
};

export const publicUrl = 'http://localhost:3000';
/** The hosts of a test's server on this machine, which accept what a test sends. */
export const localHosts = createHosts({ origin: publicUrl, others: [], trustProxy: false });

/**
 * The platform's server with its access checks on a real port, with routes of the test's own; stopped after
 * it.
 */
export async function startTestServer(
  declare: (serve: Serve) => void,
  options: TestServerOptions = {},
): Promise<TestServer> {
  const log: LogLine[] = [];
  const logger = createLogger('debug', { write: (line) => log.push(JSON.parse(line) as LogLine) });
  const declared: Route[] = [];
  const clock = options.clock ?? systemClock;
  const plenty: Limit = { burst: 10_000, perSecond: 10_000 };
  const fastify = createHttpServer({
    logger,
    trustProxy: false,
    hosts: localHosts,
    securityHeaders: securityHeaders(options.strictTransport ?? null),
    declared,
  });
  const identify = (secret: string) => {
    const found = options.callers?.[secret] ?? new HttpProblem('TOKEN_INVALID');
    return found instanceof HttpProblem ? Promise.reject(found) : Promise.resolve(found);
  };
  declare(
    createServe(fastify, {
      accessControl: {
        identify,
        identifySession: (cookie) => identify(cookie ?? 'no session'),
        refuseUnproved: async () => undefined,
        rightsOf: (caller) => new Set(options.rights?.[caller.id]),
        closed: options.closed ?? (() => ({ mode: 'off', retryAfter: 60 })),
      },
      hosts: localHosts,
      watchBody: () => undefined,
      limits: {
        caller: createRateLimit(options.limits?.caller ?? plenty, clock, 1),
        address: createAddressLimit(options.limits?.address ?? plenty, clock, 1),
      },
      declared,
      creations: { once: async (_call, work) => work(), sweep: async () => 0 },
    }),
  );
  placeFront(fastify, { basePath: '', hosts: localHosts, stopping: () => false, logger });
  await listenOn(fastify, { host: '127.0.0.1', port: 0 });
  const stop = () => fastify.close();
  afterThisTest(stop);
  const address = fastify.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, port, fastify, log, stop };
}
