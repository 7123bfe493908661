import type { IncomingMessage, RequestListener, ServerResponse, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../log/logger.ts';
import { takeOffBasePath, targetBelow } from './paths.ts';
import { createEarlyAnswers, type EarlyIntake } from './early-answers.ts';
import type { Hosts } from './hosts.ts';
import { createPreparedAnswers, type PreparedRoute } from './prepared-answers.ts';
import { refuseConnect, refuseExpectation } from './socket-problems.ts';
import { discardRest } from './receive-bytes.ts';

/** Handles the requests whose path is not below Portico's own, as Node gives them. */
export type Elsewhere = {
  /** Also receives requests with `Expect: 100-continue`, for which nothing has been written yet. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** Answers a request, or answers false and leaves it as it is. */
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;

type FrontParts = {
  /** '' or such as `/portico`. */
  basePath: string;
  hosts: Pick<Hosts, 'accepts'>;
  /**
   * True from the beginning of a stop, which may be long before the server closes: each answer then closes its
   * connection, so that it is not closed under the next request (RFC 9112, 9.6).
   */
  stopping(): boolean;
  logger: Logger;
  /** Left out, Portico also answers paths outside the base path: a proxy may have removed the base path. */
  elsewhere?: Elsewhere;
  /** Each guard answers requests below a path of its own. */
  guards?: readonly Guard[];
  prepared?: readonly PreparedRoute[];
  early?: EarlyIntake;
};

/**
 * Places what may answer a request before the framework sees it; the function `answer` lists that in order. Called
 * once, before the server listens. Each event of Node's server has one listener, which is set here; only
 * `clientError` (what Node cannot read) has `answerUnreadable`, set by an option of the framework.
 */
export function placeFront(fastify: FastifyInstance, parts: FrontParts): void {
  const { server } = fastify;
  const { basePath, hosts, stopping, logger, elsewhere, guards = [], prepared = [], early } = parts;
  const framework: RequestListener = (request, response) => fastify.routing(request, response);
  const answerPrepared = createPreparedAnswers(prepared, logger);
  const answerEarly =
    early === undefined ? () => false : createEarlyAnswers(early, { stopping, logger, framework });

  function answer(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const isStopping = stopping();
    if (isStopping) response.setHeader('connection', 'close');
    const isBelow = takeOffBasePath(request, basePath);
    // The framework refuses a request that names several hosts or an unknown one; nothing else receives it.
    const isAccepted = hosts.accepts(request);
    if (isAccepted && !isBelow && elsewhere !== undefined) {
      elsewhere.handle(request, response);
      return;
    }
    if (expectsContinue) response.writeContinue();
    const isAnswered =
      isAccepted &&
      (guards.some((guard) => guard(request, response)) ||
        (!isStopping && (answerPrepared(request, response) || answerEarly(request, response))));
    if (!isAnswered) framework(request, response);
  }

  server.on('request', (request, response) => answer(request, response, false));
  server.on('checkContinue', (request, response) => answer(request, response, true));
  server.on('checkExpectation', refuseExpectation);
  server.on('connect', refuseConnect);
  // Without a listener Node ignores the offer to upgrade and reads on.
  if (elsewhere === undefined) return;
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) =>
    whenAnswered(socket, () => {
      const below = targetBelow(request.url ?? '', basePath);
      const isOffered = offersWebSocket(request);
      if (isOffered && below === null && hosts.accepts(request)) elsewhere.upgrade(request, socket, head);
      else if (isOffered && below === '/healthz') {
        discardRest(socket.on('error', () => undefined));
        socket.end(switched);
      } else readWithoutUpgrade(server, request, socket, head);
    }),
  );
}

/** By this answer `portico doctor` sees that the proxy passes WebSockets on; the connection ends at once. */
const switched = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';

/**
 * Waits for the answers to earlier requests: a client may send an upgrade before it has them (RFC 9112, 9.3.2).
 * Node reports the upgrade at once and has left the connection: no second answer fits, and no one handles errors.
 */
function whenAnswered(socket: Socket & { _httpMessage?: ServerResponse | null }, go: () => void): void {
  const { _httpMessage: underWay } = socket;
  if (underWay === null || underWay === undefined) {
    go();
    return;
  }
  const destroy = (): void => void socket.destroy();
  socket.on('error', destroy);
  underWay.once('close', () => {
    socket.off('error', destroy);
    if (socket.destroyed || socket.writableEnded) return;
    // From here Node counts the time to the next request, which has already come.
    socket.setTimeout(0);
    whenAnswered(socket, go);
  });
}

/** Only upgrades to WebSocket are joined: an upgrade to HTTP/2 would carry unchecked requests. */
function offersWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Lets Node, which has stopped reading, read the request again without its upgrade offer. Portico has nothing else
 * to upgrade to, and a server may ignore the offer (RFC 9110, 7.8), which some clients make for HTTP/2 with every
 * request.
 */
function readWithoutUpgrade(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { method, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (/^(upgrade|http2-settings)$/i.test(name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    text += `${name}: ${/^connection$/i.test(name) ? withoutUpgrade(value) : value}\r\n`;
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
  socket.resume();
}

function withoutUpgrade(connection: string): string {
  const options = connection.split(',').map((option) => option.trim());
  return options.filter((option) => !/^(upgrade|http2-settings)$/i.test(option)).join(', ') || 'keep-alive';
}
