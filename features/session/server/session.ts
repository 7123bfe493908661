import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { overviewRights } from '#features/overview/contract/overview.ts';
import type { OutsideProviderSettings } from '#server/config.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { refuseAtOtherHost, type Caller } from '#server/platform/http/access-check.ts';
import type { Serve } from '#server/platform/http/serve.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { createAccessTokens } from './access-token.ts';
import type { ApiTokens } from '#features/api-tokens/server/api-tokens.ts';
import { createPerson, type Directory } from '#features/directory/server/directory.ts';
import { personByIdentity, touchSeen } from '#features/directory/server/people.store.ts';
import { setRolesOf } from '#features/permissions/server/permissions.store.ts';
import { cookieNames, cookieSuffixOf } from './cookies.ts';
import { createHandOver } from './hand-over.ts';
import { sweepHandOverCodes } from './hand-over.store.ts';
import { identityOf, type Identity, type ReadClaims } from './identity.ts';
import type { ProviderConnection } from './provider-client.ts';
import type { Claims } from './provider-tokens.ts';
import { createProofs } from './proof.ts';
import { createRelyingParty, type RelyingParty, type VerifiedSignIn } from './relying-party.ts';
import { sessionRoutes, type SessionRoutesOptions } from './session.routes.ts';
import { createRememberedSessions } from './remembered-sessions.ts';
import { sweepSessions } from './session.store.ts';
import { createSessions } from './sessions.ts';
import { createSessionsOfPeople } from './sessions-of-people.ts';
import { createSignIn, signInOutcomes } from './sign-in.ts';

export const callbackPath = '/auth/callback';

/** Where people sign in. */
export type ProviderInUse = {
  connection: ProviderConnection;
  /** What an outside provider adds to a sign-in; null: people sign in at the embedded one. */
  outside: OutsideSignIn | null;
  /**
   * The email address at a first sign-in, where the provider stores it itself and does not send it as a claim.
   *
   * @throws SESSION_ENDED where the account was erased during the sign-in
   */
  addressOf(change: Change, identity: Identity): Promise<{ email?: string; emailVerified?: boolean }>;
};

export type SessionParts = {
  directory: Directory;
  apiTokens: ApiTokens;
  provider: ProviderInUse;
  rightsOf(caller: Caller): ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Removes what else would sign a person in again without a password. */
  signedOut(change: Change, personId: string): Promise<void>;
};

export type OutsideSignIn = {
  readClaims: ReadClaims;
  /** Null: dangerous steps ask for no proof. */
  stepUp: OutsideProviderSettings['stepUp'];
  /** Whether `follow` would change anything. */
  isNews(read: Reader, personId: string, identity: Identity, setUpToken: string | null): Promise<boolean>;
  /**
   * Links an identity to the person who waits for it (invitation, change of provider); answers their id, or null.
   */
  takeRelinked(change: Change, identity: Identity): Promise<string | null>;
  /** Whether a person would have become the first operator, had the provider vouched for the address. */
  missesOperator(read: Reader, identity: Identity): Promise<boolean>;
  /** Stores the provider's claims about a person; with the set-up link's token it makes the first operator. */
  follow(change: Change, personId: string, identity: Identity, setUpToken: string | null): Promise<void>;
  /** Stores the provider's side of a session that begins, or that a further sign-in has proved. */
  keepSession(
    change: Change,
    session: { id: string; issuer: string },
    verified: VerifiedSignIn,
  ): Promise<void>;
  /** The refresh token that the provider gave to a session, or null. */
  refreshTokenOf(read: Reader, sessionId: string): Promise<string | null>;
};

/** What others need of the sign-in: the client of the provider, and how claims become an identity. */
export type SignedIn = {
  relyingParty: RelyingParty;
  readIdentity(claims: Claims, complete: boolean): Identity;
};

