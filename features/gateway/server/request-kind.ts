import type { IncomingHttpHeaders } from 'node:http';
import { methodOverrides } from './header-rules.ts';

/** What is asked for: a page by a person, something by a script or a program, an event stream, a WebSocket. */
export type RequestKind = 'navigation' | 'call' | 'stream' | 'websocket';

/**
 * Whether a request is a preflight, by which a browser asks if a page of another origin may send a request (Fetch,
 * 4.8 CORS-preflight). A request that an application could take for another method or for a WebSocket is none.
 */
export function isPreflight({ method, headers }: { method: string; headers: IncomingHttpHeaders }): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined &&
    headers.upgrade === undefined &&
    headers['sec-websocket-key'] === undefined &&
    methodOverrides.every((name) => headers[name] === undefined)
  );
}

/**
 * What a request is for: a page that a person goes to, which may be answered by a redirect or a page, or
 * something that a script or a program asks for, which gets a status and a problem document. Browsers declare it
 * (Fetch Metadata); of other clients a page is what asks for HTML.
 */
export function kindOf(headers: IncomingHttpHeaders): Exclude<RequestKind, 'websocket'> {
  const mode = headers['sec-fetch-mode'];
  const { accept = '' } = headers;
  if (mode === 'navigate') return 'navigation';
  if (accept.includes('text/event-stream')) return 'stream';
  if (mode !== undefined || headers['x-requested-with'] !== undefined) return 'call';
  return accept.includes('text/html') ? 'navigation' : 'call';
}
