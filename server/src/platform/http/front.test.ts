import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { afterThisTest } from '../../testing/fresh-database.ts';
import { localHosts } from '../../testing/test-server.ts';
import { createLogger } from '../log/logger.ts';
import { targetBelow } from './paths.ts';
import { placeFront, type Elsewhere } from './front.ts';

describe('a target below the base path', () => {
  it.each([
    ['/portico', '/'],
    ['/portico?a=/b', '/?a=/b'],
    ['/portico/', '/'],
    ['/portico/v1/me?x=1', '/v1/me?x=1'],
    ['/portico/portico/x', '/portico/x'],
    ['/portico//v1', '//v1'],
    ['/portico/../v1', '/../v1'],
    ['/portico/%2e%2e/v1', '/%2e%2e/v1'],
    ['http://any.example/portico/v1', '/v1'],
    ['HTTPS://any.example:81/portico', '/'],
  ])('GATE-1: %s is %s', (target, below) => {
    expect(targetBelow(target, '/portico')).toBe(below);
  });

  it.each([
    '/',
    '',
    '*',
    '/v1/me',
    '/Portico/v1',
    '/porticos',
    '/portico#x',
    '/portico;x/v1',
    '/portico%2fv1',
    '/%70ortico/v1',
    '//portico/v1',
    '/x/../portico/v1',
    '/./portico/v1',
    '\\portico/v1',
    'http://portico/v1',
    'http://any.example/x/portico/v1',
    'http://any.example?/portico/v1',
    'ftp://any.example/portico/v1',
    '/?/portico/v1',
  ])('GATE-1: %j is elsewhere', (target) => {
    expect(targetBelow(target, '/portico')).toBeNull();
  });

  it.each(['/v1/me', '/', '/?a'])('GATE-1: without a base path %s stays as it is', (target) => {
    expect(targetBelow(target, '')).toBe(target);
  });
});

describe('the front', () => {
  it('GATE-1: gives Portico what is below its base path, and everything else to the application', async () => {
    const ask = await started(true);
    expect(await ask('GET /portico/v1/me?x=1')).toContain('Portico /v1/me?x=1 /portico/v1/me?x=1');
    expect(await ask('GET /portico')).toContain('Portico / /portico');
    expect(await ask('GET /v1/me')).toContain('elsewhere /v1/me');
    expect(await ask('GET /portico/../v1')).toContain('Portico /../v1');
    expect(await ask('GET http://any.example/portico/x')).toContain('Portico /x');
    expect(await ask('GET http://any.example/x')).toContain('elsewhere http://any.example/x');
    expect(await ask('OPTIONS *')).toContain('elsewhere *');
    expect(await ask('GET /v1/me', 'Host: two')).toContain('Portico /v1/me');
  });

  it('GATE-1: without an application takes paths that a proxy has taken the base path off', async () => {
    const ask = await started(false);
    expect(await ask('GET /portico/v1/me')).toContain('Portico /v1/me /portico/v1/me');
    expect(await ask('GET /v1/me')).toContain('Portico /v1/me /v1/me');
    expect(await ask('GET /v1/me', 'Connection: upgrade, close', 'Upgrade: h2c')).toContain('Portico /v1/me');
  });

  it('GATE-1: hands over upgrades and expectations, and answers its own without them', async () => {
    const ask = await started(true);
    const upgrade = ['Connection: upgrade, close', 'Upgrade: websocket'];
    expect(await ask('GET /socket', ...upgrade)).toContain('upgraded /socket');
    const own = await ask('GET /portico/v1', ...upgrade);
    expect(own).toContain('Portico /v1 /portico/v1');
    expect(own).toMatch(/^HTTP\/1\.1 200 /);
    const h2c = ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: x'];
    const withBody = [...h2c, 'Content-Type: text/plain', 'Content-Length: 4', '', 'body'];
    expect(await ask('POST /portico/v1', ...withBody)).toContain('Portico /v1 /portico/v1 body');
    // An application is offered WebSockets alone.
    for (const offers of ['h2c', 'websocket, h2c', 'TLS/1.0', 'websocket/13'])
      expect(await ask('GET /x', 'Connection: Upgrade, close', `Upgrade: ${offers}`)).toMatch(
        /^HTTP\/1\.1 200 [^]*elsewhere \/x/,
      );
    expect(await ask('POST /x', ...withBody)).toMatch(/^HTTP\/1\.1 200 [^]*elsewhere \/x/);
    expect(await ask('GET /x', 'Connection: Upgrade', 'Upgrade: WebSocket')).toContain('upgraded /x');
    const expecting = ['Expect: 100-continue', 'Content-Length: 0'];
    expect(await ask('POST /portico/v1', ...expecting)).toMatch(/^HTTP\/1\.1 100 [^]*Portico \/v1/);
    expect(await ask('POST /form', ...expecting)).toMatch(/^HTTP\/1\.1 200 [^]*elsewhere \/form/);
  });
});

/** A server of which every answer holds who was asked for what; answers how to ask it. */
async function started(
  withElsewhere: boolean,
): Promise<(line: string, ...headers: string[]) => Promise<string>> {
  const fastify = Fastify({ serverFactory: () => createServer() });
  fastify.setNotFoundHandler((request, reply) => {
    const body = typeof request.body === 'string' ? request.body : '';
    void reply.code(200).send(`Portico ${request.url} ${request.originalUrl} ${body}`);
  });
  const elsewhere: Elsewhere = {
    handle: (request, response) => response.end(`elsewhere ${request.url}`),
    upgrade: (request, socket) => socket.end(`upgraded ${request.url}`),
  };
  placeFront(fastify, {
    basePath: '/portico',
    hosts: localHosts,
    stopping: () => false,
    logger: createLogger('silent'),
    ...(withElsewhere ? { elsewhere } : {}),
  });
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  afterThisTest(() => fastify.close());
  const { port } = fastify.server.address() as { port: number };
  return async (line, ...headers) => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const closes = headers.some((header) => header.startsWith('Connection')) ? [] : ['Connection: close'];
    const end = headers.includes('') ? [] : ['', ''];
    socket.write([`${line} HTTP/1.1`, 'Host: localhost', ...closes, ...headers, ...end].join('\r\n'));
    return text(socket);
  };
}
