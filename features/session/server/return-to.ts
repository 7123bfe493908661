import { targetBelow } from '#server/platform/http/paths.ts';

const longest = 2048;
/** The longest address that leads on to the host of an application: it fits into the cookie of a sign-in. */
export const longestReturn = 2600;
/** Paths to which a sign-in does not return: they would sign in once more, or lead nowhere. */
const notPlaces = /^\/(auth|idp)(\/|$)/;
/** The exceptions: both lead on after the sign-in, to the host of an application or to a stored address. */
const handOverPlace = '/auth/hand-over';
const storedPlace = '/auth/way-back';

/**
 * Where a person goes after signing in: path, query and fragment of our own origin, also outside the base path,
 * where an application may be; or the home screen for anything else (SES-1).
 *
 * @param place where the installation is; `home`: where anything else leads to; `most`: the most characters
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
