import type { Config } from './config.ts';
import { recordAudit } from './features/audit/audit.store.ts';
import {
  createBackChannelLogout,
  type BackChannelLogout,
} from './features/outside-provider/back-channel-logout.ts';
import { createFirstOperator, type FirstOperatorParts } from './features/outside-provider/first-operator.ts';
import { createFollowPerson } from './features/outside-provider/follow-person.ts';
import { createOutsideProvider } from './features/outside-provider/outside-provider.ts';
import { insertProviderSession, refreshTokenOf } from './features/outside-provider/provider-session.store.ts';
import { createReadClaims } from './features/outside-provider/read-claims.ts';
import { awaitRelink } from './features/outside-provider/relink.store.ts';
import { takeRelinked } from './features/outside-provider/relink.ts';
import { createTokenSeal } from './features/outside-provider/sealed-token.ts';
import {
  createSessionChecks,
  nextCheckAt,
  type SessionChecks,
} from './features/outside-provider/session-checks.ts';
import { invitedIssuer, personById, writeEmail } from './features/people/people.store.ts';
import { profileOf, setProfileNames } from './features/profile/profile.store.ts';
import type { ProviderConnection } from './features/session/relying-party.ts';
import type { OutsideSignIn, SignedInParts } from './features/session/session.ts';
import {
  deleteSession,
  endSessionsOf,
  limitSession,
  storeIdToken,
} from './features/session/session.store.ts';
import { RefreshFailure, SignInRefusal } from './features/session/sign-in-refusal.ts';
import type { Clock } from './platform/clock.ts';
import type { Change, Database } from './platform/database.ts';
import type { Logger } from './platform/logger.ts';
import { installationSecret } from './platform/setting.ts';

export type OutsideSignInParts = {
  connection: ProviderConnection;
  signIn: OutsideSignIn;
  /** What works on once it is known how people are signed in. */
  after(session: SignedInParts): { checks: SessionChecks; backChannelLogout: BackChannelLogout };
};

/** Lets people who are invited be found at the company's own provider, by their address. */
export function awaitAt({ issuer }: Pick<NonNullable<Config['oidc']>, 'issuer'>) {
  return ({ tx }: Change, personId: string, email: string): Promise<void> =>
    awaitRelink(tx, personId, { issuer, email });
}

/** Signing in at the company's own provider, put together (SES-4). */
export async function createOutsideSignIn(
  settings: NonNullable<Config['oidc']>,
  { database, clock, logger }: { database: Database; clock: Clock; logger: Logger },
  operator: Pick<FirstOperatorParts, 'wasSetUp' | 'isBlocked' | 'takeSetUpToken' | 'makeOperator'>,
): Promise<OutsideSignInParts> {
  const secret = await installationSecret(database, 'outside-provider.refresh-tokens');
  const seal = createTokenSeal(secret, settings.clientSecret);
  const followPerson = createFollowPerson({
    profileOf,
    addressOf: personById,
    writeEmail,
    writeNames: setProfileNames,
    recordAudit,
  });
  const firstOperator = createFirstOperator({ ...operator, settings, recordAudit });
  return {
    connection: createOutsideProvider({
      settings,
      clock,
      logger,
      refusal: (reason, message, cause) => new SignInRefusal(reason, message, cause),
    }),
    signIn: {
      readClaims: createReadClaims(settings.claims),
      isNews: async (read, personId, identity, setUpToken) =>
        (await followPerson.isNews(read, personId, identity)) ||
        firstOperator.isAsked(read, identity, setUpToken),
      missesOperator: firstOperator.isMissed,
      takeRelinked: (change, identity) =>
        takeRelinked(change, identity, { endSessionsOf, recordAudit, invitedIssuer }),
      async follow(change, personId, identity, setUpToken) {
        await followPerson.follow(change, personId, identity);
        await firstOperator.settle(change, personId, identity, setUpToken);
      },
      async sessionBegins(change, { id, issuer }, { claims, sid, refreshToken }) {
        await insertProviderSession(change, {
          sessionId: id,
          issuer,
          subject: claims.sub,
          sid,
          refreshToken: refreshToken === null ? null : seal.seal(refreshToken, id),
          nextCheckAt: refreshToken === null ? null : nextCheckAt(clock.now(), Math.random()),
        });
      },
      async refreshTokenOf(read, sessionId) {
        const sealed = await refreshTokenOf(read, settings.issuer, sessionId);
        return sealed === null ? null : seal.open(sealed, sessionId);
      },
    },
    after: ({ relyingParty, readIdentity }) => ({
      checks: createSessionChecks({
        database,
        clock,
        logger,
        relyingParty,
        seal,
        identityOf: readIdentity,
        followPerson,
        endSession: deleteSession,
        limitSession,
        storeIdToken,
        isRefreshFailure: (error) => error instanceof RefreshFailure,
      }),
      backChannelLogout: createBackChannelLogout({
        database,
        logger,
        relyingParty,
        endSession: deleteSession,
      }),
    }),
  };
}
