import type { FastifyInstance } from 'fastify';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { memoryOf } from '#server/platform/database/memory.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { createSeal } from '#server/platform/keys/seal.ts';
import { rotateDueKeys } from '#server/platform/keys/signing-key.ts';
import type { Directory } from '#features/directory/server/directory.ts';
import { identityOf } from '#features/directory/server/people.store.ts';
import type { Mail } from '#features/mail/server/mail.ts';
import type { Administration } from '#features/people/server/administration.ts';
import { accessTokenKeys } from '#features/session/server/access-token.ts';
import { cookieNames, cookieSuffixOf, readCookies } from '#features/session/server/cookies.ts';
import { safeReturnTo } from '#features/session/server/return-to.ts';
import { callbackPath, type ProviderInUse } from '#features/session/server/session.ts';
import { startOverPath } from '#features/session/server/sign-in.ts';
import type { AccountMails } from './account-mails.ts';
import { embeddedIssuer, type Accounts } from './accounts.ts';
import { accountById, sweepAccounts } from './accounts.store.ts';
import { createEmbeddedProvider, type Inject } from './embedded-provider.ts';
import { identityProviderRoutes } from './identity-provider.routes.ts';
import { createFactors } from './factors/factors.ts';
import { readPolicy } from './factors/sign-in-policy.ts';
import { factorsRoutes } from './factors/factors.routes.ts';
import { countSilenced, sweepChallenges } from './factors/factors.store.ts';
import { createKnownBrowsers } from './known-browser.ts';
import { createLinkMails } from './link-mails.ts';
import { deleteRecordsOf, sweepRecords } from './oidc-record.store.ts';
import { passwordRoutes } from './password.routes.ts';
import { providerKeyRotation } from './provider.ts';
import { providerRoutes } from './provider.routes.ts';
import { createSetUp, type SetUpOffer } from './set-up.ts';
import { signInRoutes } from './sign-in.routes.ts';

export type IdentityProviderParts = {
  accounts: Accounts;
  accountMails: AccountMails;
  administration: Administration;
  directory: Directory;
  branding: { look(): { product: string } };
  inject: Inject;
  /** Null where mail is not configured. */
  mail: Mail | null;
};

/** A key that signs for longer is replaced, which ends no session. */
const oldestKeyMs = 90 * 86_400_000;

