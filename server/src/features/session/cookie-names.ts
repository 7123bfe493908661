/** The names of an installation's cookies. Cookies ignore ports, so two installations on localhost need different ones. */
export type CookieNames = {
  session: string;
  map: string;
  /** The sign-in that is under way for a `state`. */
  signIn(state: string): string;
  signInPrefix: string;
};

/**
 * @param suffix tells installations on one host apart
 * @param secure whether the public URL is https, where browsers hold a name that begins with `__Host-` to this host
 */
export function cookieNames(suffix: string, secure: boolean): CookieNames {
  const signInPrefix = `${secure ? '__Secure-' : ''}portico_sign_in_${suffix}_`;
  return {
    session: `${secure ? '__Host-' : ''}portico_session_${suffix}`,
    map: `${secure ? '__Secure-' : ''}portico_map_${suffix}`,
    signIn: (state) => `${signInPrefix}${state}`,
    signInPrefix,
  };
}
