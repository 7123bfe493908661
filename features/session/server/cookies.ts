export type CookieOptions = {
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
    // Another cookie's name may end in this one, and its value may hold it.
    let before = at - 1;
    while (header[before] === ' ' || header[before] === '\t') before -= 1;
    if (before >= 0 && header[before] !== ';') continue;
    const end = header.indexOf(';', at);
    return header.slice(at + beginning.length, end === -1 ? undefined : end).trim();
  }
  return undefined;
}
