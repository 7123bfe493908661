import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { feedbackLimits } from '@portico/contract/feedback';
import { fileLimits } from '@portico/contract/files';
import type { Route } from '@portico/contract/route';
import packageJson from '../package.json' with { type: 'json' };
import { ConfigError, type Config } from './config.ts';
import { createErasingOf, isShown } from './erasing.ts';
import { createApiTokens } from './features/api-tokens/api-tokens.ts';
import { apiTokensRoutes } from './features/api-tokens/api-tokens.routes.ts';
import { sweepApiTokens, takeRightFromTokens } from './features/api-tokens/api-tokens.store.ts';
import { recordAudit, type Actor } from './features/audit/audit.store.ts';
import { createAuditLog } from './features/audit/audit-log.ts';
import { toFile, toLog } from './features/audit/audit-log-output.ts';
import { auditRoutes } from './features/audit/audit.routes.ts';
import { createBranding } from './features/branding/branding.ts';
import { brandingRoutes } from './features/branding/branding.routes.ts';
import { erasureRoutes } from './features/erasure/erasure.routes.ts';
import { isBeingErased } from './features/erasure/erasure.store.ts';
import { sweepOldReports } from './features/erasure/retention.ts';
import { eventsRoutes } from './features/events/events.routes.ts';
import { createLiveEvents } from './features/events/live-events.ts';
import { feedbackRoutes } from './features/feedback/feedback.routes.ts';
import { sweepReports } from './features/feedback/forget-reports.ts';
import { readsReportPicture } from './features/feedback/pictures-of-reports.ts';
import { reportsChangedSince } from './features/feedback/report-list.ts';
import { cleanFilename } from './features/files/filename.ts';
import { addFile, bytesOf, fileOf, removeFile } from './features/files/files.store.ts';
import { filesRoutes } from './features/files/files.routes.ts';
import { kindOfBytes } from './features/files/kind.ts';
import { clientKeysRoutes } from './features/flags/client-keys.routes.ts';
import { flagWireRoutes } from './features/flags/flag-wire.routes.ts';
import { flagsRoutes } from './features/flags/flags.routes.ts';
import { createPlainAnswers } from './features/flags/plain-answers.ts';
import { createLiveFlags } from './features/flags/live-flags.ts';
import { healthRoutes } from './features/health/health.routes.ts';
import { createAccounts, embeddedIssuer } from './features/identity-provider/accounts.ts';
import { accountById, sweepAccounts } from './features/identity-provider/accounts.store.ts';
import { createIdentityProvider } from './features/identity-provider/identity-provider.ts';
import { identityProviderRoutes } from './features/identity-provider/identity-provider.routes.ts';
import { providerKeyTurns } from './features/identity-provider/provider.ts';
import { sweepMail } from './features/mail/mail.store.ts';
import { createLinkMails } from './link-mails.ts';
import { deleteRecordsOf, sweepRecords } from './features/identity-provider/oidc-record.store.ts';
import { providerRoutes } from './features/identity-provider/provider.routes.ts';
import { createSetUp, type SetUp, type SetUpOffer } from './features/identity-provider/set-up.ts';
import { followFlagHost } from './features/maintenance/flag-host.ts';
import { createMaintenance } from './features/maintenance/maintenance.ts';
import { maintenanceRoutes } from './features/maintenance/maintenance.routes.ts';
import { createOperations } from './features/maintenance/operations.ts';
import { createAdministration } from './features/people/administration.ts';
import { keepAnAdministrator, lastingManagers } from './features/people/last-administrator.ts';
import { createPeople, createPerson } from './features/people/people.ts';
import { identityOf, personByIdentity, standingOf, touchSeen } from './features/people/people.store.ts';
import { peopleRoutes } from './features/people/people.routes.ts';
import { followExpiry } from './features/permissions/expiry.ts';
import { createPermissions } from './features/permissions/permissions.ts';
import { permissionsRoutes } from './features/permissions/permissions.routes.ts';
import {
  deleteDenialsOf,
  setRolesOf,
  unknownRoles,
  wasSetUp,
} from './features/permissions/permissions.store.ts';
import { createRightsAdministration } from './features/permissions/rights-administration.ts';
import { awaitAt, createOutsideSignIn } from './outside-sign-in.ts';
import { sweepLogoutTokens } from './features/outside-provider/provider-session.store.ts';
import { createPresence } from './features/presence/presence.ts';
import { presenceRoutes } from './features/presence/presence.routes.ts';
import { readsAvatar } from './features/profile/avatar.ts';
import { addProfile, profileOf, setProfileNames } from './features/profile/profile.store.ts';
import { personAttributes } from './features/profile/person-attributes.ts';
import { profileRoutes } from './features/profile/profile.routes.ts';
import { accessTokenKeys } from './features/session/access-token.ts';
import { ownSessionsRoutes } from './features/session/own-sessions.routes.ts';
import { callbackPath, createSession } from './features/session/session.ts';
import { safeReturnTo } from './features/session/return-to.ts';
import { sessionRoutes } from './features/session/session.routes.ts';
import { endSessionsOf, sessionsGoingOn, sweepSessions } from './features/session/session.store.ts';
import { startOverPath } from './features/session/sign-in.ts';
import { createWebhooks } from './features/webhooks/webhooks.ts';
import { webhooksRoutes } from './features/webhooks/webhooks.routes.ts';
import { sweepDeliveries } from './features/webhooks/webhooks.store.ts';
import { createBoot } from './features/web-pages/boot.ts';
import { createStoragePage, webPagesRoutes } from './features/web-pages/web-pages.routes.ts';
import { openChangeFeed } from './platform/change-feed.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import { holdDataFolder, makeDataFolder } from './platform/data-folder.ts';
import { openDatabase, sqliteFile, type Change, type Database } from './platform/database.ts';
import { createFileStore } from './platform/file-store.ts';
import { HttpProblem } from './platform/http-problem.ts';
import { createHttpServer, securityHeaders } from './platform/http-server.ts';
import { createLogger, type Logger } from './platform/logger.ts';
import { standardOutput } from './platform/log-output.ts';
import { hashSecret } from './platform/ids.ts';
import { createPages } from './platform/page.ts';
import { createPeriodic, sweepInBatches } from './platform/periodic.ts';
import { answerPrepared } from './platform/prepared-answers.ts';
import { createRateLimit } from './platform/rate-limit.ts';
import { createServe } from './platform/serve.ts';
import { installationSecret } from './platform/setting.ts';
import { beginUse, endUse, hasLog } from './platform/sqlite-snapshot.ts';
import { turnKeys } from './platform/signing-key.ts';
import { checkStart } from './platform/start-checks.ts';

