import type { Database } from '#server/platform/database/database.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import type { Logger } from '#server/platform/log/logger.ts';
import type { RelyingParty } from '#features/session/server/relying-party.ts';
import { deleteSession } from '#features/session/server/session.store.ts';
import { noteLogoutToken, sessionsAt } from './provider-session.store.ts';

/** Longer than a logout token is taken for fresh. */
const rememberMs = 10 * 60_000;

/**
 * Ends the sessions that a provider names in a logout token (OpenID Connect Back-Channel Logout 1.0). Answers
 * false for a token that has been used before; throws SignInRefusal for one that is none.
 */
export type BackChannelLogout = (logoutToken: string) => Promise<boolean>;

export function createBackChannelLogout(options: {
  database: Database;
  logger: Logger;
  relyingParty: Pick<RelyingParty, 'issuerKey' | 'verifyLogoutToken'>;
}): BackChannelLogout {
  const { database, logger, relyingParty } = options;
  return async (logoutToken) => {
    const { id, issuedAt, ...meant } = await relyingParty.verifyLogoutToken(logoutToken);
    const issuer = relyingParty.issuerKey;
    const ended = await database.change(async (change) => {
      const fresh = await noteLogoutToken(change.tx, hashSecret(`${issuer}\n${id}`), issuedAt + rememberMs);
      if (!fresh) return null;
      const sessionIds = await sessionsAt(change.tx, issuer, meant);
      for (const sessionId of sessionIds) await deleteSession(change, sessionId, 'provider');
      return sessionIds.length;
    });
    if (ended !== null) logger.info({ ended }, 'the provider signed a person out');
    return ended !== null;
  };
}