/** Everything about being signed in, put together. */
export async function createSession(core: Core, parts: SessionParts) {
  const { database, clock, logger, hosts } = core;
  const { directory, apiTokens, provider, signedOut } = parts;
  const { origin, basePath, publicUrl, sessionIdleMs: idleMs, sessionMaxMs: maxMs } = core.config;
  const { accountState } = directory;
  const { outside } = provider;
  const secure = publicUrl.startsWith('https:');
  const cookies = cookieNames(await cookieSuffixOf(database, basePath), secure);
  const tokens = createAccessTokens({ ...core, publicUrl });
  const mapSecret = await installationSecret(database, 'session.map-cookie');
  const sessions = createSessions({
    ...core,
    tokens,
    cookies,
    mapSecret,
    idleMs,
    maxMs,
    accountState,
    apiTokens,
    signedOut,
    personSeen: (personId, at) => database.transaction((tx) => touchSeen(tx, personId, at)),
  });
  const remembered = createRememberedSessions({
    ...core,
    cookie: cookies.session,
    ends: ['session'],
    idleMs,
    sessions,
  });
  const rememberedMaps = createRememberedSessions({
    ...core,
    cookie: cookies.map,
    ends: ['session', 'map-cookie'],
    idleMs,
    sessions: { bySecret: sessions.byMapHandle, noteUse: sessions.noteUse },
  });
  const relyingParty = createRelyingParty(provider.connection, {
    callbackUrl: `${publicUrl}${callbackPath}`,
    publicUrl,
    acrValues: outside?.stepUp?.acrValues ?? [],
    clock,
    logger,
  });
  const proofs = createProofs({
    ...core,
    asks: outside === null || outside.stepUp !== null,
    acrValues: outside?.stepUp?.acrValues ?? [],
    issuer: relyingParty.issuerKey,
    identifySession: sessions.identifySession,
    keepSession,
  });
  const secret = await installationSecret(database, 'session.sign-in');
  const draftsSecret = await installationSecret(database, 'session.kept-drafts');
  const draftsKeyOf = (personId: string): string =>
    createHmac('sha256', draftsSecret).update(personId).digest('base64url');

  const readIdentity = (claims: Claims, complete: boolean): Identity =>
    identityOf(relyingParty.issuerKey, claims, outside?.readClaims, complete);

  /** The person of an issuer and subject (SES-8); of two first sign-ins at once, one creates the person. */
  async function personOf(identity: Identity, setUpToken: string | null): Promise<string> {
    const find = (read: Reader): Promise<string | null> =>
      personByIdentity(read, identity.issuer, identity.subject);
    const known = await find(database.read);
    if (known !== null && !(await outside?.isNews(database.read, known, identity, setUpToken))) return known;
    return database.change(async (change) => {
      const personId =
        (await find(change.tx)) ??
        (await outside?.takeRelinked(change, identity)) ??
        (await createMember(change, identity));
      await outside?.follow(change, personId, identity, setUpToken);
      return personId;
    });
  }

  async function createMember(change: Change, identity: Identity): Promise<string> {
    const address = await provider.addressOf(change, identity);
    const personId = await createPerson(change, { ...identity, ...address });
    await setRolesOf(change, personId, ['member']);
    return personId;
  }

  async function keepSession(change: Change, id: string, verified: VerifiedSignIn): Promise<void> {
    await outside?.keepSession(change, { id, issuer: relyingParty.issuerKey }, verified);
  }

  async function leave(sessionId: string): Promise<string | null> {
    const refreshToken = (await outside?.refreshTokenOf(database.read, sessionId)) ?? null;
    const idToken = await sessions.end(sessionId);
    // The answer does not wait for the provider: its refresh token is useless from here on.
    if (refreshToken !== null)
      relyingParty.revoke(refreshToken).catch((error: unknown) => {
        logger.warn({ err: error }, 'the provider did not revoke a refresh token at a sign-out');
      });
    return idToken;
  }

  async function landsInConsole(personId: string): Promise<boolean> {
    const person: Caller = { kind: 'person', id: personId, name: '', sessionId: null };
    const rights = await parts.rightsOf(person);
    return overviewRights.some((right) => rights.has(right));
  }

  const ofPeople = createSessionsOfPeople({ database, clock, idleMs, signedOut });
  const signIn = createSignIn({
    basePath,
    outside: outside !== null,
    relyingParty,
    sessions,
    cookies,
    secure,
    clock,
    logger,
    secret,
    personOf,
    readIdentity,
    count: core.metrics.counter({
      name: 'portico_sign_ins_total',
      help: 'Sign-ins that came back from the provider, by outcome.',
      label: 'outcome',
      values: signInOutcomes,
    }),
    prove: proofs.settle,
    sessionBegins: keepSession,
    accountState,
    landsInConsole,
    missesOperator: async (identity) => (await outside?.missesOperator(database.read, identity)) ?? false,
    maxMs,
  });
  return {
    readIdentity,
    relyingParty,
    identify: sessions.identify,
    identifyAtOwnHost: async (bearer: string) => refuseAtOtherHost(await sessions.identify(bearer)),
    verifiedCaller: sessions.verifiedCaller,
    identifySession: sessions.identifySession,
    remembered,
    /** Sessions by the map cookie, which opens the map services and nothing else (SES-5). */
    rememberedMaps,
    refuseUnproved: proofs.refuseUnproved,
    sign: tokens.sign,
    signOutPerson: ofPeople.signOut,
    async close() {
      await Promise.all([remembered.close(), rememberedMaps.close()]);
    },
    /** An access token for the session of a person who was identified by it. */
    issueToken: ({ id, sessionId, host }: Caller) => tokens.issue(id, sessionId ?? '', host),
    routes(
      serve: Serve,
      fastify: FastifyInstance,
      { backChannelLogout, setUp }: Pick<SessionRoutesOptions, 'backChannelLogout' | 'setUp'>,
    ) {
      sessionRoutes(fastify, serve, {
        clock,
        origin,
        basePath,
        publicUrl,
        secure,
        cookies,
        tokens,
        sessions,
        signIn,
        relyingParty,
        leave,
        hosts,
        handOver: createHandOver({
          ...core,
          basePath,
          publicUrl,
          cookies,
          secure,
          sessions,
          limit: core.rateLimit({ burst: 60, perSecond: 1 }),
        }),
        draftsKeyOf,
        outside: outside !== null,
        backChannelLogout,
        setUp,
        storageAnswers: core.storageAnswers,
        limit: core.addressLimit({ burst: 200, perSecond: 20 }),
      });
      ofPeople.routes(serve);
    },
    sweeps: {
      sessions: core.sweeping((tx, now, most) => sweepSessions(tx, now, now - idleMs, most)),
      'codes for the hosts of applications': core.sweeping(sweepHandOverCodes),
    },
  };
}
