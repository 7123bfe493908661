import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Route } from '@portico/contract/route';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { openChangeFeed } from './platform/change-feed.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { holdDataFolder } from './platform/data-folder.ts';
import { openDatabase, type Database } from './platform/database.ts';
import { createHttpServer } from './platform/http-server.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { createPages } from './platform/page.ts';
import { createRateLimit } from './platform/rate-limit.ts';
import { createServe } from './platform/serve.ts';

/** What a test may put in place of the outside. */
export type Edges = { clock?: Clock; logger?: Logger };

/** Portico, ready to listen. */
export type App = {
  fastify: FastifyInstance;
  database: Database;
  /** Every route that the contract declares and this app serves. */
  declared: readonly Route[];
  /** Starts to listen; answers the address. */
  listen(): Promise<string>;
  /** Not ready → streams closed with a spread retry → requests finished → closed (RUN-2). */
  stop(): Promise<void>;
};

const webDir = join(import.meta.dirname, '../../web/dist');

/** The composition root: the features, in the order in which they build on each other. */
export async function createApp(config: Config, edges: Edges = {}): Promise<App> {
  const clock = edges.clock ?? systemClock;
  const logger = edges.logger ?? createLogger(config.logLevel);
  const folder = config.database.engine === 'sqlite' ? holdDataFolder(config.dataDir) : null;
  if (folder === null) mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });

  const database = await openDatabase(config.database, clock);
  const feed = await openChangeFeed(database, logger);
  const declared: Route[] = [];
  const secure = config.publicUrl.startsWith('https:');
  const fastify = createHttpServer({ logger, trustProxy: config.trustProxy, secure, declared });
  let stopping = false;

  const serve = createServe(fastify, {
    entrance: {},
    publicUrl: config.publicUrl,
    limits: {
      caller: createRateLimit({ burst: 300, perSecond: 30 }, clock, config.rateLimitScale),
      address: createRateLimit({ burst: 3_000, perSecond: 300 }, clock, config.rateLimitScale),
    },
    declared,
  });
  const pages = createPages({
    webDir,
    connectTo: [config.flagsHost?.host, config.geoserverDevelopUrl].filter((host) => host != null),
    reload: !config.production,
  });

  await fastify.register(fastifyStatic, {
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  });
  healthRoutes(serve, { read: database.read, stopping: () => stopping, declared, version: packageJson.version });

  return {
    fastify,
    database,
    declared,
    listen: () => fastify.listen({ host: config.host, port: config.port }),
    async stop() {
      stopping = true;
      await fastify.close();
      await feed.close();
      await database.close();
      folder?.release();
    },
  };
}
