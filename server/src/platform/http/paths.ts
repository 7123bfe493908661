import type { IncomingMessage } from 'node:http';

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

/** A request whose `url` is without the base path has the client's own target here, as in Fastify and Koa. */
export type FrontedRequest = IncomingMessage & { originalUrl?: string };

/** Removes the base path from a request's target. False, without a change, where the target is not below it. */
export function takeOffBasePath(request: FrontedRequest, basePath: string): boolean {
  if (basePath === '') return true;
  const below = targetBelow(request.url ?? '', basePath);
  if (below === null) return false;
  request.originalUrl = request.url ?? '';
  request.url = below;
  return true;
}

const absoluteForm = /^https?:\/\/[^/?#]*/i;

/**
 * A request's target (RFC 9112, 3.2) without the base path, or null where it is not below it. The path is
 * compared as it is written: the base path has one spelling, and what is encoded differently is another path.
 */
export function targetBelow(target: string, basePath: string): string | null {
  const path = target.startsWith('/') ? target : target.replace(absoluteForm, '');
  if (!path.startsWith(basePath)) return null;
  const rest = path.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : null;
}

/** A path without its last slash; `/admin` and `/admin/` are one place. */
export function folderOf(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}
