import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Route } from '@portico/contract/route';
import type { Config } from './config.ts';
import { createCore, type Feature } from './core.ts';
import { fates, presentNames } from './features.ts';
import { createApiTokens } from './features/api-tokens/api-tokens.ts';
import { createAudit } from './features/audit/audit.ts';
import { createBranding } from './features/branding/branding.ts';
import { createDiagnostics } from './features/diagnostics/diagnostics.ts';
import { createDirectory } from './features/directory/directory.ts';
import { createEmbed } from './features/embed/embed.ts';
import { createErasure } from './features/erasure/erasure.ts';
import { createEvents } from './features/events/events.ts';
import { createFeedback } from './features/feedback/feedback.ts';
import { readsReportPicture } from './features/feedback/pictures-of-reports.ts';
import { createFiles } from './features/files/files.ts';
import { createFlags } from './features/flags/flags.ts';
import { createAdmission } from './features/gateway/admission.ts';
import { authCheckRoutes } from './features/gateway/auth-check.routes.ts';
import { createAuthCheck } from './features/gateway/auth-check.ts';
import { createGateway } from './features/gateway/gateway.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { createHome } from './features/home/home.ts';
import { createAccounts, embeddedIssuer } from './features/identity-provider/accounts.ts';
import { createIdentityProvider } from './features/identity-provider/identity-provider.ts';
import type { HashParameters } from './features/identity-provider/password-hash.ts';
import type { SetUpOffer } from './features/identity-provider/set-up.ts';
import { createMail } from './features/mail/mail.ts';
import { createMailTransport } from './features/mail/transport.ts';
import { createMaintenance } from './features/maintenance/maintenance.ts';
import { createMap } from './features/map/map.ts';
import {
  awaitAt,
  createOutsideProvider,
  outsideProviderSweeps,
} from './features/outside-provider/outside-provider.ts';
import { createOverview } from './features/overview/overview.ts';
import { createPeople } from './features/people/people.ts';
import { createPermissions } from './features/permissions/permissions.ts';
import { createPresence } from './features/presence/presence.ts';
import { readsAvatar } from './features/profile/avatar.ts';
import { profileRoutes } from './features/profile/profile.routes.ts';
import { createSession } from './features/session/session.ts';
import { createWebPages } from './features/web-pages/web-pages.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { createFirstOperator } from './first-operator.ts';
import type { Database } from './platform/database/database.ts';
import { refuseAtOtherHost, rightsInPortico } from './platform/http/access-check.ts';
import { placeFront } from './platform/http/front.ts';
import { createHttpServer, securityHeaders } from './platform/http/http-server.ts';
import { listenOn } from './platform/http/listen.ts';
import { takeLongUploads } from './platform/http/long-uploads.ts';
import { createCreations } from './platform/http/creations.ts';
import { createServe } from './platform/http/serve.ts';
import { createLogger, type Logger } from './platform/log/logger.ts';
import { systemClock, type Clock } from './platform/time/clock.ts';
import { serveStaticFiles } from './static-files.ts';
import { runUntilStopped } from './stop.ts';
import { openStorage } from './storage.ts';

/** What a test may put in place of the outside. */
export type Dependencies = {
  clock?: Clock;
  logger?: Logger;
  /** Folder of the built web. */
  webDir?: string;
  /** Certificates that the mail server's may come from, PEM. */
  mailCa?: string;
  /** The cost of a stored password. */
  hashing?: HashParameters;
};

/** Portico, ready to listen. */
export type App = {
  fastify: FastifyInstance;
  database: Database;
  /** Every route that the contract declares and this app serves. */
  declared: readonly Route[];
  /** Where the first operator is created, while there is none (START-6); known once it listens. */
  setUpOffer(): SetUpOffer | null;
  /** Removes what has expired and renews an expired set-up token, as happens by itself every ten minutes. */
  sweep(): Promise<void>;
  /**
   * Checks the sessions that are due at the outside provider now, which otherwise happens periodically
   * (SES-4).
   */
  checkSessions(): Promise<void>;
  /** Sees to the first operator and starts to listen; answers the address. */
  listen(): Promise<string>;
  /**
   * Not ready → served on for the delay → streams closed with a spread retry → requests finished → closed
   * (RUN-2).
   */
  stop(): Promise<void>;
};

