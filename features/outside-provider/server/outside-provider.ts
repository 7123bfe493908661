import type { Config, OutsideProviderSettings } from '#server/config.ts';
import type { Core } from '#server/core.ts';
import type { Change, Reader } from '#server/platform/database/database.ts';
import { createPeriodic, type Periodic } from '#server/platform/time/periodic.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';
import type { SetUp } from '#features/identity-provider/server/set-up.ts';
import type { OutsideSignIn, ProviderInUse, SignedIn } from '#features/session/server/session.ts';
import type { RelyingParty } from '#features/session/server/relying-party.ts';
import { deleteSession } from '#features/session/server/session.store.ts';
import { recordAudit, type Actor } from '#features/audit/server/audit.store.ts';
import { accountStateOf } from '#features/directory/server/people.store.ts';
import { makeOperator } from '#features/people/server/administration.ts';
import { wasSetUp } from '#features/permissions/server/permissions.store.ts';
import type { Identity } from '#features/session/server/identity.ts';
import { follow, isNews } from './follow-person.ts';
import { createProviderConnection } from './provider-connection.ts';
import * as store from './provider-session.store.ts';
import { createReadClaims } from './read-claims.ts';
import { awaitRelink } from './relink.store.ts';
import { takeRelinked } from './relink.ts';
import { createSeal } from '#server/platform/keys/seal.ts';
import { createSessionChecks, nextCheckAt } from './session-checks.ts';

type FirstOperator = {
  /** Whether this sign-in may make its person the first operator. */
  isAsked(read: Reader, identity: Identity, setUpToken: string | null): Promise<boolean>;
  /** Whether the address alone would have made the person operator, but the provider does not vouch for it. */
  isMissed(read: Reader, identity: Identity): Promise<boolean>;
  /** Makes the person operator, unless another was quicker or they are blocked: a sign-in never recovers a person. */
  settle(change: Change, personId: string, identity: Identity, setUpToken: string | null): Promise<void>;
};

/** How long a used logout token is remembered: longer than it would be accepted. */
const rememberMs = 10 * 60_000;

/**
 * Ends the sessions that a provider names in a logout token (OpenID Connect Back-Channel Logout 1.0). Answers
 * false for a token that has been used before; throws SignInRefusal for an invalid one.
 */
type BackChannelLogout = (logoutToken: string) => Promise<boolean>;

/** Matches invited people by their address at the outside provider. */
export function awaitAt({ issuer }: Pick<NonNullable<Config['oidc']>, 'issuer'>) {
  return ({ tx }: Change, personId: string, email: string): Promise<void> =>
    awaitRelink(tx, personId, { issuer, email });
}

/** Signing in at the company's own provider, put together (SES-4). */
export async function createOutsideProvider(
  core: Core,
  settings: NonNullable<Config['oidc']>,
  setUp: Pick<SetUp, 'take'>,
) {
  const { database, clock, logger } = core;
  const secret = await installationSecret(database, 'outside-provider.refresh-tokens');
  const seal = createSeal(secret, settings.clientSecret, 'refresh-token');
  const firstOperator = createFirstOperator({ settings, takeSetUpToken: setUp.take });
  let checks: Periodic | null = null;

  const outside: OutsideSignIn = {
    readClaims: createReadClaims(settings.claims, (found) =>
      logger.warn({ found }, 'a person has more roles or groups than are read; rights may be missing'),
    ),
    stepUp: settings.stepUp,
    isNews: async (read, personId, identity, setUpToken) =>
      (await isNews(read, personId, identity)) || firstOperator.isAsked(read, identity, setUpToken),
    missesOperator: firstOperator.isMissed,
    takeRelinked,
    async follow(change, personId, identity, setUpToken) {
      await follow(change, personId, identity);
      await firstOperator.settle(change, personId, identity, setUpToken);
    },
    async keepSession(change, { id, issuer }, { claims, sid, refreshToken }) {
      await store.storeProviderSession(change, {
        sessionId: id,
        issuer,
        subject: claims.sub,
        sid,
        refreshToken: refreshToken === null ? null : seal.seal(refreshToken, id),
        nextCheckAt: refreshToken === null ? null : nextCheckAt(clock.now(), Math.random()),
      });
    },
    async refreshTokenOf(read, sessionId) {
      const sealed = await store.refreshTokenOf(read, settings.issuer, sessionId);
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

function createBackChannelLogout(
  options: Pick<Core, 'database' | 'logger'> & {
    relyingParty: Pick<RelyingParty, 'issuerKey' | 'verifyLogoutToken'>;
  },
): BackChannelLogout {
  const { database, logger, relyingParty } = options;
  return async (logoutToken) => {
    const { id, issuedAt, ...meant } = await relyingParty.verifyLogoutToken(logoutToken);
    const issuer = relyingParty.issuerKey;
    const ended = await database.change(async (change) => {
      const fresh = await store.noteLogoutToken(
        change.tx,
        hashSecret(`${issuer}\n${id}`),
        issuedAt + rememberMs,
      );
      if (!fresh) return null;
      const sessionIds = await store.sessionsAt(change.tx, issuer, meant);
      for (const sessionId of sessionIds) await deleteSession(change, sessionId, 'provider');
      return sessionIds.length;
    });
    if (ended !== null) logger.info({ ended }, 'the provider signed a person out');
    return ended !== null;
  };
}

/**
 * Makes the first operator with an outside provider (START-6): the person who signs in through the set-up
 * link, or with the address in OPERATOR_EMAIL, if the provider has verified it.
 */
function createFirstOperator(parts: {
  settings: Pick<OutsideProviderSettings, 'operatorEmail'>;
  /** Uses the token of the set-up link up; false where it does not work any more. */
  takeSetUpToken(change: Change, token: string): Promise<boolean>;
}): FirstOperator {
  const isNamed = ({ email, emailVerified }: Identity): boolean =>
    emailVerified && email !== '' && email === parts.settings.operatorEmail;

  return {
    isAsked: async (read, identity, setUpToken) =>
      (setUpToken !== null || isNamed(identity)) && !(await wasSetUp(read)),
    isMissed: async (read, { claimedEmail, emailVerified }) =>
      claimedEmail !== '' &&
      claimedEmail === parts.settings.operatorEmail &&
      !emailVerified &&
      !(await wasSetUp(read)),
    async settle(change, personId, identity, setUpToken) {
      if ((await wasSetUp(change.tx)) || (await accountStateOf(change.tx, personId))?.state === 'blocked')
        return;
      const claimed = setUpToken !== null && (await parts.takeSetUpToken(change, setUpToken));
      if (!claimed && !isNamed(identity)) return;
      await makeOperator(change, personId);
      const { email, firstName, lastName, subject } = identity;
      const name = email === '' ? subject : email;
      const actor: Actor = claimed
        ? { kind: 'person', id: personId, name, sessionId: null }
        : { kind: 'start', id: null, name: 'OPERATOR_EMAIL' };
      await recordAudit(change, actor, {
        action: 'set-up.claim',
        subject: personId,
        after: { email, firstName, lastName },
      });
    },
  };
}
