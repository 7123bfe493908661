import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { PathRule } from '#server/config-upstreams.ts';
import { plainGuard } from '#server/platform/http/paths.ts';
import { gateway, get, open, passed, raw, seen, showHeaders, valuesOf } from '#server/testing/gateway.ts';
import {
  publicAddress,
  publicCookie,
  publicLinks,
  publicRefresh,
  type PublicAddresses,
} from './public-addresses.ts';

const shop: PublicAddresses = {
  upstream: new URL('http://shop.internal:3000'),
  publicOrigin: 'https://app.example.org',
  prefix: '',
  publicFolders: ['/portico'],
};
const packages: PublicAddresses = {
  ...shop,
  upstream: new URL('http://packages:80'),
  prefix: '/packages',
  publicFolders: ['/portico', '/packages', '/wiki'],
};

describe('GATE-1: addresses in the answers of an application', () => {
  it.each([
    ['http://shop.internal:3000/x?y#z', 'https://app.example.org/x?y#z'],
    ['https://shop.internal:3000/x', 'https://app.example.org/x'],
    ['//shop.internal:3000/x', 'https://app.example.org/x'],
    ['HTTP://SHOP.internal:3000', 'https://app.example.org'],
    ['/\\shop.internal:3000/x', 'https://app.example.org/x'],
    ['\\\\shop.internal:3000\\x', 'https://app.example.org\\x'],
    ['http://user:secret@shop.internal:3000/x', 'https://app.example.org/x'],
    ['//shop.internal:3000?x', 'https://app.example.org?x'],
    ['http://shop.internal:30001/x', 'http://shop.internal:30001/x'],
    ['http://shop.internal/x', 'http://shop.internal/x'],
    ['http://shop.internal.example.com:3000/x', 'http://shop.internal.example.com:3000/x'],
    [
      'https://sign-in.example.org/?to=//shop.internal:3000/',
      'https://sign-in.example.org/?to=//shop.internal:3000/',
    ],
    ['http://shop.internal.:3000/x', 'https://app.example.org/x'],
    ['http://localhost:3000/x', 'http://localhost:3000/x'],
    ['//[/x', '//[/x'],
    ['/x', '/x'],
    ['x', 'x'],
    ['', ''],
  ])('are public: %s', (value, expected) => {
    expect(publicAddress(value, shop)).toBe(expected);
  });

  it.each(['localhost', '127.0.0.1', '[::1]', '127.1'])(
    'are of this machine by each of its names: %s',
    (name) => {
      const local = { ...shop, upstream: new URL('http://127.0.0.1:3000') };
      expect(publicAddress(`//${name}:3000/x`, local)).toBe('https://app.example.org/x');
      expect(publicAddress(`//${name}:3001/x`, local)).toBe(`//${name}:3001/x`);
    },
  );

  it.each([
    ['/x?y', '/packages/x?y'],
    ['/', '/packages/'],
    ['/packages/x', '/packages/x'],
    ['/packages?x', '/packages?x'],
    ['/packagesx', '/packages/packagesx'],
    ['/portico/auth/logout', '/portico/auth/logout'],
    ['/wiki/x', '/wiki/x'],
    ['http://packages', 'https://app.example.org/packages/'],
    ['http://packages:80/x', 'https://app.example.org/packages/x'],
    ['https://packages/x', 'https://app.example.org/packages/x'],
    ['//packages/packages/x', 'https://app.example.org/packages/x'],
    ['http://app.example.org/x', 'http://app.example.org/packages/x'],
    ['https://app.example.org/wiki/', 'https://app.example.org/wiki/'],
    ['//evil.example.org/x', '//evil.example.org/x'],
    ['x', 'x'],
    ['?x', '?x'],
  ])('have the prefix that is cut off: %s', (value, expected) => {
    expect(publicAddress(value, packages)).toBe(expected);
  });

  it('are found in Refresh and Link', () => {
    expect(publicRefresh('0; url=//shop.internal:3000/x', shop)).toBe('0; url=https://app.example.org/x');
    expect(publicRefresh('5;URL="http://shop.internal:3000/x"', shop)).toBe(
      '5;URL="https://app.example.org/x"',
    );
    expect(publicRefresh('1.5, /x', packages)).toBe('1.5, /packages/x');
    expect(publicRefresh('5', packages)).toBe('5');
    expect(publicLinks('<http://shop.internal:3000/?page=2>; rel="next", <a.css>; rel=preload', shop)).toBe(
      '<https://app.example.org/?page=2>; rel="next", <a.css>; rel=preload',
    );
    expect(publicLinks('</a.css>; rel=preload', packages)).toBe('</packages/a.css>; rel=preload');
  });

  it.each([
    ['a=1; Domain=shop.internal; Path=/x; Secure', 'a=1; Path=/x; Secure'],
    ['a=1;domain=.INTERNAL', 'a=1'],
    ['a=1; Domain=example.org', 'a=1; Domain=example.org'],
    ['a=1; Domain=.app.example.org', 'a=1; Domain=.app.example.org'],
    ['a=1; Domain=xapp.example.org', 'a=1'],
    ['a=1; Domain=', 'a=1; Domain='],
    ['a="x; Domain=shop.internal', 'a="x'],
    ['Domain=shop.internal; Path=/', 'Domain=shop.internal; Path=/'],
  ])('are no domain of a cookie that browsers refuse: %s', (value, expected) => {
    expect(publicCookie(value, shop)).toBe(expected);
  });

  it.each([
    ['a=1; Path=/; HttpOnly', 'a=1; Path=/packages; HttpOnly'],
    ['a=1; path = /admin/', 'a=1; Path=/packages/admin/'],
    ['a=1; Path=/packages/', 'a=1; Path=/packages/'],
    ['a=1', 'a=1'],
    ['a=1; Path=', 'a=1; Path='],
    ['__Host-a=1; Path=/; Secure', '__Host-a=1; Path=/; Secure'],
  ])('are paths of cookies below the prefix: %s', (value, expected) => {
    expect(publicCookie(value, packages)).toBe(expected);
  });
});

