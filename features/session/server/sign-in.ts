import { proofEndedPage, signInFailedPage, type ProofOutcome, type SignInFailure } from '#contract/pages.ts';
import { returnToParameter } from '#features/session/contract/session.ts';
import type { Core } from '#server/core.ts';
import type { Change } from '#server/platform/database/database.ts';
import { HttpProblem } from '#server/platform/http/http-problem.ts';
import { isStorageFailure, nullUnlessStorageFailed } from '#server/platform/database/storage-failure.ts';
import { type CookieNames, readCookies, setCookie } from './cookies.ts';
import type { Identity } from './identity.ts';
import type { Claims } from './provider-tokens.ts';
import type { RelyingParty, VerifiedSignIn } from './relying-party.ts';
import { isRetryable, refusalOf, SignInRefusal } from './sign-in-refusal.ts';
import type { AccountState } from '#features/directory/server/directory.ts';
import type { Sessions } from './sessions.ts';
import { createSignInSeal, isSecondTry, isState, newState, signInSeconds } from './sign-in-state.ts';

/** Where the browser goes, and the `Set-Cookie` values for it. */
export type Redirect = { to: string; cookies: string[] };

export type SignIn = {
  /** Starts a sign-in: sends the browser to the provider (SES-1). */
  begin(request: {
    returnTo: string;
    again: boolean;
    cookieHeader: string | undefined;
    /** The token of the set-up link, where this sign-in makes the first operator. */
    setUpToken?: string;
    /** The session that this sign-in proves, instead of starting a new one. */
    proves?: string;
  }): Promise<Redirect>;
  /** Finishes a sign-in when the browser returns from the provider: never an error, never a loop. */
  finish(callback: URL, cookieHeader: string | undefined, userAgent?: string): Promise<Redirect>;
};

/** How a sign-in can end here, after the provider. */
export const signInOutcomes = ['signed-in', 'blocked', 'begun-again', 'refused'] as const;
type SignInOutcome = (typeof signInOutcomes)[number];

export type SignInOptions = Pick<Core, 'clock' | 'logger'> & {
  basePath: string;
  /** Whether the provider is another one than the embedded one. */
  outside: boolean;
  relyingParty: Pick<RelyingParty, 'authorizationUrl' | 'finish'>;
  sessions: Pick<Sessions, 'identifySession' | 'open'>;
  cookies: CookieNames;
  secure: boolean;
  /** A secret of the installation. */
  secret: string;
  /** The person of an identity, created at the first sign-in (SES-8). */
  personOf(identity: Identity, setUpToken: string | null): Promise<string>;
  readIdentity(claims: Claims, complete: boolean): Identity;
  /** The outcome of a sign-in that was to prove this session. */
  prove(sessionId: string, verified: VerifiedSignIn, cookieHeader: string | undefined): Promise<ProofOutcome>;
  /** Stores the provider's side of a session together with that session, when it begins. */
  sessionBegins(change: Change, sessionId: string, verified: VerifiedSignIn): Promise<void>;
  accountState(personId: string): AccountState | null | Promise<AccountState | null>;
  /** Whether this sign-in would have made the first operator, had the provider vouched for the address. */
  missesOperator(identity: Identity): Promise<boolean>;
  /** Whether a person who asked for no screen comes to the console's overview after the sign-in (CON-2). */
  landsInConsole(personId: string): Promise<boolean>;
  /** Counts what became of a sign-in. */
  count(outcome: SignInOutcome): void;
  /** How long a session lasts at most. */
  maxMs: number;
};

/** Sign-ins under way in one browser; the oldest are forgotten, since cookies fill the header. */
const mostUnderWay = 5;

/** The page that shows why a sign-in failed; its next try leads to `returnTo`. */
export function failurePath(basePath: string, reason: SignInFailure, returnTo = `${basePath}/`): string {
  const next = returnTo === `${basePath}/` ? '' : `&returnTo=${encodeURIComponent(returnTo)}`;
  return `${basePath}${signInFailedPage.path}?reason=${reason}${next}`;
}

/** The page that a proof ends in. */
export function proofEndedPath(basePath: string, outcome: ProofOutcome): string {
  return `${basePath}${proofEndedPage.path}?outcome=${outcome}`;
}

const failures: Partial<Record<SignInRefusal['reason'], SignInFailure>> = {
  'provider-unreachable': 'unreachable',
  'client-refused': 'misconfigured',
};

/** Answers null where the account was erased while its person signed in; throws any other error. */
function nullWhereErased(error: unknown): null {
  if (error instanceof HttpProblem && error.code === 'SESSION_ENDED') return null;
  throw error;
}

/** The address that starts the sign-in again, or, after the second try, that of the failure page. */
export function startOverPath(basePath: string, state: string, returnTo = `${basePath}/`): string {
  if (isSecondTry(state)) return failurePath(basePath, 'failed');
  return `${basePath}/auth/login?again=1&returnTo=${encodeURIComponent(returnTo)}`;
}

