import type { IncomingMessage, ServerResponse } from 'node:http';
import { newId } from '../keys/ids.ts';
import type { Logger } from '../log/logger.ts';
import type { FrontedRequest } from './paths.ts';
import { createHash } from 'node:crypto';

/** An answer that is made once per change, and sent again and again. */
export type PreparedAnswer = {
  status: 200 | 204 | 304;
  /** Name, value, name, value: as `writeHead` takes them without looking at each. */
  headers: readonly string[];
  body: Buffer;
};

/** What the framework's route would answer, decided from memory alone; or null. */
export type FindPrepared = (request: IncomingMessage) => PreparedAnswer | null;

/** The prepared answers of one route. */
export type PreparedRoute = {
  find: FindPrepared;
  /** Called with the status of each; left out while nothing is measured. */
  count?: ((status: number) => void) | undefined;
};

/** Writes prepared answers before the framework begins, whose work would double the cost. */
export function createPreparedAnswers(routes: readonly PreparedRoute[], logger: Logger) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    for (const { find, count } of routes) {
      const answer = find(request);
      if (answer === null) continue;
      response.writeHead(answer.status, answer.headers as string[]);
      if (answer.status === 204) response.end();
      else response.end(answer.body);
      count?.(answer.status);
      if (logger.isLevelEnabled('debug')) log(logger, request, answer);
      return true;
    }
    return false;
  };
}

function log(logger: Logger, request: FrontedRequest, { status }: PreparedAnswer): void {
  const { method, url, originalUrl, socket } = request;
  const req = { method, url, originalUrl, ip: socket.remoteAddress };
  logger.debug({ requestId: newId(), req, res: { statusCode: status }, ms: 0 }, 'request');
}

/** A strong entity tag for a content (RFC 9110, 8.8.3). */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;
}

/** Whether `If-None-Match` names this tag, so that 304 is the answer; compared weakly (RFC 9110, 13.1.2). */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