const stripPath = { path: '/packages/', stripPath: true };

describe('GATE-7: an application that expects its prefix cut off', () => {
  it.each([
    ['/packages/-/all?x=/packages/', '/-/all?x=/packages/'],
    ['/packages/', '/'],
    ['/packages', '/'],
    ['/packages?x', '/?x'],
    ['/packages/@scope%2fname', '/@scope%2fname'],
  ])('receives %s as %s', async (path, expected) => {
    const { port } = await gateway(showHeaders, { upstream: stripPath });
    expect((await seen(port, get(path)))[1]).toBe(expected);
  });

  it('is refused a path that would be another host’s without the prefix, and those of others', async () => {
    const { port } = await gateway(showHeaders, { upstream: stripPath });
    for (const path of ['/packages//evil.example.org', '/packages//', '/packages/../x', '/packages/%2e%2fx'])
      expect(await raw(port, get(path))).toMatch(/^HTTP\/1\.1 400 /);
    for (const path of ['/packagesx', '/PACKAGES/x', '/x'])
      expect(await raw(port, get(path))).toMatch(/^HTTP\/1\.1 404 /);
  });

  it('receives the prefix from Portico alone', async () => {
    const { port } = await gateway(showHeaders, { upstream: stripPath, trustProxy: 1 });
    const forged = ['X-Forwarded-Prefix', 'X-Script-Name', 'X_Script_Name', 'X_FORWARDED_PREFIX'];
    const headers = await seen(port, get('/packages/x', forged.map((name) => `${name}: /evil\r\n`).join('')));
    expect(headers).not.toContain('/evil');
    expect(valuesOf(headers, 'x-forwarded-prefix')).toEqual(['/packages']);
    expect(valuesOf(headers, 'x-script-name')).toEqual(['/packages']);
    const whole = await gateway(showHeaders, { trustProxy: 1 });
    const others = await seen(whole.port, get('/x', forged.map((name) => `${name}: /evil\r\n`).join('')));
    expect(others).not.toContain('/evil');
    expect(valuesOf(others, 'x-script-name')).toEqual([]);
  });

  it('is guarded by the paths that its clients use', async () => {
    const rules: PathRule[] = [{ ...plainGuard, path: '/packages/-/admin', right: 'ADMIN' }];
    const asked: [string, PathRule | undefined][] = [];
    const { port } = await gateway(showHeaders, {
      upstream: { ...stripPath, rules },
      admit: ({ path }, _upstream, rule) => {
        asked.push([path, rule]);
        return rule.right === null
          ? passed
          : { is: 'refused', status: 403, code: 'RIGHT_MISSING', right: 'ADMIN' };
      },
    });
    for (const path of ['/packages/-/admin/x', '/packages/-/%61dmin', '/packages/-//admin'])
      expect(await raw(port, get(path))).toMatch(/^HTTP\/1\.1 403 /);
    expect((await seen(port, get('/packages/packages/-/admin')))[1]).toBe('/packages/-/admin');
    expect(asked[0]?.[0]).toBe('/packages/-/admin/x');
  });

  it('gives addresses and cookies with the prefix to its clients, and leads pages to the folder', async () => {
    const answering: RequestListener = (_request, response) => {
      response
        .writeHead(
          302,
          [
            ['Location', '/login?to=/'],
            ['Content-Location', '/packages/x'],
            ['Link', '</a.css>; rel=preload'],
            ['Set-Cookie', 'a=1; Path=/'],
            ['Set-Cookie', 'portico_session_x=evil; Path=/'],
            ['Set-Cookie', '__Host-portico_session_x=evil; Path=/; Secure'],
            ['Alt-Svc', 'h2=":3000"'],
          ].flat(),
        )
        .end();
    };
    const { port } = await gateway(answering, { upstream: stripPath });
    const answer = await raw(port, get('/packages/x'));
    expect(answer).toContain('Location: /packages/login?to=/\r\nContent-Location: /packages/x\r\n');
    expect(answer).toContain('Link: </packages/a.css>; rel=preload\r\nSet-Cookie: a=1; Path=/packages\r\n');
    expect(answer).not.toMatch(/evil|Alt-Svc/);
    const page = await raw(port, get('/packages', 'Sec-Fetch-Mode: navigate\r\n'));
    expect(page).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/packages\/\r\n/i);
    const asked = await raw(port, get('/packages?tab=1', 'Sec-Fetch-Mode: navigate\r\n'));
    expect(asked).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/packages\/\?tab=1\r\n/i);
  });

  it('has WebSockets without the prefix', async () => {
    const server = createServer();
    const peers = new WebSocketServer({ server });
    open.push(() => peers.close());
    peers.on('connection', (peer, { url, headers }) => peer.send([url, headers['x-script-name']].join(' ')));
    const { port } = await gateway(server, { upstream: stripPath });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/packages/live?x`);
    const [hello] = (await once(socket, 'message')) as [Buffer];
    expect(hello.toString()).toBe('/live?x /packages');
    socket.terminate();
  });
});

describe('HOME-1, GATE-1: applications below paths alone', () => {
  it('leave / to the home screen', async () => {
    const { port } = await gateway(showHeaders, { upstream: { path: '/wiki' } });
    for (const path of ['/', '/?x'])
      expect(await raw(port, get(path))).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/portico\/\r\n/i);
    expect(await raw(port, get('/other'))).toMatch(/^HTTP\/1\.1 404 /);
    expect(await raw(port, get('/').replace('GET', 'POST'))).toMatch(/^HTTP\/1\.1 404 /);
    const all = await gateway(showHeaders);
    expect((await seen(all.port, get('/')))[1]).toBe('/');
  });
});
