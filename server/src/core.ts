import type { FastifyInstance } from 'fastify';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import type { ChangeFeed } from './platform/database/change-feed.ts';
import type { Database, Writer } from './platform/database/database.ts';
import { createHosts, hostsOf, type Hosts } from './platform/http/hosts.ts';
import { securityHeaders } from './platform/http/http-server.ts';
import {
  createAddressLimit,
  createRateLimit,
  type Limit,
  type RateLimit,
} from './platform/http/rate-limit.ts';
import type { Serve } from './platform/http/serve.ts';
import { createSlowBodies, type SlowBodies } from './platform/http/slow-bodies.ts';
import type { Logger } from './platform/log/logger.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import type { Clock } from './platform/time/clock.ts';
import { sweepInBatches } from './platform/time/periodic.ts';

/** What every feature receives. */
export type Core = {
  config: Config;
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  hosts: Hosts;
  /** Counts nothing unless someone may read metrics. */
  metrics: Metrics;
  /** Headers that every answer carries. */
  securityHeaders: Record<string, string>;
  /** Portico's own version. */
  version: string;
  rateLimit(limit: Limit): RateLimit;
  /** Makes a rate limit whose keys are addresses; it counts by their network. */
  addressLimit(limit: Limit): RateLimit;
  /** Cuts off a body that comes too slowly from a caller who is not signed in. */
  watchBody: SlowBodies['watch'];
  /** Throws while the database does not answer. */
  storageAnswers(): Promise<void>;
  /** A sweep in small transactions; `expired` removes up to `most` rows and returns how many. */
  sweeping(expired: (tx: Writer, now: number, most: number) => Promise<number>): () => Promise<void>;
};

/** What the application does for a feature: its routes, its start, periodic sweeps, and its part of a stop. */
export type Feature = {
  /** Declares its routes; `fastify` is for what no contract declares, such as the endpoints of the provider. */
  routes?(serve: Serve, fastify: FastifyInstance): void;
  /** Called once, when all features are created, before the server listens. */
  start?(): void | Promise<void>;
  /** Periodic removals, by the name under which a failure is logged. */
  sweeps?: Record<string, () => Promise<unknown>>;
  /** Ends open streams, before the requests under way are finished. */
  endStreams?(): void | Promise<void>;
  /** Called after the last request, for the features of upper layers first. */
  close?(): void | Promise<void>;
};

export function createCore(given: Pick<Core, 'config' | 'database' | 'feed' | 'clock' | 'logger'>): Core {
  const { config, database, clock } = given;
  return {
    ...given,
    hosts: createHosts({ ...config, others: hostsOf(config.upstreams), internal: config.internalHosts }),
    metrics: createMetrics(config.metrics !== null),
    securityHeaders: securityHeaders(config.publicUrl.startsWith('https:') ? config.strictTransport : null),
    version: packageJson.version,
    rateLimit: (limit) => createRateLimit(limit, clock, config.rateLimitScale),
    addressLimit: (limit) => createAddressLimit(limit, clock, config.rateLimitScale),
    watchBody: createSlowBodies().watch,
    async storageAnswers() {
      await database.read.selectFrom('revision').select('n').executeTakeFirstOrThrow();
    },
    sweeping: (expired) => () => sweepInBatches(database, (tx, most) => expired(tx, clock.now(), most)),
  };
}