const builtWeb = join(import.meta.dirname, '../../web/dist');

/** The composition root: the features from the ground up, their routes, and the order in which they end. */
export async function createApp(config: Config, dependencies: Dependencies = {}): Promise<App> {
  const { clock = systemClock, logger = createLogger(config.logLevel), webDir = builtWeb } = dependencies;
  const storage = await openStorage(config, clock, logger);
  const { database, feed } = storage;
  const core = createCore({ config, database, feed, clock, logger });
  const declared: Route[] = [];
  const strictTransport = config.publicUrl.startsWith('https:') ? config.strictTransport : null;
  let isStopping = false;
  const stopping = (): boolean => isStopping;
  const fastify = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    hosts: core.hosts,
    strictTransport,
    declared,
    storagePage: (request, reply, retryAfter) => webPages.storagePage(request, reply, retryAfter),
  });

  if (config.upstreams.length > 0) takeLongUploads(fastify);

  const files = createFiles(core);
  const presence = await createPresence(core);
  const directory = createDirectory(core);
  const apiTokens = createApiTokens(core, directory);
  const branding = await createBranding(core);
  const mail =
    config.mail === null
      ? null
      : createMail(core, {
          transport: createMailTransport(config.mail, {
            publicUrl: config.publicUrl,
            ca: dependencies.mailCa,
          }),
          productName: () => branding.look().product,
        });
  const webhooks = createWebhooks(core);
  const maintenance = await createMaintenance(core);
  const permissions = await createPermissions(core, apiTokens);
  const rightsOf = rightsInPortico(permissions.rightsOf);
  const feedback = createFeedback(core, {
    files: files.store,
    rightsOf,
    mail,
    branding,
  });
  const diagnostics = await createDiagnostics(core, {
    store: files.store,
    webDir,
    mail,
    productName: () => branding.look().product,
    storeReport: feedback.store,
  });
  const flags = await createFlags(core, maintenance, presence);
  maintenance.countsBrowsersBy(flags.connected);

  const accounts = createAccounts({ ...core, publicUrl: config.publicUrl, hashing: dependencies.hashing });
  const people = createPeople(core, {
    accounts: { ...accounts, issuer: embeddedIssuer },
    awaitPerson: config.oidc === null ? null : awaitAt(config.oidc),
  });
  const identityProvider = await createIdentityProvider(core, {
    accounts,
    administration: people.administration,
    directory,
    branding,
    inject: (request) => fastify.inject(request),
    mail,
  });
  const outside =
    config.oidc === null ? null : await createOutsideProvider(core, config.oidc, identityProvider.setUp);
  const session = await createSession(core, {
    directory,
    apiTokens,
    provider: (outside ?? identityProvider).inUse,
    rightsOf: permissions.rightsOf,
    signedOut: identityProvider.signedOut,
  });
  const { identify, identifySession } = session;
  const identifyAtOwnHost = async (bearer: string) => refuseAtOtherHost(await identify(bearer));
  const admission = createAdmission(core, { session, permissions, directory, maintenance });
  const authCheck = createAuthCheck(core, admission.admit);
  const erasure = createErasure(core, files.store, fates);
  const audit = createAudit(core, presentNames);
  const events = createEvents(core, { directory, permissions, maintenance, presence });
  const overview = createOverview(core, { presence, flags, maintenance, rightsOf, names: presentNames });
  const home = await createHome(core, { rightsOf, maintenance });
  const webPages = createWebPages(core, webDir, {
    identifySession,
    maintenance,
    branding,
    flags,
    diagnostics,
    identityProvider,
  });
  const gateway = await createGateway(core, {
    admission,
    maintenance,
    pages: webPages,
    securityHeaders: securityHeaders(strictTransport),
    setUpIsOpen: identityProvider.setUp.isOpen,
  });

  const mapAdmission = createAdmission(core, {
    session: { ...session, remembered: session.rememberedMaps },
    permissions,
    directory,
    maintenance,
  });
  const map = createMap(core, {
    admit: mapAdmission.admit,
    permissions,
    directory,
    answers: gateway,
    securityHeaders: securityHeaders(strictTransport),
  });
  const embed = createEmbed(core, {
    ...session,
    permissions,
    flags,
    maintenance,
    branding,
  });
  const creations = createCreations(database, clock);
  // All features have registered the composers of their mails.
  mail?.start();
  const callerLimit = core.rateLimit({ burst: 300, perSecond: 30 });
  const serve = createServe(fastify, {
    accessControl: {
      identify,
      identifySession,
      rightsOf: permissions.rightsOf,
      closed: maintenance.gate,
    },
    hosts: core.hosts,
    watchBody: core.watchBody,
    limits: {
      caller: callerLimit,
      address: core.addressLimit({ burst: 3_000, perSecond: 300 }),
    },
    declared,
    creations,
  });
  await serveStaticFiles(fastify, webDir);
  healthRoutes(serve, {
    read: database.read,
    stopping,
    declared,
    version: core.version,
    publicUrl: config.publicUrl,
  });
  session.routes(fastify, serve, {
    backChannelLogout: outside?.follow(session) ?? null,
    setUp: outside === null ? null : identityProvider.setUp,
  });
  if (outside === null) identityProvider.routes(fastify, serve);
  files.routes(serve, rightsOf, [readsAvatar, readsReportPicture]);
  profileRoutes(serve, core);
  feedback.routes(serve);
  erasure.routes(serve);
  events.routes(serve);
  embed.routes(serve);
  overview.routes(serve);
  home.routes(serve);
  presence.routes(serve);
  permissions.routes(serve);
  people.routes(serve, {
    linkMail: identityProvider.linkMails,
    signOut: session.signOutPerson,
    rightsOf: permissions.rightsOf,
  });
  maintenance.routes(serve, flags.caughtUp);
  audit.routes(serve);
  webhooks.routes(serve);
  diagnostics.routes(serve, { identify: identifyAtOwnHost, identifySession, rightsOf });
  apiTokens.routes(serve, rightsOf);
  branding.routes(serve);
  flags.routes(serve, {
    identify: identifyAtOwnHost,
    rightsOf,
    connectedClients: overview.connectedSdks,
  });
  gateway.routes(serve);
  map.routes(serve);
  authCheckRoutes(serve, core, authCheck, gateway);
  const headers = securityHeaders(strictTransport);
  webPages.routes(serve);
  placeFront(fastify, {
    basePath: config.basePath,
    hosts: core.hosts,
    stopping,
    logger,
    ...(config.upstreams.length === 0 ? {} : { elsewhere: gateway }),
    guards: [map.guard],
    prepared: [
      flags.plainAnswers(headers),
      permissions.preparedAnswers({
        verifiedCaller: session.verifiedCaller,
        limit: callerLimit,
        headers,
      }),
      authCheck.find,
    ],
    early: diagnostics.earlyIntake(headers),
  });

  /** From the top to the ground: as they end. */
  const features: readonly Feature[] = [
    map,
    gateway,
    overview,
    home,
    events,
    erasure,
    outside ?? {},
    { sweeps: outsideProviderSweeps(core) },
    identityProvider,
    session,
    flags,
    permissions,
    maintenance,
    diagnostics,
    webhooks,
    branding,
    apiTokens,
    presence,
    files,
    mail ?? {},
    audit,
    { sweeps: { 'ids of creations': core.sweeping(creations.sweep) } },
  ];
  const { sweep, stop } = runUntilStopped(core, features, {
    fastify,
    storage,
    stopping: () => (isStopping = true),
    finish: files.store.close,
  });

  return {
    fastify,
    database,
    declared,
    setUpOffer: identityProvider.offer,
    sweep,
    checkSessions: async () => outside?.checkSessions(),
    async listen() {
      await createFirstOperator(identityProvider.setUp, config.operator);
      await identityProvider.offerSetUp();
      await erasure.resume();
      return listenOn(fastify, config);
    },
    stop,
  };
}