/** The embedded provider: accounts with passwords, links that set them, and the first operator. */
export async function createIdentityProvider(core: Core, parts: IdentityProviderParts) {
  const { database, clock, config } = core;
  const { accounts, accountMails, administration, directory, branding } = parts;
  const { publicUrl, basePath } = config;
  const suffix = await cookieSuffixOf(database, basePath);
  const secure = publicUrl.startsWith('https:');
  const names = cookieNames(suffix, secure);
  const cookies = {
    clock,
    secret: await installationSecret(database, 'identity-provider.known-browsers'),
    cookieSuffix: suffix,
    secure,
    basePath,
  };
  const seen = createKnownBrowsers({ ...cookies, name: 'seen' });
  const browsers = createKnownBrowsers({ ...cookies, name: 'known' });
  const trusted = createKnownBrowsers({ ...cookies, name: 'trusted' });
  const factors = await createFactors(core, accountMails, () => branding.look().product);
  const stepSecret = await installationSecret(database, 'identity-provider.steps');
  const embedded = createEmbeddedProvider({
    ...core,
    publicUrl,
    basePath,
    accounts,
    cookieSuffix: suffix,
    callbackUrl: `${publicUrl}${callbackPath}`,
    startOver: (state) => startOverPath(basePath, state ?? ''),
    hasBegun: (cookieHeader, state) =>
      typeof state === 'string' && readCookies(cookieHeader).has(names.signIn(state)),
    inject: parts.inject,
  });
  const setUp = createSetUp({ ...core, publicUrl, dataDir: config.dataDir, accounts, administration });
  const linkMails = createLinkMails(config, {
    ...core,
    accounts,
    accountState: directory.accountState,
    productName: () => branding.look().product,
    mail: parts.mail,
  });
  const policy = await memoryOf({
    read: () => readPolicy(database.read),
    feed: core.feed,
    topics: ['sign-in-policy'],
    logger: core.logger,
    failure: 'the policy of the sign-in could not be read; it is tried again',
  });
  let offer: SetUpOffer | null = null;

  async function offerSetUp(): Promise<void> {
    offer = await setUp.offer();
  }

  const inUse: ProviderInUse = {
    connection: embedded.connection,
    outside: null,
    async addressOf({ tx }, identity) {
      const account = await accountById(tx, identity.subject);
      // A person who was erased during the sign-in is not created again by it.
      if (account === null) throw new HttpProblem('SESSION_ENDED');
      return { email: account.email, emailVerified: true };
    },
  };

  return {
    inUse,
    setUp,
    linkMails,
    /** Whether people can ask for links by mail. */
    sendsMail: linkMails.mail !== null,
    /** Whether people register by themselves, for what pages show. */
    registers: () => linkMails.mail !== null && policy.current().registrationDomains.length > 0,
    /** Whether browsers offer passkeys at this address. */
    offersPasskeys: factors.passkeys.rpId !== null,
    /** Where the first operator is created, while there is none. */
    offer: () => offer,
    offerSetUp,
    /** Logs how many passkeys a changed host has made useless, which no browser reports. */
    async reportSilencedPasskeys() {
      const silenced = await countSilenced(database.read, factors.passkeys.rpId);
      if (silenced > 0)
        core.logger.warn(
          { passkeys: silenced, publicUrl },
          'passkeys were made for another host than that of PUBLIC_URL, and do not work; their people sign in with password and code, or set PUBLIC_URL back',
        );
    },
    /** Removes the provider's records of a sign-in, which live for a minute and could sign in the browser again. */
    async signedOut({ tx }: Change, personId: string) {
      const identity = await identityOf(tx, personId);
      if (identity?.issuer === embeddedIssuer) await deleteRecordsOf(tx, identity.subject);
    },
    routes(serve: Serve, fastify: FastifyInstance) {
      providerRoutes(fastify, {
        provider: embedded.provider,
        publicUrl,
        basePath,
        limit: core.addressLimit({ burst: 600, perSecond: 30 }),
        watchBody: core.watchBody,
        beginning: {
          address: core.addressLimit({ burst: 300, perSecond: 3 }),
          all: core.rateLimit({ burst: 5_000, perSecond: 50 }),
        },
      });
      const limit = core.addressLimit({ burst: 100, perSecond: 3 });
      const { mail } = linkMails;
      signInRoutes(serve, {
        ...core,
        accountMails,
        provider: embedded.provider,
        accounts,
        factors,
        browsers,
        trusted,
        seen,
        seal: createSeal(stepSecret, '', 'sign-in'),
        limit,
      });
      const sendsMail = mail !== null;
      factorsRoutes(serve, { database, clock, accounts, accountMails, factors, publicUrl, sendsMail, limit });
      identityProviderRoutes(serve, {
        database,
        basePath,
        accounts,
        accountMails,
        administration,
        browsers,
        setUp,
        mail,
        limit,
      });
      passwordRoutes(serve, {
        ...core,
        accounts,
        accountMails,
        browsers,
        isBlocked: async (personId) => (await directory.accountState(personId))?.state === 'blocked',
        mail,
        linkMail: linkMails,
        placeOf: (returnTo) => safeReturnTo(returnTo, config),
        limit,
      });
    },
    sweeps: {
      'provider records': core.sweeping(sweepRecords),
      'answered challenges': core.sweeping(sweepChallenges),
      'links and guesses': core.sweeping((tx, now, most) => sweepAccounts(tx, now, most)),
      async 'signing keys'() {
        for (const rotation of [accessTokenKeys, providerKeyRotation(config.sessionMaxMs)])
          await rotateDueKeys(database, rotation, clock.now(), oldestKeyMs);
      },
      'set-up token': offerSetUp,
    },
    close: () => policy.close(),
  };
}
