import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { FrontedRequest } from './front.ts';
import type { Hosts } from './hosts.ts';
import { newId } from '../keys/ids.ts';
import type { Logger } from '../log/logger.ts';

/** An answer that is made once per change, and sent again and again. */
export type PreparedAnswer = {
  status: 200 | 204 | 304;
  /** Name, value, name, value: as `writeHead` takes them without looking at each. */
  headers: readonly string[];
  body: Buffer;
};

export type PreparedAnswersOptions = {
  /**
   * The answer to this request, or null: the framework's listeners answer it. It must be what their route
   * would answer.
   */
  find(request: IncomingMessage): PreparedAnswer | null;
  hosts: Pick<Hosts, 'accepts'>;
  /** While the server stops the framework's listeners answer. */
  stopping(): boolean;
  logger: Logger;
};

/**
 * Writes prepared answers before the framework begins its work for a request, which costs as much as
 * everything that Node does for it. Only for what is not rate-limited and decided from memory.
 */
export function answerPrepared(fastify: FastifyInstance, options: PreparedAnswersOptions): void {
  const { server } = fastify;
  const framework = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const answer = options.stopping() || !options.hosts.accepts(request) ? null : options.find(request);
    if (answer === null) {
      for (const listener of framework) listener(request, response);
      return;
    }
    response.writeHead(answer.status, answer.headers as string[]);
    if (answer.status === 204) response.end();
    else response.end(answer.body);
    if (options.logger.isLevelEnabled('debug')) log(options.logger, request, answer);
  });
}

function log(logger: Logger, request: FrontedRequest, { status }: PreparedAnswer): void {
  const { method, url, originalUrl, socket } = request;
  const req = { method, url, originalUrl, ip: socket.remoteAddress };
  logger.debug({ requestId: newId(), req, res: { statusCode: status }, ms: 0 }, 'request');
}