/** What a test may put in place of the outside. */
export type Edges = {
  clock?: Clock;
  logger?: Logger;
  /** Folder of the built web. */
  webDir?: string;
  /** Certificates that the mail server's may come from, PEM. */
  mailCa?: string;
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
  /** Asks another provider than the embedded one after the sessions that are due, as happens by itself (SES-4). */
  checkSessions(): Promise<void>;
  /** Sees to the first operator and starts to listen; answers the address. */
  listen(): Promise<string>;
  /** Not ready → served on for the delay → streams closed with a spread retry → requests finished → closed (RUN-2). */
  stop(): Promise<void>;
};

/** A key that signs for longer is replaced, which nobody notices. */
const oldestKeyMs = 90 * 86_400_000;
const builtWeb = join(import.meta.dirname, '../../web/dist');

/** The composition root: the features, in the order in which they build on each other. */
export async function createApp(config: Config, edges: Edges = {}): Promise<App> {
  const clock = edges.clock ?? systemClock;
  const logger = edges.logger ?? createLogger(config.logLevel);
  const webDir = edges.webDir ?? builtWeb;
  const folder = config.database.engine === 'sqlite' ? holdDataFolder(config.dataDir) : null;
  if (folder === null) makeDataFolder(config.dataDir);

  const file = folder === null ? null : sqliteFile(config.dataDir);
  const hadLog = file !== null && hasLog(file);
  const database = await openDatabase(config.database, clock);
  try {
    await checkStart({ ...config, database, clock, logger });
  } catch (error) {
    await database.close();
    folder?.release();
    throw error;
  }
  if (file !== null && beginUse(file, hadLog).logIsMissing) await tellOfMissingLog(database, logger);
  const feed = await openChangeFeed(database, logger);
  const fileStore = createFileStore({ database, dataDir: config.dataDir, clock });
  const declared: Route[] = [];
  const strictTransport = config.publicUrl.startsWith('https:') ? config.strictTransport : null;
  let stopping = false;
  const fastify = createHttpServer({
    logger,
    trustProxy: config.trustProxy,
    strictTransport,
    declared,
    stopping: () => stopping,
    storagePage: (request, reply, retryAfter) => storagePage(request, reply, retryAfter),
  });

  const accounts = createAccounts({ database, clock, publicUrl: config.publicUrl });
  const people = createPeople({ database, feed });
  const apiTokens = createApiTokens({ database, feed, clock, standing: people.standing });
  const permissions = createPermissions({ database, feed, clock, tokenGrant: apiTokens.grantOf });
  const administration = createAdministration({
    accounts: { issuer: embeddedIssuer, invite: accounts.invite, renewLink: accounts.renewLink },
    awaitPerson: config.oidc === null ? null : awaitAt(config.oidc),
    addProfile,
    setRolesOf,
    unknownRoles,
    deleteDenialsOf,
    endSessionsOf,
    recordAudit,
  });

  const expiry = await followExpiry({ database, feed, clock, logger });

  const cookieSuffix = cookieSuffixOf(await installationSecret(database, 'cookie-names'));
  const identityProvider = createIdentityProvider({
    database,
    feed,
    clock,
    logger,
    publicUrl: config.publicUrl,
    accounts,
    cookieSuffix,
    callbackUrl: `${config.publicUrl}${callbackPath}`,
    startOver: (state) => startOverPath(state, '/'),
    inject: (request) => fastify.inject(request),
  });
  const setUp = createSetUp({
    database,
    feed,
    clock,
    publicUrl: config.publicUrl,
    dataDir: config.dataDir,
    accounts,
    audit: recordAudit,
    wasSetUp,
    createOperator: async (change, { accountId, ...operator }) =>
      (await administration.addPerson(change, { ...operator, roles: ['operator'] }, accountId)).id,
  });
  const outside =
    config.oidc === null
      ? null
      : await createOutsideSignIn(
          config.oidc,
          { database, clock, logger },
          {
            wasSetUp,
            takeSetUpToken: setUp.take,
            isBlocked: async (read, personId) => (await standingOf(read, personId))?.state === 'blocked',
            makeOperator: administration.makeOperator,
          },
        );
  /** The embedded provider remembers a sign-in for a minute: long enough to bring a browser back that was just signed out. */
  const signedOut = async ({ tx }: Change, personId: string): Promise<void> => {
    const identity = await identityOf(tx, personId);
    if (identity?.issuer === embeddedIssuer) await deleteRecordsOf(tx, identity.subject);
  };
  const session = await createSession({
    database,
    feed,
    clock,
    logger,
    publicUrl: config.publicUrl,
    cookieSuffix,
    idleMs: config.sessionIdleMs,
    maxMs: config.sessionMaxMs,
    connection: outside?.connection ?? identityProvider.connection,
    outside: outside?.signIn ?? null,
    apiTokens,
    standing: people.standing,
    personSeen: (personId, at) => database.transaction((tx) => touchSeen(tx, personId, at)),
    signedOut,
    findPerson: personByIdentity,
    async createPerson(change, identity) {
      const account =
        identity.issuer === embeddedIssuer ? await accountById(change.tx, identity.subject) : null;
      // Whoever was erased while they signed in does not come back by it.
      if (identity.issuer === embeddedIssuer && account === null) throw new HttpProblem('SESSION_ENDED');
      const address = account === null ? {} : { email: account.email, emailVerified: true };
      const personId = await createPerson(change, { ...identity, ...address }, addProfile);
      await setRolesOf(change, personId, ['member']);
      return personId;
    },
  });

  const webhooks = createWebhooks({ database, feed, clock, logger, version: packageJson.version });

  const operations = createOperations({ clock, recordAudit, tellWebhooks: webhooks.tell });
  let browsers = (): number => 0;
  const maintenance = await createMaintenance({
    database,
    feed,
    clock,
    logger,
    followed: config.flagsHost === null ? null : followFlagHost({ source: config.flagsHost, clock, logger }),
    operations,
    dataDir: config.dataDir,
    browsers: () => browsers(),
  });

  const flags = await createLiveFlags({ database, feed, clock, logger, maintenance });
  browsers = flags.connected;

  const branding = await createBranding({ database, feed, logger });
  const linkMails = createLinkMails(config, {
    database,
    clock,
    logger,
    accounts,
    standing: people.standing,
    productName: () => branding.look().product,
    mailCa: edges.mailCa,
  });
  const presence = await createPresence({ database, logger });
  const events = createLiveEvents({
    read: database.read,
    feed,
    clock,
    logger,
    maintenance,
    presence,
    standing: people.standing,
    isErased: (personId) => isBeingErased(database.read, personId),
    sessionsGoingOn: (ids) =>
      sessionsGoingOn(database.read, ids, clock.now(), clock.now() - config.sessionIdleMs),
    reportsChangedSince: (personId, since, most) => reportsChangedSince(database.read, personId, since, most),
  });

  const serve = createServe(fastify, {
    entrance: {
      identify: session.sessions.identify,
      identifySession: session.sessions.identifySession,
      rightsOf: permissions.rightsOf,
      closed: maintenance.gate,
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
    look: branding.look,
  });

  // The few files beside the pages (the icon); pages themselves are rendered, never sent as they are.
  await fastify.register(fastifyStatic, {
    root: webDir,
    decorateReply: false,
    wildcard: false,
    globIgnore: ['**/*.html', '**/*.json', '**/*.br', '**/*.gz', 'assets/**'],
    maxAge: '1h',
    index: false,
  });
  await fastify.register(fastifyStatic, {
    root: join(webDir, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
    index: false,
  });
  const storageAnswers = async (): Promise<void> => {
    await database.read.selectFrom('revision').select('n').executeTakeFirstOrThrow();
  };
  healthRoutes(serve, {
    read: database.read,
    stopping: () => stopping,
    declared,
    version: packageJson.version,
  });
  const atProvider = outside?.after(session) ?? null;
  sessionRoutes(fastify, serve, {
    ...session,
    backChannelLogout: atProvider?.backChannelLogout ?? null,
    setUp: atProvider === null ? null : setUp,
    storageAnswers,
    limit: createRateLimit({ burst: 200, perSecond: 20 }, clock, config.rateLimitScale),
  });
  if (atProvider === null) {
    providerRoutes(fastify, {
      provider: identityProvider.provider,
      publicUrl: config.publicUrl,
      limit: createRateLimit({ burst: 600, perSecond: 30 }, clock, config.rateLimitScale),
    });
    identityProviderRoutes(serve, {
      database,
      clock,
      mail: linkMails.mail,
      linkMail: linkMails,
      async isBlocked(_read, personId) {
        return (await people.standing(personId))?.state === 'blocked';
      },
      provider: identityProvider.provider,
      accounts,
      setUp,
      audit: recordAudit,
      async holderOf(read, accountId) {
        const personId = await personByIdentity(read, embeddedIssuer, accountId);
        const profile = personId === null ? null : await profileOf(read, personId);
        return profile === null
          ? null
          : { personId: profile.id, firstName: profile.firstName, lastName: profile.lastName };
      },
      async accountIdOf(read, personId) {
        const identity = await identityOf(read, personId);
        return identity?.issuer === embeddedIssuer ? identity.subject : null;
      },
      rename: setProfileNames,
      endSessions: endSessionsOf,
      limit: createRateLimit({ burst: 100, perSecond: 3 }, clock, config.rateLimitScale),
    });
  }
  filesRoutes(serve, {
    database,
    store: fileStore,
    rightsOf: permissions.rightsOf,
    readers: [readsAvatar, readsReportPicture],
    isShown,
    limit: createRateLimit({ burst: 30, perSecond: 0.5 }, clock, config.rateLimitScale),
    bytesLimit: createRateLimit(
      { burst: 2 * fileLimits.ownerBytes, perSecond: fileLimits.ownerBytes / 3_600 },
      clock,
      config.rateLimitScale,
    ),
  });
  profileRoutes(serve, { database, fileOf, removeFile, isShown, recordAudit });
  feedbackRoutes(serve, {
    database,
    files: fileStore,
    addFile,
    bytesOf,
    cleanFilename,
    personExists: async (read, personId) => (await identityOf(read, personId)) !== null,
    recordAudit,
    origins: config.feedbackOrigins,
    withoutSignIn: config.feedbackWithoutSignIn,
    limits: {
      sender: createRateLimit({ burst: 10, perSecond: 1 / 6 }, clock, config.rateLimitScale),
      address: createRateLimit({ burst: 100, perSecond: 2 }, clock, config.rateLimitScale),
      anonymousPictures: createRateLimit(
        { burst: feedbackLimits.anonymousBytesEach, perSecond: feedbackLimits.anonymousBytesEach / 86_400 },
        clock,
        config.rateLimitScale,
      ),
    },
  });
  const erasing = createErasingOf({
    database,
    clock,
    onFailure: (error) => logger.error({ err: error }, 'an erasure was interrupted; it goes on later'),
  });
  erasureRoutes(serve, {
    database,
    clock,
    erasing,
    store: fileStore,
    cleanFilename,
    async isLastAdministrator(personId) {
      const lasting = await lastingManagers(database.read, clock.now(), 2);
      return lasting.length === 1 && lasting[0] === personId;
    },
    recordAudit,
    limit: createRateLimit({ burst: 20, perSecond: 1 / 10 }, clock, config.rateLimitScale),
  });
  eventsRoutes(serve, events);
  presenceRoutes(serve, presence);
  permissionsRoutes(serve, {
    database,
    clock,
    permissions,
    administration: createRightsAdministration({ recordAudit, keepAnAdministrator, takeRightFromTokens }),
    lastingManagers,
  });
  peopleRoutes(serve, { database, clock, administration, linkMail: linkMails });
  ownSessionsRoutes(serve, { database, clock, idleMs: config.sessionIdleMs, signedOut });
  maintenanceRoutes(serve, {
    database,
    clock,
    maintenance,
    operations,
    projected: flags.caughtUp,
  });
  auditRoutes(serve, { read: database.longReads, clock });
  webhooksRoutes(serve, { database, clock, webhooks, recordAudit });

  apiTokensRoutes(serve, {
    database,
    clock,
    rightsOf: permissions.rightsOf,
    standing: people.standing,
    recordAudit,
  });
  brandingRoutes(serve, { database, branding, sniff: kindOfBytes, recordAudit });

  clientKeysRoutes(serve, { database, flags, publicUrl: config.publicUrl, recordAudit });
  flagsRoutes(serve, { database, flags, recordAudit });
  flagWireRoutes(serve, {
    flags,
    identify: session.sessions.identify,
    attributesOf: (personId) => personAttributes(database.read, personId),
    feed,
  });
  answerPrepared(fastify, {
    find: createPlainAnswers({ ...flags, headers: securityHeaders(strictTransport) }),
    stopping: () => stopping,
    logger,
  });
  const outsideProvider =
    config.oidc === null ? null : (config.oidc.label ?? new URL(config.oidc.issuer).host);
  const boot = createBoot({
    config,
    personalKey: flags.personalKey,
    maintenance: maintenance.now,
    look: branding.look,
    passwordMail: linkMails.mail !== null,
    outsideProvider,
    now: clock.now,
    release: packageJson.version,
  });
  const storagePage = createStoragePage({ pages, boot });
  webPagesRoutes(serve, {
    pages,
    boot,
    storageAnswers,
    retryAfter: () => maintenance.gate().retryAfter,
    identifySession: session.sessions.identifySession,
    setUpIsOpen: setUp.isOpen,
    outsideProvider,
    safeReturnTo: (wanted) => safeReturnTo(wanted, config.publicUrl),
  });

  const auditLog =
    config.auditLog === null
      ? null
      : createAuditLog({
          database,
          clock,
          logger,
          output: config.auditLog === 'stdout' ? toLog(standardOutput()) : toFile(config.auditLog.file),
        });

  const periodic = createPeriodic(logger, 10 * 60_000, {
    sessions: () =>
      sweepInBatches(database, (tx, most) =>
        sweepSessions(tx, clock.now(), clock.now() - config.sessionIdleMs, most),
      ),
    'provider records': () => sweepInBatches(database, (tx, most) => sweepRecords(tx, clock.now(), most)),
    'links and guesses': () => sweepInBatches(database, (tx, most) => sweepAccounts(tx, clock.now(), most)),
    'logout tokens': () => sweepInBatches(database, (tx, most) => sweepLogoutTokens(tx, clock.now(), most)),
    'mail that was given up': () => sweepInBatches(database, (tx, most) => sweepMail(tx, clock.now(), most)),
    'signing keys': async () => {
      for (const turns of [accessTokenKeys, providerKeyTurns(config.sessionMaxMs)])
        await turnKeys(database, turns, clock.now(), oldestKeyMs);
    },
    'set-up token': offerSetUp,
    'old reports': () => sweepOldReports({ database, clock, sweepReports, removeFile, recordAudit }),
    erasures: erasing.resume,
    'contents of files': sweepContents,
    'API tokens': () => sweepInBatches(database, (tx, most) => sweepApiTokens(tx, clock.now(), most)),
    'log of webhooks': () => sweepInBatches(database, (tx, most) => sweepDeliveries(tx, clock.now(), most)),
  });
  const checks = createPeriodic(
    logger,
    20_000,
    atProvider === null ? {} : { 'checks of sessions': atProvider.checks.run },
  );
  let offer: SetUpOffer | null = null;
  let held = 0;

  async function leaveWhole(): Promise<void> {
    try {
      await fileStore.close();
      if (file !== null) endUse(file);
    } catch (error) {
      // Such as on a full disk: the next start is more careful then, and nothing else.
      logger.warn({ err: error }, 'it could not be noted that the stop was a clean one');
    }
  }

  async function sweepContents(): Promise<void> {
    const swept = await fileStore.sweep();
    if (swept.held > 0 && swept.held !== held) logger.warn(swept, heldContents);
    held = swept.held;
  }

  async function offerSetUp(): Promise<void> {
    offer = await setUp.offer();
  }

  return {
    fastify,
    database,
    declared,
    setUpOffer: () => offer,
    sweep: periodic.run,
    checkSessions: checks.run,
    async listen() {
      if (config.operator !== null) await createFirstOperator(setUp, config.operator);
      await offerSetUp();
      await erasing.resume();
      return fastify.listen({ host: config.host, port: config.port });
    },
    async stop() {
      stopping = true;
      if (config.stopDelayMs > 0) await new Promise((over) => setTimeout(over, config.stopDelayMs));
      flags.close();
      await events.close();
      await fastify.close();
      await presence.close();
      await periodic.stop();
      await expiry.close();
      await checks.stop();
      await maintenance.close();
      branding.close();
      await linkMails.close();
      await webhooks.close();
      await auditLog?.close();
      await feed.close();
      await leaveWhole();
      await database.close();
      folder?.release();
    },
  };
}

const heldContents =
  'files that no row names are kept: they may have been uploaded after the state to which the database was put back. ' +
  'Restore a newer backup, or let them go by "portico files sweep --confirm" (docs/backup.md)';

/** It stands in the audit as well: a log is soon forgotten, and what is missing is missed later. */
async function tellOfMissingLog(database: Database, logger: Logger): Promise<void> {
  const { at } = await database.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
  const lastChange = new Date(at).toISOString();
  logger.error(
    { lastChange },
    'the database file was in use when it was written last, and its log (portico.sqlite-wal) is missing: what was written last is lost. ' +
      'A copy of a running server is made by "portico backup" (docs/backup.md)',
  );
  await database.change((change) =>
    recordAudit(change, portico, {
      action: 'database.log-missing',
      subject: 'database',
      after: { lastChange },
    }),
  );
}

const portico: Actor = { kind: 'start', id: null, name: 'Portico' };

/** Not a secret, and the same for as long as the installation lives. */
function cookieSuffixOf(secret: string): string {
  return hashSecret(secret)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8)
    .toLowerCase();
}

async function createFirstOperator(setUp: SetUp, operator: NonNullable<Config['operator']>): Promise<void> {
  try {
    await setUp.createUnattended(operator);
  } catch (error) {
    if (error instanceof HttpProblem && error.code === 'CONFLICT')
      throw new ConfigError('OPERATOR_EMAIL', operator.email, 'an address that no one else here has');
    if (!(error instanceof HttpProblem) || error.code !== 'INVALID_BODY') throw error;
    throw new ConfigError('OPERATOR_PASSWORD', '(a secret)', 'a password that is not a common one');
  }
}
