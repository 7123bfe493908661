/** Who may reach a path of an application, and how. */
export type PathGuard = {
  /**
   * `session`: who is signed in. `public`: everyone. `token`: an API token or a person's access token instead
   * of the session; without one it is refused with 401 and never redirected. `session-or-token`: either.
   */
  access: 'session' | 'public' | 'token' | 'session-or-token';
  /** The right that the path requires as well, or null. */
  right: string | null;
  /** Whether requests pass while maintenance is read-only or full. */
  whileClosed: boolean;
  /** Whether a POST changes nothing, and so passes while maintenance is read-only. */
  postReads: boolean;
  /** Whether preflights (CORS) are sent on, without a check and without credentials. */
  passPreflight: boolean;
  /** A second header, in addition to `Authorization`, that may have the token. */
  tokenHeader: string;
  /** Whether a client without a token is asked for one as a password (RFC 7617). */
  askPassword: boolean;
};

/** The access to a path without a rule. */
export const plainGuard: PathGuard = {
  access: 'session',
  right: null,
  whileClosed: false,
  postReads: false,
  passPreflight: false,
  tokenHeader: 'PRIVATE-TOKEN',
  askPassword: false,
};

/** Whether a header of this name may hold a token: the name is valid and has no other meaning to Portico. */
export function isTokenHeader(name: string): boolean {
  return (
    /^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(name) &&
    !/^(?:authorization|proxy-.*|cookie2?|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|origin|referer|forwarded|accept.*|content-.*|sec-.*|access-control-.*|x-forwarded-.*|x-original-.*|x-real-ip|(?:x-)?portico.*)$/i.test(
      name,
    )
  );
}
