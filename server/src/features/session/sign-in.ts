import { signInFailedPage, type SignInFailure } from '@portico/contract/pages';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CookieNames } from './cookie-names.ts';
import { readCookies, setCookie } from './cookies.ts';
import { identityOf, type Identity } from './identity.ts';
import type { RelyingParty } from './relying-party.ts';
import type { Sessions, Standing } from './sessions.ts';
import { createSignInSeal, isSecondTry, isState, newState, signInSeconds } from './sign-in-state.ts';

/** Where the browser goes, and what it keeps. */
export type Redirect = { to: string; cookies: string[] };

export type SignIn = {
  /** To the provider (SES-1). */
  begin(request: { returnTo: string; again: boolean; cookieHeader: string | undefined }): Promise<Redirect>;
  /** Back from it: never an error, never a loop. */
  finish(callback: URL, cookieHeader: string | undefined): Promise<Redirect>;
};

export type SignInOptions = {
  relyingParty: RelyingParty;
  sessions: Sessions;
  cookies: CookieNames;
  secure: boolean;
  clock: Clock;
  logger: Logger;
  /** A secret of the installation. */
  secret: string;
  /** The person of an identity, created at the first sign-in (SES-8). */
  personOf(identity: Identity): Promise<string>;
  standing(personId: string): Standing | null | Promise<Standing | null>;
  /** How long a session lasts at most. */
  maxMs: number;
};

/** Sign-ins that one browser may have under way; the oldest are forgotten, since their cookies fill the request's header. */
const mostUnderWay = 5;

function failurePath(reason: SignInFailure): string {
  return `${signInFailedPage.path}?reason=${reason}`;
}

/** Once more from the start, or, after the second try, to a page that says that it does not work. */
export function startOverPath(state: string | null, returnTo: string): string {
  if (state !== null && isSecondTry(state)) return failurePath('failed');
  return `/auth/login?again=1&returnTo=${encodeURIComponent(returnTo)}`;
}

/** The sign-in as the provider's client: one round trip, tied to this browser by a sealed cookie that is named after its state. */
export function createSignIn(options: SignInOptions): SignIn {
  const { relyingParty, sessions, cookies: names, secure, logger } = options;
  const seal = createSignInSeal(options.secret, options.clock);
  const path = '/auth';
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

  return {
    async begin({ returnTo, again, cookieHeader }) {
      const state = newState(again);
      const nonce = newState(false);
      const { url, codeVerifier } = await relyingParty.authorizationUrl({ state, nonce });
      const sealed = await seal.seal({ state, nonce, codeVerifier, returnTo });
      return { to: url, cookies: [...forgetOldest(cookieHeader), carried(state, sealed, signInSeconds)] };
    },

    async finish(callback, cookieHeader) {
      const given = callback.searchParams.get('state');
      const state = isState(given) ? given : null;
      const sealed = state === null ? undefined : readCookies(cookieHeader).get(names.signIn(state));
      const signIn = state === null || sealed === undefined ? null : await seal.open(sealed, state);
      if (state === null || signIn === null) {
        // Back and forth in the browser's history leads here after a sign-in that went well.
        const signedIn = await sessions.identifySession(cookieHeader).catch(() => null);
        return { to: signedIn === null ? startOverPath(state, '/') : '/', cookies: [] };
      }
      const done = carried(state, '', 0);
      const verified = await relyingParty.finish(callback, signIn).catch((error: unknown) => {
        logger.warn({ err: error }, 'a sign-in could not be finished');
        return null;
      });
      if (verified === null) return { to: startOverPath(state, signIn.returnTo), cookies: [done] };

      const personId = await options.personOf(identityOf(relyingParty.issuerKey, verified.claims));
      if ((await options.standing(personId))?.state === 'blocked') {
        logger.info({ personId }, 'a blocked person tried to sign in');
        return { to: failurePath('blocked'), cookies: [done] };
      }
      const { secret } = await sessions.open({ personId, idToken: verified.idToken }, cookieHeader);
      logger.info({ personId }, 'signed in');
      const session = setCookie(names.session, secret, {
        path: '/',
        sameSite: 'Lax',
        secure,
        maxAge: Math.floor(options.maxMs / 1000),
      });
      return { to: signIn.returnTo, cookies: [done, session] };
    },
  };
}
