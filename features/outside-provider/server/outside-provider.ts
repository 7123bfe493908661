import type { Config } from '#server/config.ts';
import { createBackChannelLogout, type BackChannelLogout } from './back-channel-logout.ts';
import { createFirstOperator } from './first-operator.ts';
import { follow, isNews } from './follow-person.ts';
import { createProviderConnection } from './provider-connection.ts';
import { insertProviderSession, refreshTokenOf, sweepLogoutTokens } from './provider-session.store.ts';
import { createReadClaims } from './read-claims.ts';
import { awaitRelink } from './relink.store.ts';
import { takeRelinked } from './relink.ts';
import { createTokenSeal } from './sealed-token.ts';
import { createSessionChecks, nextCheckAt } from './session-checks.ts';
import type { SetUp } from '#features/identity-provider/server/set-up.ts';
import type { OutsideSignIn, ProviderInUse, SignedIn } from '#features/session/server/session.ts';
import type { Core, Feature } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { createPeriodic, type Periodic } from '#server/platform/time/periodic.ts';
import { installationSecret } from '#server/platform/database/setting.ts';

/** Matches invited people by their address at the outside provider. */
export function awaitAt({ issuer }: Pick<NonNullable<Config['oidc']>, 'issuer'>) {
  return ({ tx }: Change, personId: string, email: string): Promise<void> =>
    awaitRelink(tx, personId, { issuer, email });
}

/** Also where people sign in at the embedded provider again: what another one has left expires. */
export function outsideProviderSweeps(core: Core): NonNullable<Feature['sweeps']> {
  return { 'logout tokens': core.sweeping(sweepLogoutTokens) };
}

/** Signing in at the company's own provider, put together (SES-4). */
export async function createOutsideProvider(
  core: Core,
  settings: NonNullable<Config['oidc']>,
  setUp: Pick<SetUp, 'take'>,
) {
  const { database, clock, logger } = core;
  const secret = await installationSecret(database, 'outside-provider.refresh-tokens');
  const seal = createTokenSeal(secret, settings.clientSecret);
  const firstOperator = createFirstOperator({ settings, takeSetUpToken: setUp.take });
  let checks: Periodic | null = null;

  const outside: OutsideSignIn = {
    readClaims: createReadClaims(settings.claims),
    isNews: async (read, personId, identity, setUpToken) =>
      (await isNews(read, personId, identity)) || firstOperator.isAsked(read, identity, setUpToken),
    missesOperator: firstOperator.isMissed,
    takeRelinked,
    async follow(change, personId, identity, setUpToken) {
      await follow(change, personId, identity);
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
  };
  const inUse: ProviderInUse = {
    connection: createProviderConnection({ settings, clock, logger }),
    outside,
    addressOf: () => Promise.resolve({}),
  };

  return {
    inUse,
    /** Starts the periodic checks of sessions at the provider; answers the handler of its logout tokens. */
    follow({ relyingParty, readIdentity }: SignedIn): BackChannelLogout {
      const due = createSessionChecks({
        ...core,
        relyingParty,
        seal,
        identityOf: readIdentity,
      });
      checks = createPeriodic(logger, 20_000, { 'checks of sessions': due.run });
      return createBackChannelLogout({ ...core, relyingParty });
    },
    /** Checks the sessions that are due. */
    checkSessions: async () => checks?.run(),
    close: async () => checks?.stop(),
  };
}
