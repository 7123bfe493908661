import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#server/platform/time/clock.ts';
import { hashSecret, newSecret } from '#server/platform/keys/ids.ts';
import { readCookies, setCookie } from '#features/session/server/cookies.ts';
import type { Account } from './accounts.store.ts';

/**
 * Browsers that have signed in to an account, recognised by a signed cookie for each account ("device cookies",
 * OWASP). The cookie grants no access; guesses from such a browser are counted separately, so that those of others
 * do not lock its person out. The cookie ends with the password that it was made for, except `seen`.
 */
export type KnownBrowsers = {
  /** What identifies the browser to this account, or null where it has not signed in there. */
  idOf(cookieHeader: string | undefined, account: Account, seconds?: number): string | null;
  /** `Set-Cookie` values for a browser whose person has shown the password of the account, or set it. */
  remember(cookieHeader: string | undefined, account: Account, seconds?: number): string[];
};

/** The longest time that browsers store a cookie. */
const longestSeconds = 400 * 86_400;
/** Accounts that one browser is known to; a shared computer has a few. */
const mostAccounts = 5;

export function createKnownBrowsers(options: {
  clock: Clock;
  secret: string;
  /** Distinguishes installations on one host. */
  cookieSuffix: string;
  secure: boolean;
  basePath: string;
  /** What the cookie means: that a person has signed in, that a password was shown, or a second factor too. */
  name: 'seen' | 'known' | 'trusted';
}): KnownBrowsers {
  const { clock, secure } = options;
  const prefix = `${secure ? '__Secure-' : ''}portico_${options.name}_${options.cookieSuffix}_`;
  // Neither applications nor other routes get the cookie.
  const place = { path: `${options.basePath}/idp/sign-in`, sameSite: 'Strict', secure } as const;
  const nameOf = ({ id }: Account): string => `${prefix}${hashSecret(id).slice(0, 12)}`;

  /** Made of the stored hash, so that a new password ends the cookie; `trusted` also ends with other factors. */
  function signatureOf({ id, passwordHash, factorsAt }: Account, nonce: string, at: string): Buffer {
    const factors = options.name === 'trusted' ? [options.name, factorsAt] : [];
    const password = options.name === 'seen' ? options.name : passwordHash;
    const signed = JSON.stringify([id, password, nonce, at, ...factors]);
    return createHmac('sha256', options.secret).update(signed).digest();
  }

  return {
    idOf(cookieHeader, account, seconds = longestSeconds) {
      const [nonce = '', at = '', shown = ''] =
        readCookies(cookieHeader).get(nameOf(account))?.split('.') ?? [];
      const signature = Buffer.from(shown, 'base64url');
      const expected = signatureOf(account, nonce, at);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
      return Number.parseInt(at, 36) + seconds * 1000 > clock.now() ? nonce : null;
    },
    remember(cookieHeader, account, seconds = longestSeconds) {
      const name = nameOf(account);
      const others = [...readCookies(cookieHeader).keys()].filter(
        (each) => each.startsWith(prefix) && each !== name,
      );
      const [nonce, at] = [newSecret(), clock.now().toString(36)];
      const value = [nonce, at, signatureOf(account, nonce, at).toString('base64url')].join('.');
      return [
        setCookie(name, value, { ...place, maxAge: seconds }),
        ...others.slice(mostAccounts - 1).map((each) => setCookie(each, '', { ...place, maxAge: 0 })),
      ];
    },
  };
}
