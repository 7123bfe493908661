import { once } from 'node:events';
import { connect } from 'node:net';
import { problem } from '#contract/problem.ts';
import { maintenancePage, setUpPage, signInFailedPage } from '#contract/pages.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endApp, startApp, type TestApp } from './testing/app.ts';
import { sendRaw, type RawAnswer } from './testing/raw-request.ts';

// Bytes that only a hostile or broken client sends. Each is answered as the client's mistake, so that no one
// can fill the server's log with errors or set off an alarm.

let app: TestApp;
beforeAll(async () => void (app = await startApp({ engine: 'sqlite' })));
afterAll(() => endApp(app));

const close = 'Host: localhost\r\nConnection: close\r\n\r\n';
const send = (text: string): Promise<RawAnswer> => sendRaw(app.config.port, text);
const codeOf = ({ status, headers, body }: RawAnswer) => {
  expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const read = problem.parse(JSON.parse(body));
  expect(read.status).toBe(status);
  return `${status} ${read.code}`;
};
const alarms = () => app.log.filter(({ level }) => level >= 40);

describe('a hostile request', () => {
  it.each([
    '/assets/%2e%2e/package.json',
    '/assets/%2e%2e/%2e%2e/etc/passwd',
    '/assets/../index.html',
    '/assets/a/b/../../../../x',
    '/assets/..%2f..%2fetc/passwd',
    String.raw`/assets/..\x`,
    '/assets/%5c..%5cx',
    '/assets/%00',
    '/assets/a%00.js',
    '/assets//etc/passwd',
    '/assets/',
    '/assets/.env',
    `/assets/${'x'.repeat(400)}`,
    `/assets/${'x'.repeat(5_000)}`,
    `/assets/${'%2e%2e/'.repeat(500)}`,
    '/../../etc/passwd',
    '/favicon.svg/%2e%2e/x',
    '/favicon.svg%00',
    'http://other.example/assets/%2e%2e/x',
    'http://other.example/v1/nowhere',
    '/v1/files/%2e%2e%2f%2e%2e',
    '/idp/%2e%2e/x',
  ])('API-1: for %s finds nothing', async (target) => {
    const answer = await send(`GET ${target} HTTP/1.1\r\nSec-Fetch-Mode: cors\r\n${close}`);
    expect(['404 NOT_FOUND', '401 UNAUTHENTICATED']).toContain(codeOf(answer));
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(alarms()).toEqual([]);
  });

  it.each([
    ['a path that cannot be decoded', `GET /assets/%zz HTTP/1.1\r\n${close}`, '400 INVALID_REQUEST'],
    ['bytes that are no UTF-8', `GET /v1/%ff HTTP/1.1\r\n${close}`, '400 INVALID_REQUEST'],
    ['an address without end', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${close}`, '431 INVALID_REQUEST'],
    [
      'two hosts',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nConnection: close\r\n\r\n',
      '400 INVALID_REQUEST',
    ],
    [
      'the same host twice',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nhOST: localhost\r\nConnection: close\r\n\r\n',
      '400 INVALID_REQUEST',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', '400 INVALID_REQUEST'],
    [
      'a host that is none',
      'GET /healthz HTTP/1.1\r\nHost: a/b@c d\r\nConnection: close\r\n\r\n',
      '400 INVALID_REQUEST',
    ],
    ['a tunnel', `CONNECT other.example:443 HTTP/1.1\r\n${close}`, '405 METHOD_NOT_ALLOWED'],
    ['a method for nothing', `TRACE /healthz HTTP/1.1\r\n${close}`, '405 METHOD_NOT_ALLOWED'],
    ['a method that is none', `get /healthz HTTP/1.1\r\n${close}`, '400 INVALID_REQUEST'],
    ['an expectation', `GET /healthz HTTP/1.1\r\nExpect: tea\r\n${close}`, '417 INVALID_REQUEST'],
  ])('API-1: with %s is refused for what it is', async (_what, text, expected) => {
    expect(codeOf(await send(text))).toBe(expected);
    expect(alarms()).toEqual([]);
  });

  it.each([
    ['a page', 'GET /people'],
    ['the sign-in', 'GET /auth/login'],
    ['an asset', 'GET /favicon.svg'],
    ['a call', 'GET /v1/flags'],
    ['flags', 'GET /api/features/sdk-x'],
    ['a stream', 'GET /sub/sdk-x'],
    ['an error report', 'POST /api/1/envelope/?sentry_key=x'],
    ['the map', 'GET /geoserver/ows?service=WMS'],
    ['the script for other pages', 'GET /portico.js'],
    ['the keys', 'GET /.well-known/jwks.json'],
    ['nothing', 'GET /v1/nowhere'],
    ['a method for nothing', 'DELETE /healthz'],
  ])('API-4: for %s of another host is told that it is at the wrong one', async (_what, line) => {
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '192.0.2.7', '']) {
      const answer = await send(`${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect([host, answer.status, answer.body]).toEqual([host, 421, expect.stringContaining('host')]);
    }
    expect(alarms()).toEqual([]);
  });

  it('API-4: for a health check may have any host', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(
        (await send(`GET ${path} HTTP/1.1\r\nHost: 192.0.2.7:3000\r\nConnection: close\r\n\r\n`)).status,
      ).toBe(200);
  });

  it('API-1: for a tunnel may reset its connection, which ends no one else’s', async () => {
    const client = connect(app.config.port, '127.0.0.1');
    client.write(`CONNECT other.example:443 HTTP/1.1\r\n${close}`);
    await once(client, 'data');
    client.resetAndDestroy();
    // An error that nothing catches fails the test.
    expect((await send(`GET /healthz HTTP/1.1\r\n${close}`)).status).toBe(200);
  });

  it('FLAG-1: with two hosts gets no prepared answer either', async () => {
    const { key } = await app.database.read
      .selectFrom('client_key')
      .select('key')
      .where('kind', '=', 'plain')
      .executeTakeFirstOrThrow();
    const ask = (hosts: string) =>
      send(`GET /api/features/${key} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect((await ask('Host: localhost\r\n')).status).toBe(200);
    expect((await ask('Host: localhost\r\nHost: b\r\n')).status).toBe(400);
  });

  it('API-1: of HTTP/1.0 needs no host', async () => {
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('a client that takes anything', () => {
  const probe = (path: string, accept = 'Accept: */*\r\n') =>
    send(`GET ${path} HTTP/1.1\r\n${accept}${close}`);

  it('RUN-2: finds the first page, and each other page as a browser does', async () => {
    for (const accept of ['Accept: */*\r\n', '', 'Accept: text/html\r\n']) {
      for (const [path, status] of [
        ['/', accept.includes('html') ? 303 : 200],
        ['/people', 303],
        [signInFailedPage.path, 200],
        ['/invitation', 200],
        [setUpPage.path, 200],
        [maintenancePage.path, 303],
      ] as const) {
        const answer = await probe(path, accept);
        const isPage = answer.headers.get('content-type') === 'text/html; charset=utf-8';
        expect([path, accept, answer.status, isPage]).toEqual([path, accept, status, status === 200]);
      }
    }
  });

  it('API-1: and one that takes JSON, or a script in a page, gets the problem of what is not there', async () => {
    for (const accept of ['Accept: application/json, */*\r\n', 'Accept: */*\r\nSec-Fetch-Mode: cors\r\n'])
      expect(codeOf(await probe('/nowhere', accept))).toBe('404 NOT_FOUND');
  });
});
