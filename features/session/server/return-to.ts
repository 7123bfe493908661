import { targetBelow } from '#server/platform/http/base-path.ts';

const longest = 2048;
/** Of an address that leads on to the host of an application: what fits into the cookie of a sign-in. */
export const longestReturn = 2600;
/** Paths to which a sign-in does not return: they would sign in once more, or lead nowhere. */
const notPlaces = /^\/(auth|idp)(\/|$)/;
/** The exceptions: the way to the host of an application goes on after the sign-in, and so does a stored one. */
const handOverPlace = '/auth/hand-over';
const storedPlace = '/auth/way-back';

/**
 * Where a person goes after signing in: path, query and fragment of our own origin, which may be outside the
 * base path, where an application is; or the home screen for anything else (SES-1).
 *
 * @param place where the installation is; `home` where anything else leads to; `most` characters
 */
export function safeReturnTo(
  wanted: string | undefined,
  {
    origin: own,
    basePath,
    home = `${basePath}/`,
    most = longest,
  }: { origin: string; basePath: string; home?: string; most?: number },
): string {
  if (wanted === undefined || !URL.canParse(wanted, own)) return home;
  const { origin, pathname, search, hash } = new URL(wanted, own);
  const path = `${pathname}${search}${hash}`;
  const below = targetBelow(pathname, basePath) ?? '';
  const isHandOver = below === handOverPlace;
  // `//host` in a Location header is another host, and a parsed path can begin so (`/.//host`); the path of a
  // `blob:` is an address.
  if (
    origin !== own ||
    !/^\/(?!\/)/.test(pathname) ||
    (notPlaces.test(below) && !isHandOver && below !== storedPlace) ||
    path.length > (isHandOver ? Math.max(longestReturn, most) : most)
  )
    return home;
  return path;
}
