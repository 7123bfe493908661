import type { ChangeFeed } from '../../platform/change-feed.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Change, Database, Reader } from '../../platform/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { installationSecret } from '../../platform/setting.ts';
import { createAccessTokens } from './access-token.ts';
import { cookieNames } from './cookie-names.ts';
import type { Identity } from './identity.ts';
import { createRelyingParty, type ProviderConnection } from './relying-party.ts';
import type { SessionRoutesOptions } from './session.routes.ts';
import { createSessions, type SessionsOptions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';

export const callbackPath = '/auth/callback';

export type SessionOptions = Pick<
  SessionsOptions,
  'idleMs' | 'maxMs' | 'standing' | 'apiTokens' | 'personSeen'
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
};

/** Everything about being signed in, put together. */
export async function createSession(options: SessionOptions): Promise<SessionRoutesOptions> {
  const { database, feed, clock, logger, publicUrl } = options;
  const secure = publicUrl.startsWith('https:');
  const cookies = cookieNames(options.cookieSuffix, secure);
  const tokens = createAccessTokens({ database, feed, clock, publicUrl });
  const mapSecret = await installationSecret(database, 'session.map-cookie');
  const sessions = createSessions({ ...options, tokens, cookies, mapSecret });
  const relyingParty = createRelyingParty(options.connection, {
    callbackUrl: `${publicUrl}${callbackPath}`,
    publicUrl,
  });
  const secret = await installationSecret(database, 'session.sign-in');

  /** SES-8: issuer and subject are the key; of two first sign-ins at once one makes the person. */
  async function personOf(identity: Identity): Promise<string> {
    const find = (read: Reader): Promise<string | null> =>
      options.findPerson(read, identity.issuer, identity.subject);
    return (
      (await find(database.read)) ??
      database.change(async (change) => (await find(change.tx)) ?? options.createPerson(change, identity))
    );
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
    standing,
    maxMs,
  });
  return { clock, publicUrl, secure, cookies, tokens, sessions, signIn, relyingParty };
}
