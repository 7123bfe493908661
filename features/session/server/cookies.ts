import type { Database } from '#server/platform/database/database.ts';
import { installationSecret } from '#server/platform/database/setting.ts';
import { hashSecret } from '#server/platform/keys/ids.ts';

/**
 * The names of an installation's cookies. Cookies ignore ports, so two installations on localhost need
 * different ones. The session's cookie has the path `/` even with a base path: the browser sends it to the
 * applications of this host, which ask Portico who the person is.
 */
export type CookieNames = {
  session: string;
  map: string;
  /**
   * The sign-in that is under way for a `state`. `__Host-` keeps an application at a subdomain from setting
   * this cookie: it could set the one of its own sign-in, and the visitor would use the attacker's account.
   */
  signIn(state: string): string;
  signInPrefix: string;
  /** At the host of an application: the hand-over that is under way for a challenge. */
  handOver(challenge: string): string;
  handOverPrefix: string;
  /** At the host of an application: a hand-over has ended here a moment ago. */
  arrived: string;
};

type CookieOptions = {
  path: string;
  sameSite: 'Lax' | 'Strict';
  /** True where the public URL is https. */
  secure: boolean;
  /** Seconds; 0 removes the cookie, undefined keeps it until the browser closes. */
  maxAge?: number;
};

/** A `Set-Cookie` value (RFC 6265). Scripts never read our cookies. */
export function setCookie(
  name: string,
  value: string,
  { path, sameSite, secure, maxAge }: CookieOptions,
): string {
  return [
    `${name}=${value}`,
    `Path=${path}`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
}

/** The cookies of a `Cookie` header, in its order; of two with one name the first counts. */
export function readCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

/** The value of one cookie, as `readCookies` finds it, for what is asked at every request. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  const beginning = `${name}=`;
  for (let at = header.indexOf(beginning); at !== -1; at = header.indexOf(beginning, at + 1)) {
    // Another cookie's name may end with `name`, and another cookie's value may contain it.
    let before = at - 1;
    while (header[before] === ' ' || header[before] === '\t') before -= 1;
    if (before >= 0 && header[before] !== ';') continue;
    const end = header.indexOf(';', at);
    return header.slice(at + beginning.length, end === -1 ? undefined : end).trim();
  }
  return undefined;
}

/**
 * @param suffix distinguishes installations on one host
 * @param secure whether the public URL is https, where browsers let only this host set a cookie whose name
 *   begins with `__Host-`
 */
export function cookieNames(suffix: string, secure: boolean): CookieNames {
  const host = secure ? '__Host-' : '';
  const signInPrefix = `${host}portico_sign_in_${suffix}_`;
  const handOverPrefix = `${host}portico_hand_over_${suffix}_`;
  return {
    session: `${host}portico_session_${suffix}`,
    map: `${secure ? '__Secure-' : ''}portico_map_${suffix}`,
    signIn: (state) => `${signInPrefix}${state}`,
    signInPrefix,
    handOver: (challenge) => `${handOverPrefix}${challenge.slice(0, 16)}`,
    handOverPrefix,
    arrived: `${host}portico_arrived_${suffix}`,
  };
}

/**
 * Distinguishes installations on one host, a copy of one under another base path too. Not a secret, and the
 * same as long as the installation exists at its place.
 */
export async function cookieSuffixOf(database: Database, basePath: string): Promise<string> {
  const secret = await installationSecret(database, 'cookie-names');
  return hashSecret(`${secret}${basePath}`)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, 8)
    .toLowerCase();
}