/** The sign-in as the provider's client: one round trip, tied to this browser by a sealed cookie. */
export function createSignIn(options: SignInOptions): SignIn {
  const { basePath, relyingParty, sessions, cookies: names, secure, logger } = options;
  const seal = createSignInSeal(options.secret, options.clock);
  const home = `${basePath}/`;
  // `__Host-` needs the path `/`. Where there is no `__Host-`, other applications of the host do not see the cookie.
  const path = secure || basePath === '' ? '/' : basePath;
  const carried = (state: string, value: string, maxAge: number): string =>
    setCookie(names.signIn(state), value, { path, sameSite: 'Lax', secure, maxAge });

  function forgetOldest(cookieHeader: string | undefined): string[] {
    const underWay = [...readCookies(cookieHeader).keys()].filter((name) =>
      name.startsWith(names.signInPrefix),
    );
    return underWay
      .slice(0, Math.max(0, underWay.length + 1 - mostUnderWay))
      .map((name) => carried(name.slice(names.signInPrefix.length), '', 0));
  }

  function failureOf({ reason }: SignInRefusal, returnTo: string): string {
    return failurePath(basePath, failures[reason] ?? 'refused', returnTo);
  }

  /** Logs an error of the provider, with a stable reason. Throws errors of the storage. */
  function refused(error: unknown): SignInRefusal {
    if (isStorageFailure(error)) throw error;
    const refusal = refusalOf(error);
    logger.warn({ reason: refusal.reason, err: refusal }, 'a sign-in could not be finished');
    return refusal;
  }

  return {
    async begin({ returnTo, again, cookieHeader, setUpToken = null, proves = null }) {
      const state = newState(again);
      const nonce = newState(false);
      const begun = await relyingParty
        .authorizationUrl({ state, nonce, proves: proves !== null })
        .catch(refused);
      if (begun instanceof SignInRefusal)
        return {
          to: proves === null ? failureOf(begun, returnTo) : proofEndedPath(basePath, 'failed'),
          cookies: [],
        };
      const { url, codeVerifier } = begun;
      const sealed = await seal.seal({ state, nonce, codeVerifier, returnTo, setUpToken, proves });
      const to =
        options.outside || returnTo === home
          ? url
          : `${url}&${returnToParameter}=${encodeURIComponent(returnTo)}`;
      return { to, cookies: [...forgetOldest(cookieHeader), carried(state, sealed, signInSeconds)] };
    },

    async finish(callback, cookieHeader, userAgent) {
      const given = callback.searchParams.get('state');
      const state = isState(given) ? given : '';
      const sealed = readCookies(cookieHeader).get(names.signIn(state)) ?? '';
      const signIn = await seal.open(sealed, state);
      if (signIn === null) {
        // The browser's history leads here again after a successful sign-in.
        const signedIn = await sessions.identifySession(cookieHeader).catch(nullUnlessStorageFailed);
        return { to: signedIn === null ? startOverPath(basePath, state) : home, cookies: [] };
      }
      const done = carried(state, '', 0);
      const { returnTo } = signIn;
      const verified = await relyingParty.finish(callback, signIn).catch(refused);
      if (signIn.proves !== null) {
        const outcome =
          verified instanceof SignInRefusal
            ? 'failed'
            : await options.prove(signIn.proves, verified, cookieHeader);
        return { to: proofEndedPath(basePath, outcome), cookies: [done] };
      }
      if (verified instanceof SignInRefusal) {
        const again = isRetryable(verified.reason);
        options.count(again ? 'begun-again' : 'refused');
        const to = again ? startOverPath(basePath, state, returnTo) : failureOf(verified, returnTo);
        return { to, cookies: [done] };
      }

      const identity = options.readIdentity(verified.claims, verified.complete);
      const personId = await options.personOf(identity, signIn.setUpToken).catch(nullWhereErased);
      const accountState = personId === null ? null : await options.accountState(personId);
      if (personId === null || accountState === null)
        return { to: startOverPath(basePath, state, returnTo), cookies: [done] };
      if (accountState.state === 'blocked') {
        options.count('blocked');
        logger.info({ personId }, 'a blocked person tried to sign in');
        return { to: failurePath(basePath, 'blocked'), cookies: [done] };
      }
      const { secret } = await sessions.open(
        {
          personId,
          idToken: verified.idToken,
          ...(options.outside ? { provedAt: typeof verified.proof === 'number' ? verified.proof : 0 } : {}),
          begins: (change, sessionId) => options.sessionBegins(change, sessionId, verified),
        },
        cookieHeader,
        userAgent,
      );
      options.count('signed-in');
      logger.info({ personId }, 'signed in');
      const session = setCookie(names.session, secret, {
        path: '/',
        sameSite: 'Lax',
        secure,
        maxAge: Math.floor(options.maxMs / 1000),
      });
      if (!(await options.missesOperator(identity))) {
        // Only operators can do something about claims that are missing.
        if (!verified.complete && (await options.landsInConsole(personId)))
          return { to: failurePath(basePath, 'userinfo', returnTo), cookies: [done, session] };
        const toConsole = returnTo === home && (await options.landsInConsole(personId));
        return { to: toConsole ? `${home}console` : returnTo, cookies: [done, session] };
      }
      logger.warn(
        { personId, reason: 'operator-unverified' },
        'OPERATOR_EMAIL names this person, but the provider does not say that it has verified the address (email_verified), so they are no operator; use the set-up link, or let the provider send it',
      );
      return { to: failurePath(basePath, 'not-operator'), cookies: [done, session] };
    },
  };
}
