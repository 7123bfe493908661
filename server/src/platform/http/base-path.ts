import type { IncomingMessage } from 'node:http';

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
