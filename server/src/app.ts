import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Route } from '#contract/route.ts';
import { storeEnvelope } from '#features/diagnostics/contract/intake.ts';
import { readFeatures } from '#features/flags/contract/flags.ts';
import { authCheck } from '#features/gateway/contract/gateway.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import type { HashParameters } from '#features/identity-provider/server/password-hash.ts';
import type { SetUpOffer, SetUp } from '#features/identity-provider/server/set-up.ts';
import { type Config, ConfigError } from './config.ts';
import { createCore, type Feature } from './core.ts';
import { fates, features, migrations, presentNames } from './features.ts';
import { createGround } from './ground.ts';
import type { Database } from './platform/database/database.ts';
import { placeFront } from './platform/http/front.ts';
import { createHttpServer } from './platform/http/http-server.ts';
import { listenOn } from './platform/http/listen.ts';
import { takeLongUploads } from './platform/http/slow-bodies.ts';
import { createCreations } from './platform/http/creations.ts';
import { createServe } from './platform/http/serve.ts';
import { createLogger, type Logger } from './platform/log/logger.ts';
import { systemClock, type Clock } from './platform/time/clock.ts';
import { createPeriodic } from './platform/time/periodic.ts';
import { serveStaticFiles } from './static-files.ts';
import { openStorage } from './storage.ts';
import { HttpProblem } from './platform/http/http-problem.ts';

/** External parts that a test may replace. */
export type Dependencies = {
  clock?: Clock;
  logger?: Logger;
  /** Folder of the built web. */
  webDir?: string;
  /** Certificates (PEM) of the authorities that may have issued the mail server's certificate. */
  mailCa?: string;
  /** The cost of hashing a password. */
  hashing?: HashParameters;
};

/** Portico, ready to listen. */
export type App = {
  fastify: FastifyInstance;
  database: Database;
  /** Every route that the contract declares and this app serves. */
  declared: readonly Route[];
  /** Where the first operator is created, as long as there is none (START-6); known once the server listens. */
  setUpOffer(): SetUpOffer | null;
  /** Removes expired data and renews an expired set-up token; the application also does this every ten minutes. */
  sweep(): Promise<void>;
  /** Checks the sessions that are due at the outside provider now, not at the next interval (SES-4). */
  checkSessions(): Promise<void>;
  /** Creates the first operator or offers the set-up, starts to listen, and returns the address. */
  listen(): Promise<string>;
  /**
   * Not ready → served on for the delay → streams closed with a spread retry → requests finished → closed
   * (RUN-2).
   */
  stop(): Promise<void>;
};

const builtWeb = join(import.meta.dirname, '../../web/dist');

/** The composition root: the ground, the features from the ground up, their routes, and the order of the stop. */
export async function createApp(config: Config, dependencies: Dependencies = {}): Promise<App> {
  const { clock = systemClock, logger = createLogger(config.logLevel), webDir = builtWeb } = dependencies;
  const storage = await openStorage(config, clock, logger);
  const { database, feed } = storage;
  const core = createCore({ config, database, feed, clock, logger });
  const declared: Route[] = [];
  let isStopping = false;
  const stopping = (): boolean => isStopping;
  const fastify = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    hosts: core.hosts,
    securityHeaders: core.securityHeaders,
    requests: core.metrics.requests,
    declared,
    storagePage: (request, reply, retryAfter) => ground.webPages.storagePage(request, reply, retryAfter),
  });

  if (config.upstreams.length > 0) takeLongUploads(fastify);

  const ground = await createGround(core, {
    ...dependencies,
    webDir,
    inject: (request) => fastify.inject(request),
    names: presentNames,
    fates,
    migrations,
    declared,
    stopping,
  });
  const creations = createCreations(database, clock);
  const created: Feature[] = [{ sweeps: { 'ids of creations': core.sweeping(creations.sweep) } }];
  for (const { create } of features) created.push((await create?.(core, ground)) ?? {});
  const { session, permissions, maintenance, flags, diagnostics, gateway, map, identityProvider } = ground;
  const callerLimit = core.rateLimit({ burst: 300, perSecond: 30 });
  const serve = createServe(fastify, {
    accessControl: { ...session, rightsOf: permissions.rightsOf, closed: maintenance.gate },
    hosts: core.hosts,
    watchBody: core.watchBody,
    limits: { caller: callerLimit, address: core.addressLimit({ burst: 3_000, perSecond: 300 }) },
    declared,
    creations,
  });
  await serveStaticFiles(fastify, webDir);
  for (const feature of created) feature.routes?.(serve, fastify);
  const { requests } = core.metrics;
  placeFront(fastify, {
    basePath: config.basePath,
    hosts: core.hosts,
    stopping,
    logger,
    ...(config.upstreams.length === 0 ? {} : { elsewhere: gateway }),
    guards: [map.guard],
    prepared: [
      { find: flags.plainAnswers(), count: requests?.ofRoute(readFeatures) },
      {
        find: permissions.preparedAnswers({ verifiedCaller: session.verifiedCaller, limit: callerLimit }),
        count: requests?.ofRoute(getPermissions),
      },
      { find: gateway.checkAnswer, count: requests?.ofRoute(authCheck) },
    ],
    early: { ...diagnostics.earlyIntake(), count: requests?.ofRoute(storeEnvelope) },
  });

  const fromTheTop = created.toReversed();
  const sweeps = Object.fromEntries(fromTheTop.flatMap((feature) => Object.entries(feature.sweeps ?? {})));
  const periodic = createPeriodic(logger, 10 * 60_000, sweeps);

  return {
    fastify,
    database,
    declared,
    setUpOffer: identityProvider.offer,
    sweep: periodic.run,
    checkSessions: async () => ground.outside?.checkSessions(),
    async listen() {
      await createFirstOperator(identityProvider.setUp, config.operator);
      await identityProvider.offerSetUp();
      for (const feature of created) await feature.start?.();
      return listenOn(fastify, config);
    },
    async stop() {
      isStopping = true;
      if (config.stopDelayMs > 0) await new Promise((over) => setTimeout(over, config.stopDelayMs));
      await Promise.all(fromTheTop.map(async (feature) => feature.endStreams?.()));
      await fastify.close();
      await periodic.stop();
      for (const feature of fromTheTop) await feature.close?.();
      await storage.close(ground.files.store.close);
    },
  };
}

/**
 * Creates the operator whom the configuration names, where there is none.
 *
 * @throws ConfigError where the address or the password is not accepted
 */
async function createFirstOperator(setUp: SetUp, operator: Config['operator']): Promise<void> {
  if (operator === null) return;
  try {
    await setUp.createUnattended(operator);
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'CONFLICT')
      throw new ConfigError('OPERATOR_EMAIL', operator.email, 'an address that no one else here has');
    if (!(error instanceof HttpProblem) || error.code !== 'INVALID_BODY') throw error;
    throw new ConfigError('OPERATOR_PASSWORD', '(a secret)', 'a password that is not a common one');
  }
}
