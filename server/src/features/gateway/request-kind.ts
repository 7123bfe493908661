import type { IncomingHttpHeaders } from 'node:http';
import type { RequestKind } from './admission.ts';

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
