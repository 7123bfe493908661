import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach } from 'vitest';
import { onlyUpstream, type Upstream } from '../config-upstreams.ts';
import type { Admission } from '#features/gateway/server/admission.ts';
import { createAnswers } from '#features/gateway/server/answers.ts';
import { createForwarding, type ForwardingParts } from '#features/gateway/server/forwarding.ts';
import type { OpenStream } from '#features/gateway/server/open-streams.ts';
import { placeFront } from '../platform/http/front.ts';
import { createHosts } from '../platform/http/hosts.ts';
import { createHttpServer, securityHeaders } from '../platform/http/http-server.ts';
import { createLogger } from '../platform/log/logger.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';

/** What is closed after each test. */
export const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** The port of a server that listens until the test ends. */
export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

export const passed = {
  is: 'passed',
  caller: { kind: 'person', id: 'p1', name: 'ada@example.org', sessionId: 's1' },
  headers: [['Portico-Assertion', 'real']],
} satisfies Admission;

export type Place = {
  admit?: ForwardingParts['admission']['admit'];
  upstream?: Partial<Upstream>;
  watchBody?: ForwardingParts['watchBody'];
  trustProxy?: false | number | string[];
  port?: number;
};

/** A real gateway on a port, in front of an application; only the decision who may pass is a stand-in. */
export async function gateway(application: RequestListener | Server, given: Place = {}) {
  const server = typeof application === 'function' ? createServer(application) : application;
  const port = given.port ?? (await listening(server));
  const logger = createLogger('silent');
  const streams = new Set<OpenStream>();
  const { trustProxy = false } = given;
  const hosts = createHosts({ origin: 'http://localhost', others: [], trustProxy });
  const fastify = createHttpServer({
    logger,
    trustProxy: false,
    hosts,
    securityHeaders: securityHeaders(null),
    declared: [],
  });
  const url = new URL(`http://127.0.0.1:${port}`);
  const forwarding = createForwarding({
    config: {
      origin: 'http://localhost',
      basePath: '/portico',
      upstreams: [{ ...onlyUpstream(url), ...given.upstream }],
      trustProxy,
    },
    logger,
    metrics: createMetrics(false),
    watchBody: given.watchBody ?? (() => undefined),
    admission: { admit: given.admit ?? (() => passed), mayGoOn: () => Promise.resolve(true) },
    answers: createAnswers({
      pages: {
        page: (name, _request, { status = 200, slots = {}, headers = {} } = {}) => ({
          status,
          headers: { 'content-type': 'text/html', ...headers },
          html: `${name} ${JSON.stringify(slots)}`,
        }),
        closedPage: () => ({ status: 503, headers: { 'content-type': 'text/html' }, html: 'closed' }),
      },
      securityHeaders: securityHeaders(null),
      isClosed: () => true,
      describeRight: (right) => Promise.resolve({ label: right, whom: ['Ada Lovelace'] }),
    }),
    streams: {
      add(stream) {
        streams.add(stream);
        return () => void streams.delete(stream);
      },
      size: 0,
      closeForMaintenance: () => undefined,
      close: () => Promise.resolve(),
    },
    setUpIsOpen: () => Promise.resolve(false),
  });
  await fastify.ready();
  placeFront(fastify, {
    basePath: '/portico',
    elsewhere: forwarding,
    hosts,
    stopping: () => false,
    logger,
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  open.push(async () => {
    fastify.server.closeAllConnections();
    forwarding.close();
    await fastify.close();
  });
  const own = (fastify.server.address() as AddressInfo).port;
  const connections = () =>
    new Promise<number>((done) => fastify.server.getConnections((_error, count) => done(count)));
  return { port: own, url: `http://127.0.0.1:${own}`, upstreamPort: port, streams, server, connections };
}

/** Bytes as they are, and all that comes back until the connection ends or `until` is there. */
export function raw(port: number, bytes: string, until?: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    open.push(() => socket.destroy());
    let answer = '';
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => {
      answer += part;
      if (until?.test(answer) === true) done(answer);
    });
    socket.on('close', () => done(answer));
    socket.on('error', fail);
    socket.write(bytes, 'latin1');
  });
}

/** A request on a connection of its own. */
export const get = (path: string, headers = '') =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;

/** What the application has received, as raw headers. */
export const showHeaders: RequestListener = (request, response) => {
  response.end(JSON.stringify([request.method, request.url, ...request.rawHeaders]));
};

/** What `showHeaders` has received: method, target, and headers as name, value, name, value. */
export async function seen(port: number, bytes: string): Promise<string[]> {
  const answer = Buffer.from(await raw(port, bytes), 'latin1').toString();
  return JSON.parse(answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1)) as string[];
}

export const valuesOf = (headers: readonly string[], name: string) =>
  headers.filter((_value, at) => at > 0 && headers[at - 1]?.toLowerCase() === name && at % 2 === 1);

/** A server that sends bytes of its own when a request has come. */
export async function speaks(answer: (socket: Socket, received: string) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    let received = '';
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      received += part.toString('latin1');
      answer(socket, received);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => server.close());
  return (server.address() as AddressInfo).port;
}
