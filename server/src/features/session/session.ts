import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database, Reader } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { installationSecret } from '../../platform/setting.ts';
import { createAccessTokens } from './access-token.ts';
import { cookieNames } from './cookie-names.ts';
import { identityOf, type Identity, type ReadClaims } from './identity.ts';
import {
  createRelyingParty,
  type Claims,
  type ProviderConnection,
  type VerifiedSignIn,
} from './relying-party.ts';
import type { SessionRoutesOptions } from './session.routes.ts';
import { createSessions, type SessionsOptions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';

export const callbackPath = '/auth/callback';

export type SessionOptions = Pick<
  SessionsOptions,
  'idleMs' | 'maxMs' | 'standing' | 'apiTokens' | 'personSeen' | 'signedOut'
> & {
  database: Database;
  feed: ChangeFeed;
  clock: Clock;
  logger: Logger;
  publicUrl: string;
  cookieSuffix: string;
  connection: ProviderConnection;
  /** The person of a provider's subject, or null. */
  findPerson(read: Reader, issuer: string, subject: string): Promise<string | null>;
  /** Adds the person of a first sign-in. */
  createPerson(change: Change, identity: Identity): Promise<string>;
  /** What another provider than the embedded one brings to a sign-in. */
  outside: OutsideSignIn | null;
};

export type OutsideSignIn = {
  readClaims: ReadClaims;
  /** Whether `follow` would change anything. */
  isNews(read: Reader, personId: string, identity: Identity, setUpToken: string | null): Promise<boolean>;
  /** The person who waits for this identity since a change of provider or an invitation, made theirs; or null. */
  takeRelinked(change: Change, identity: Identity): Promise<string | null>;
  /** Whether a person would have become the first operator, had the provider vouched for the address. */
  missesOperator(read: Reader, identity: Identity): Promise<boolean>;
  /** Takes over what the provider says of a person; with the token of the set-up link makes them the first operator. */
  follow(change: Change, personId: string, identity: Identity, setUpToken: string | null): Promise<void>;
  /** Keeps the provider's side of a session that begins. */
  sessionBegins(
    change: Change,
    session: { id: string; issuer: string },
    verified: VerifiedSignIn,
  ): Promise<void>;
  /** The refresh token that the provider gave to a session, or null. */
  refreshTokenOf(read: Reader, sessionId: string): Promise<string | null>;
};

/** Everything about being signed in. */
export type SignedInParts = Omit<
  SessionRoutesOptions,
  'backChannelLogout' | 'setUp' | 'storageAnswers' | 'limit'
> & {
  readIdentity(claims: Claims, complete: boolean): Identity;
};

/** Everything about being signed in, put together. */
export async function createSession(options: SessionOptions): Promise<SignedInParts> {
  const { database, feed, clock, logger, publicUrl, outside } = options;
  const secure = publicUrl.startsWith('https:');
  const cookies = cookieNames(options.cookieSuffix, secure);
  const tokens = createAccessTokens({ database, feed, clock, publicUrl });
  const mapSecret = await installationSecret(database, 'session.map-cookie');
  const sessions = createSessions({ ...options, tokens, cookies, mapSecret });
  const relyingParty = createRelyingParty(options.connection, {
    callbackUrl: `${publicUrl}${callbackPath}`,
    publicUrl,
    clock,
    logger,
  });
  const secret = await installationSecret(database, 'session.sign-in');

  const readIdentity = (claims: Claims, complete: boolean): Identity =>
    identityOf(relyingParty.issuerKey, claims, outside?.readClaims, complete);

  /** SES-8: issuer and subject are the key; of two first sign-ins at once one makes the person. */
  async function personOf(identity: Identity, setUpToken: string | null): Promise<string> {
    const find = (read: Reader): Promise<string | null> =>
      options.findPerson(read, identity.issuer, identity.subject);
    const known = await find(database.read);
    if (known !== null && !(await outside?.isNews(database.read, known, identity, setUpToken))) return known;
    return database.change(async (change) => {
      const personId =
        (await find(change.tx)) ??
        (await outside?.takeRelinked(change, identity)) ??
        (await options.createPerson(change, identity));
      await outside?.follow(change, personId, identity, setUpToken);
      return personId;
    });
  }

  async function leave(sessionId: string): Promise<string | null> {
    const refreshToken = (await outside?.refreshTokenOf(database.read, sessionId)) ?? null;
    const idToken = await sessions.end(sessionId);
    // Nobody waits for the provider: what it was given is of no use to anybody from here on.
    if (refreshToken !== null)
      relyingParty.revoke(refreshToken).catch((error: unknown) => {
        logger.warn({ err: error }, 'the provider did not take a refresh token back at a sign-out');
      });
    return idToken;
  }

  const { standing, maxMs } = options;
  const signIn = createSignIn({
    relyingParty,
    sessions,
    cookies,
    secure,
    clock,
    logger,
    secret,
    personOf,
    readIdentity,
    sessionBegins: async (change, id, verified) =>
      outside?.sessionBegins(change, { id, issuer: relyingParty.issuerKey }, verified),
    standing,
    missesOperator: async (identity) => (await outside?.missesOperator(database.read, identity)) ?? false,
    maxMs,
  });
  return { readIdentity, clock, publicUrl, secure, cookies, tokens, sessions, signIn, relyingParty, leave };
}
