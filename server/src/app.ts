import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Route } from '@portico/contract/route';
import packageJson from '../package.json' with { type: 'json' };
import type { Config } from './config.ts';
import { createApiTokens } from './features/api-tokens/api-tokens.ts';
import { recordAudit } from './features/audit/audit.store.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { createAccounts, embeddedIssuer } from './features/identity-provider/accounts.ts';
import { createAdministration } from './features/people/administration.ts';
import { createPeople } from './features/people/people.ts';
import { peopleRoutes } from './features/people/people.routes.ts';
import { rolesThatGive } from './features/permissions/decide-rights.ts';
import { createPermissions } from './features/permissions/permissions.ts';
import { permissionsRoutes } from './features/permissions/permissions.routes.ts';
import { setRolesOf } from './features/permissions/permissions.store.ts';
import { addProfile } from './features/profile/profile.store.ts';
import { profileRoutes } from './features/profile/profile.routes.ts';
import { endSessionsOf } from './features/session/session.store.ts';
import { openChangeFeed } from './platform/change-feed.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { holdDataFolder } from './platform/data-folder.ts';
import { openDatabase, type Database } from './platform/database.ts';
import { HttpProblem } from './platform/http-problem.ts';
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

  const accounts = createAccounts({ database, clock, publicUrl: config.publicUrl });
  const people = createPeople({ database, feed });
  const apiTokens = createApiTokens({ database, feed, clock, standing: people.standing });
  const permissions = createPermissions({ database, feed, tokenGrant: apiTokens.grantOf });
  const administration = createAdministration({
    accounts: { issuer: embeddedIssuer, invite: accounts.invite, renewLink: accounts.renewLink },
    addProfile,
    setRolesOf,
    managingRoles: rolesThatGive('PEOPLE_WRITE'),
    endSessionsOf,
    recordAudit,
  });

  const serve = createServe(fastify, {
    entrance: {
      identify: apiTokens.identify,
      identifySession: () => Promise.reject(new HttpProblem('SESSION_ENDED')),
      rightsOf: permissions.rightsOf,
      closed: () => ({ mode: 'off', retryAfter: 60 }),
    },
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
  healthRoutes(serve, {
    read: database.read,
    stopping: () => stopping,
    declared,
    version: packageJson.version,
  });
  profileRoutes(serve, { read: database.read });
  permissionsRoutes(serve, permissions);
  peopleRoutes(serve, { database, administration });

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
