import { targetBelow } from '../../platform/http/front.ts';

const longest = 2048;
/** Paths to which a sign-in does not return: they would sign in once more, or lead nowhere. */
const notPlaces = /^\/(auth|idp)(\/|$)/;

/**
 * Where a person goes after signing in: path, query and fragment of our own origin, which may be outside the
 * base path, where an application is; or the home screen for anything else (SES-1).
 *
 * @param place where the installation is
 */
export function safeReturnTo(
  wanted: string | undefined,
  { origin: own, basePath }: { origin: string; basePath: string },
): string {
  const home = `${basePath}/`;
  if (wanted === undefined || !URL.canParse(wanted, own)) return home;
  const { origin, pathname, search, hash } = new URL(wanted, own);
  const path = `${pathname}${search}${hash}`;
  // `//host` in a Location header is another host, and a parsed path can begin so (`/.//host`); the path of a
  // `blob:` is an address.
  if (
    origin !== own ||
    !/^\/(?!\/)/.test(pathname) ||
    notPlaces.test(targetBelow(pathname, basePath) ?? '') ||
    path.length > longest
  )
    return home;
  return path;
}
