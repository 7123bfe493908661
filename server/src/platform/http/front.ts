import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Hosts } from './hosts.ts';

/** Takes the requests whose path is not below Portico's own, as Node gives them. */
export type Elsewhere = {
  /** Also requests with `Expect: 100-continue`, for which nothing has been written yet. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

export type FrontOptions = {
  /** '' or such as `/portico`. */
  basePath: string;
  /**
   * Left out, paths outside the base path are Portico's too: a proxy in front may have taken the base path
   * off.
   */
  elsewhere?: Elsewhere;
  hosts: Pick<Hosts, 'accepts'>;
  /** From the beginning of a stop each answer closes its connection. */
  stopping(): boolean;
};

/** A request whose `url` is without the base path has the client's own target here, as in Fastify and Koa. */
export type FrontedRequest = IncomingMessage & { originalUrl?: string };

/**
 * Takes the base path off each request before anything of Portico's sees it, and hands over what is not
 * Portico's. Comes last of all that listens to the server's requests.
 */
export function placeFront(
  fastify: FastifyInstance,
  { basePath, elsewhere, hosts, stopping }: FrontOptions,
): void {
  if (basePath === '' && elsewhere === undefined) return;
  const { server } = fastify;
  const own = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');

  const answerOwn = (request: FrontedRequest, response: ServerResponse): void => {
    for (const listener of own) listener(request, response);
  };
  /** Whether the request is Portico's; its target is then without the base path. */
  const isOwn = (request: FrontedRequest): boolean => {
    const below = targetBelow(request.url ?? '', basePath);
    if (below !== null) {
      request.originalUrl = request.url ?? '';
      request.url = below;
    }
    // Portico refuses a request that names several hosts, or another one; no one else sees it.
    return below !== null || elsewhere === undefined || !hosts.accepts(request);
  };
  server.on('request', (request: FrontedRequest, response: ServerResponse) => {
    if (isOwn(request)) answerOwn(request, response);
    else handOver(request, response);
  });
  if (elsewhere === undefined) return;

  function handOver(request: IncomingMessage, response: ServerResponse): void {
    if (stopping()) response.setHeader('connection', 'close');
    elsewhere?.handle(request, response);
  }
  server.on('checkContinue', (request: FrontedRequest, response: ServerResponse) => {
    if (!isOwn(request)) return handOver(request, response);
    response.writeContinue();
    answerOwn(request, response);
  });
  server.on('upgrade', (request: FrontedRequest, socket: Socket, head: Buffer) =>
    whenAnswered(socket, () => {
      if (!isOwn(request) && offersWebSocket(request)) elsewhere.upgrade(request, socket, head);
      else readWithoutUpgrade(server, request, socket, head);
    }),
  );
}

/**
 * A client may send an upgrade before it has the answers to earlier requests (RFC 9112, 9.3.2). Node reports it at
 * once, and has left the connection by then: there is no place for a second answer, and its errors are no one's.
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
    // Node counts the time to a next request from here, which has come.
    socket.setTimeout(0);
    whenAnswered(socket, go);
  });
}

/**
 * WebSockets alone are joined to an application. A connection that it takes over for HTTP/2 would carry requests
 * that no one checks.
 */
function offersWebSocket({ headers }: FrontedRequest): boolean {
  return headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/**
 * Portico has nothing else to upgrade to, and a server may ignore the offer (RFC 9110, 7.8), which some clients
 * make for HTTP/2 with every request. Node has stopped reading the connection by then; it reads it again
 * without the offer.
 */
function readWithoutUpgrade(server: Server, request: FrontedRequest, socket: Socket, head: Buffer): void {
  const { method, originalUrl, url, httpVersion, rawHeaders } = request;
  let text = `${method} ${originalUrl ?? url} HTTP/${httpVersion}\r\n`;
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
