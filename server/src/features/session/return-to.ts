const longest = 2048;
/** Paths to which a sign-in does not return: they would sign in once more, or lead nowhere. */
const notPlaces = /^\/(auth|idp)(\/|$)/;

/**
 * Where a person goes after signing in: path, query and fragment of our own origin, or `/` for anything else
 * (SES-1).
 *
 * @param publicUrl origin of the installation
 */
export function safeReturnTo(wanted: string | undefined, publicUrl: string): string {
  if (wanted === undefined || !URL.canParse(wanted, publicUrl)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, publicUrl);
  const path = `${pathname}${search}${hash}`;
  // `//host` in a Location header is another host, and a parsed path can begin so (`/.//host`); the path of a
  // `blob:` is an address.
  if (
    origin !== publicUrl ||
    !/^\/(?!\/)/.test(pathname) ||
    notPlaces.test(pathname) ||
    path.length > longest
  )
    return '/';
  return path;
}
