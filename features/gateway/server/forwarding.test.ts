import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import {
  gateway,
  get,
  listening,
  open,
  raw,
  seen,
  showHeaders,
  speaks,
  valuesOf,
  type Place,
} from '#server/testing/gateway.ts';
import type { Admission } from './admission.ts';
import { plainGuard } from '#server/platform/http/paths.ts';
import { withoutOwnCookies } from './header-rules.ts';

describe('GATE-1: what an application receives', () => {
  it('API-2: comes from someone without a sign-in only as fast as bodies have to come', async () => {
    const watched: string[] = [];
    const watchBody = (request: IncomingMessage, address: string): void => {
      watched.push(`${request.url} ${address}`);
    };
    const admit = ({ path }: { path: string }): Admission => ({
      is: 'passed',
      caller: path === '/own' ? { kind: 'person', id: 'p1', name: 'a@b.c', sessionId: 's1' } : null,
      headers: [],
    });
    const { port } = await gateway(showHeaders, { watchBody, admit });
    for (const path of ['/own', '/public']) await seen(port, get(path));
    expect(watched).toEqual(['/public 127.0.0.1']);
  });

  it('is the target and the headers as they came: order, case, duplicates, odd values', async () => {
    const { port } = await gateway(showHeaders);
    const odd = 'X-Odd: \xe4\tb\r\nx-TWICE: 1\r\nX-Twice: 2\r\nX!#$%&*+-.^_`|~: odd\r\nX-Empty:\r\n';
    const [method, url, ...headers] = await seen(port, get('/a%41//b?c=%zz&d', odd));
    expect([method, url]).toEqual(['GET', '/a%41//b?c=%zz&d']);
    const from = headers.indexOf('X-Odd');
    expect(headers.slice(from, from + 10).join('; ')).toBe(
      'X-Odd; \xe4\tb; x-TWICE; 1; X-Twice; 2; X!#$%&*+-.^_`|~; odd; X-Empty; ',
    );
  });

  it('is without the headers of the connection, and those that it names', async () => {
    const { port } = await gateway(showHeaders);
    const headers = await seen(
      port,
      'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close, X-Hop, Host, Cookie\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n' +
        'Proxy-Connection: x\r\nProxy-Authorization: x\r\nTE: trailers, gzip\r\nCookie: a=1\r\nX-End: 1\r\n\r\n',
    );
    const names = headers.slice(2).filter((_name, at) => at % 2 === 0);
    expect(names.slice(0, 3)).toEqual(['Host', 'Cookie', 'X-End']);
    expect(names).not.toContain('X-Hop');
    expect(names).not.toContain('Keep-Alive');
    expect(names.filter((name) => name.startsWith('Proxy'))).toEqual([]);
    expect(valuesOf(headers, 'te')).toEqual(['trailers']);
  });

  it('is without Portico’s cookies, other cookies byte for byte', async () => {
    const { port } = await gateway(showHeaders);
    const cookies =
      'Cookie: a=1;b="2 ";  portico_session_x=s; __Host-portico_session_y=t;portico=mine; c==;=portico_map_x=1\r\n' +
      'Cookie: portico_idp_session_x=1\r\nCookie: d=4\r\n';
    expect(valuesOf(await seen(port, get('/', cookies)), 'cookie')).toEqual([
      'a=1;b="2 ";portico=mine; c==',
      'd=4',
    ]);
  });

  it('is without Portico’s cookies in bounded time, whatever stands between them', () => {
    const { user } = process.cpuUsage();
    expect(withoutOwnCookies(`portico_session_x=s;${' '.repeat(60_000)}a`)).toBe('a');
    // Seconds of work where each space is a new beginning.
    expect(process.cpuUsage().user - user).toBeLessThan(1_000_000);
  });

  it.each([
    'Portico-Assertion',
    'portico_assertion',
    'PORTICO-ASSERTION',
    'X-Portico-User-Id',
    'X_Portico_Email',
    'x-portico_rights',
    'X.Portico.Roles',
    'X-Portico',
    'X-Forwarded-User',
    'X-Forwarded-Email',
    'X_Forwarded_For',
    'X-Forwarded-For',
    'X-Real-IP',
    'Forwarded',
  ])('is without the %s of a client, which would make it another person', async (name) => {
    const { port } = await gateway(showHeaders);
    const headers = await seen(port, get('/', `${name}: spoofed\r\n`));
    expect(headers).not.toContain('spoofed');
    expect(valuesOf(headers, 'portico-assertion')).toEqual(['real']);
    expect(valuesOf(headers, 'x-forwarded-for')).toEqual(['127.0.0.1']);
  });

  it('has the forwarded headers of a proxy that is trusted, up to the first address that is not', async () => {
    const { port } = await gateway(showHeaders, { trustProxy: ['loopback', '10.0.0.0/8'] });
    const headers = await seen(
      port,
      get(
        '/',
        'X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.2\r\nX-Forwarded-Proto: https\r\nX-Forwarded-Host: localhost:8443\r\n' +
          'X-Forwarded-Port: 443\r\nX-Forwarded-User: root\r\n',
      ),
    );
    expect(valuesOf(headers, 'x-forwarded-for')).toEqual(['203.0.113.7, 10.0.0.2, 127.0.0.1']);
    expect(valuesOf(headers, 'x-real-ip')).toEqual(['203.0.113.7']);
    expect(valuesOf(headers, 'x-forwarded-proto')).toEqual(['https']);
    expect(valuesOf(headers, 'x-forwarded-host')).toEqual(['localhost:8443']);
    expect(valuesOf(headers, 'x-forwarded-port')).toEqual([]);
    expect(headers).not.toContain('root');
  });

  it.each([
    'X-Forwarded-Prefix',
    'X-Forwarded-Port',
    'X-Forwarded-Ssl',
    'X-Forwarded-Server',
    'X-Forwarded-Scheme',
    'X-Forwarded',
    'Forwarded-For',
    'X-Original-URL',
    'X_Original_Url',
    'X-Original-URI',
    'X-Original-Host',
    'X-Rewrite-URL',
    'X-Scheme',
    'X-Script-Name',
    'Script_Name',
    'X-Client-IP',
    'True-Client-IP',
    'CF-Connecting-IP',
    'X-Accel-Mapping',
    'X-Sendfile-Type',
    'X-Envoy-Original-Path',
    'X_HTTP_Method_Override',
    'Proxy',
    'Proxy-Host',
    'X-Portico-Check-Secret',
  ])('GATE-1: gets no %s of a client, also by a proxy that is trusted and on an upgrade', async (name) => {
    const { port } = await gateway(showHeaders, { trustProxy: 1 });
    expect(await seen(port, get('/', `${name}: spoofed\r\n`))).not.toContain('spoofed');
    const sockets: string[][] = [];
    const server = createServer().on('upgrade', ({ rawHeaders }, socket) => {
      sockets.push(rawHeaders);
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    });
    const joined = await gateway(server, { trustProxy: 1 });
    await raw(joined.port, upgrade.replace('Sec-', `${name}: spoofed\r\nSec-`));
    expect(sockets).toHaveLength(1);
    expect(sockets[0]).not.toContain('spoofed');
  });

  it('GATE-1: believes the last word about its scheme, and an override of the method as it was sent', async () => {
    const { port } = await gateway(showHeaders, { trustProxy: 1 });
    const headers = await seen(
      port,
      get('/', 'X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http\r\nX-HTTP-Method-Override: PUT\r\n'),
    );
    expect(valuesOf(headers, 'x-forwarded-proto')).toEqual(['http']);
    expect(valuesOf(headers, 'x-http-method-override')).toEqual(['PUT']);
  });

  it.each([
    [true, ['localhost']],
    [false, [expect.stringMatching(/^127\.0\.0\.1:\d+$/)]],
  ])('has the Host that is chosen: kept %s', async (keepHost, hosts) => {
    const { port } = await gateway(showHeaders, { upstream: { keepHost } });
    expect(valuesOf(await seen(port, get('/')), 'host')).toEqual(hosts);
  });
});

const nothing: RequestListener = () => undefined;
const upgrade =
  'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n';

/** Also where it closes by an error. */
const closed = (stream: IncomingMessage) => new Promise<void>((done) => stream.once('close', () => done()));

describe('GATE-1: what a client receives', () => {
  it('is status, reason and headers as they came, without those of the connection', async () => {
    const { port } = await gateway((_request, response) => {
      response.writeHead(299, 'Quite fine', [
        'X-Twice',
        'a',
        'x-twice',
        'b',
        'Connection',
        'X-Hop',
        'X-Hop',
        '1',
        'Keep-Alive',
        'timeout=9',
        'Set-Cookie',
        'a=1; Path=/',
        'Set-Cookie',
        'b=2',
        'X-Odd',
        '\xe4',
      ]);
      response.end('body');
    });
    const answer = await raw(port, get('/'));
    expect(answer).toContain(
      'HTTP/1.1 299 Quite fine\r\nX-Twice: a\r\nx-twice: b\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2',
    );
    expect(answer).toContain('X-Odd: \xe4');
    expect(answer).not.toMatch(/X-Hop|timeout=9/);
  });

  it.each([
    'portico_session_abc=evil; Path=/',
    '__Host-portico_session_abc=evil; Secure; Path=/',
    ' portico_map_x=1',
    '=portico_session_abc=evil',
    '__SECURE-PORTICO_sign_in_x=1',
  ])('is no Set-Cookie for one of Portico’s names: %s', async (cookie) => {
    const port = await speaks((socket) =>
      socket.end(
        `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nSet-Cookie: ok=1\r\nSet-Cookie: ${cookie}\r\n\r\nok`,
      ),
    );
    const answer = await raw((await gateway(nothing, { port })).port, get('/'));
    expect(answer.match(/Set-Cookie: .*/gi)).toEqual(['Set-Cookie: ok=1']);
  });

  it('is the public address where the application redirects to its own, and no other address changed', async () => {
    const place = await gateway((request, response) => {
      const to = decodeURIComponent(request.url?.slice(2) ?? '');
      response.writeHead(302, { location: to }).end();
    });
    const own = `http://127.0.0.1:${place.upstreamPort}`;
    const located = async (to: string) =>
      /Location: (.*)\r\n/i.exec(await raw(place.port, get(`/?${encodeURIComponent(to)}`)))?.[1];
    expect(await located(`${own}/x?y=${own}`)).toBe(`http://localhost/x?y=${own}`);
    expect(await located(own)).toBe('http://localhost');
    expect(await located(`${own}5/x`)).toBe(`${own}5/x`);
    expect(await located('/x')).toBe('/x');
    expect(await located(`https://sign-in.example.org/?to=${own}/`)).toBe(
      `https://sign-in.example.org/?to=${own}/`,
    );
  });

  it('keeps how the length is given, conditional and range requests, and HEAD', async () => {
    const body = 'x'.repeat(1_000);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const { port } = await gateway((request, response) => {
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else if (request.headers.range === 'bytes=0-9')
        response
          .writeHead(206, { 'content-range': 'bytes 0-9/1000', 'content-length': 10 })
          .end('0123456789');
      else if (request.url === '/chunked') {
        response.writeHead(200).write(body);
        response.end();
      } else response.writeHead(200, { 'content-length': body.length, etag }).end(body);
    });
    expect(await raw(port, get('/', `If-None-Match: ${etag}\r\n`))).toMatch(
      /^HTTP\/1\.1 304 [\s\S]*\r\n\r\n$/,
    );
    expect(await raw(port, get('/', 'Range: bytes=0-9\r\n'))).toMatch(
      /206 [\s\S]*Content-Range: bytes 0-9\/1000[\s\S]*0123456789$/i,
    );
    expect(await raw(port, get('/'))).toMatch(/content-length: 1000\r\n[\s\S]*x{1000}$/i);
    expect(await raw(port, get('/chunked'))).toMatch(/transfer-encoding: chunked\r\n/i);
    const head = await raw(port, get('/').replace('GET', 'HEAD'));
    expect(head).toMatch(/content-length: 1000\r\n/i);
    expect(head).toMatch(/\r\n\r\n$/);
  });

  it('passes trailers on in both directions, and none that frames or identifies', async () => {
    const { port } = await gateway((request, response) => {
      request.resume();
      request.on('end', () => {
        response.writeHead(200, { trailer: 'X-Sum' });
        response.write('a');
        response.addTrailers({ 'X-Sum': JSON.stringify(request.trailers), 'Set-Cookie': 'a=1' });
        response.end();
      });
    });
    const answer = await raw(
      port,
      'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTE: trailers\r\nTransfer-Encoding: chunked\r\nTrailer: X-In\r\n\r\n' +
        '1\r\na\r\n0\r\nX-In: 5\r\nX-Portico-Email: root@example.org\r\nAuthorization: x\r\n\r\n',
    );
    expect(answer).toMatch(/Trailer: X-Sum/i);
    expect(answer).toMatch(/0\r\nX-Sum: \{"x-in":"5"\}\r\n\r\n$/);
  });

  it('waits with the body for the application’s 100, and passes on its refusal without one', async () => {
    const server = createServer(nothing);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (request.url === '/no') {
        response.writeHead(413, { 'content-length': 0 }).end();
        return;
      }
      response.writeContinue();
      void text(request).then((body) => response.end(`got ${body}`));
    });
    const { port } = await gateway(server);
    const head = (path: string) =>
      `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n`;
    expect(await raw(port, head('/no'), /413/)).toMatch(/^HTTP\/1\.1 413 .*[\s\S]*connection: close/i);
    const socket = connect(port, '127.0.0.1');
    open.push(() => socket.destroy());
    socket.write(head('/yes'));
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 100 /);
    socket.write('abc');
    const [second] = (await once(socket, 'data')) as [Buffer];
    expect(second.toString()).toMatch(/got abc/);
  });

  it('passes early hints on', async () => {
    const { port } = await gateway((_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload; as=style' }, () => response.end('x'));
    });
    expect(await raw(port, get('/'))).toMatch(/^HTTP\/1\.1 103 [\s\S]*<\/a\.css>[\s\S]*HTTP\/1\.1 200 /);
    expect(await raw(port, get('/').replace('1.1', '1.0'))).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is the answer, without a reason and hints that Node does not write', async () => {
    const odd = await speaks((socket) =>
      socket.end(
        'HTTP/1.1 103 Early Hints\r\nLink: <a>; rel=preload; title="a b"\r\n\r\nHTTP/1.1 404 No\x01t\r\nContent-Length: 2\r\n\r\nno',
      ),
    );
    const { port } = await gateway(nothing, { port: odd });
    expect(await raw(port, get('/'))).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*no$/);
    expect(await raw(port, upgrade, /no$/)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n[\s\S]*no$/);
  });
});

describe('GATE-1: an exchange that ends early', () => {
  it('ends the request to the application at once where the client leaves, before and in the answer', async () => {
    let begun: (response: ServerResponse) => void = () => undefined;
    const { port } = await gateway((request, response) => {
      if (request.url === '/answering') response.write('part');
      begun(response);
    });
    for (const path of ['/waiting', '/answering']) {
      const arrived = new Promise<ServerResponse>((done) => (begun = done));
      const socket = connect(port, '127.0.0.1');
      socket.write(get(path));
      const response = await arrived;
      const left = once(response, 'close');
      socket.destroy();
      await left;
      expect(response.writableFinished).toBe(false);
    }
  });

  it('ends an upload at the application where its client leaves in the middle', async () => {
    let arrived: (request: IncomingMessage) => void = () => undefined;
    const first = new Promise<IncomingMessage>((done) => (arrived = done));
    const { port } = await gateway((request) => {
      request.once('data', () => arrived(request));
      request.on('error', () => undefined);
    });
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\npart');
    const request = await first;
    const over = closed(request);
    socket.destroy();
    await over;
    expect(request.complete).toBe(false);
  });

  it('cuts the client’s connection where the application breaks off in its answer', async () => {
    for (const headers of [{ 'content-length': 10 }, {}]) {
      let broken: (() => void) | undefined;
      const { port } = await gateway((_request, response) => {
        response.writeHead(200, headers).write('part');
        broken = () => response.socket?.resetAndDestroy();
      });
      const socket = connect(port, '127.0.0.1');
      open.push(() => socket.destroy());
      let answer = '';
      socket.on('error', () => undefined);
      socket.on('data', (part: Buffer) => {
        answer += part.toString('latin1');
        if (answer.includes('part')) broken?.();
      });
      socket.write(get('/').replace('Connection: close\r\n', ''));
      await once(socket, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*part/);
      expect(answer).not.toMatch(/0\r\n\r\n$/);
    }
  });

  it('is 502 where the application is down or speaks no valid HTTP, 504 where it is slow', async () => {
    const port = await listening(createServer(nothing));
    const down = await gateway(nothing, { port: 9 });
    expect(await raw(down.port, get('/'))).toMatch(/^HTTP\/1\.1 502 [\s\S]*APPLICATION_DOWN/);
    expect(await raw(down.port, get('/', 'Sec-Fetch-Mode: navigate\r\n'))).toMatch(
      /502 [\s\S]*gateway \{.*"down":""/,
    );
    const slow = await gateway(nothing, { port, upstream: { timeoutMs: 50 } });
    expect(await raw(slow.port, get('/'))).toMatch(/^HTTP\/1\.1 504 [\s\S]*APPLICATION_SLOW/);
    for (const nonsense of [
      'nonsense\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
      'HTTP/1.1 042 Low\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 200 OK\r\nX: broken of',
      'HTTP/1.1 200 OK\r\nX y: 1\r\n\r\n',
      '\x15\x03\x01\x00\x02\x02\x16',
    ]) {
      const odd = await speaks((socket) => socket.end(nonsense, 'latin1'));
      const place = await gateway(nothing, { port: odd });
      expect(await raw(place.port, get('/'))).toMatch(/^HTTP\/1\.1 502 [\s\S]*APPLICATION_MALFORMED/);
      expect(await raw(place.port, upgrade)).toMatch(/^HTTP\/1\.1 502 [\s\S]*APPLICATION_MALFORMED/);
      expect(await raw(place.port, get('/', 'Sec-Fetch-Mode: navigate\r\n'))).toMatch(/"malformed":""/);
    }
    const secure = await gateway(nothing, {
      port: await listening(createServer(nothing)),
      upstream: { url: new URL(`https://127.0.0.1:${port}`) },
    });
    expect(await raw(secure.port, get('/'))).toMatch(/502 [\s\S]*APPLICATION_MALFORMED.*TLS/);
    const silent = await gateway(nothing, { port: await speaks((socket) => socket.end()) });
    expect(await raw(silent.port, get('/'))).toMatch(/502 [\s\S]*APPLICATION_DOWN/);
  });

  it('asks again where an unused connection had ended, and never for what changes something', async () => {
    let asked = 0;
    const port = await speaks((socket, received) => {
      asked += 1;
      if (received.split('\r\n\r\n').length > 2) socket.destroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const place = await gateway(nothing, { port });
    expect(await raw(place.port, get('/'))).toMatch(/ok$/);
    expect(await raw(place.port, get('/'))).toMatch(/ok$/);
    expect(asked).toBe(3);
    const post = get('/').replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\na');
    await raw(place.port, get('/'));
    const before = asked;
    expect(await raw(place.port, post)).toMatch(/^HTTP\/1\.1 502 /);
    expect(asked).toBe(before + 1);
  });
});

describe('GATE-1: no way to smuggle a request or to reach another host', () => {
  const post = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
  it.each([
    ['two lengths', `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcd`],
    ['a length and chunks', `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['an odd coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['two codings', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['a coding by a tab', `${post}Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n`],
    ['a space before the colon', `${post}Content-Length : 4\r\n\r\nabcd`],
    ['a folded header', `${post}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: localhost\nX: a\n\n'],
    ['a bare carriage return', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n'],
    ['an odd length', `${post}Content-Length: +4\r\n\r\nabcd`],
    ['an odd chunk', `${post}Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n`],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n'],
    ['a host with a path', 'GET / HTTP/1.1\r\nHost: other/localhost\r\n\r\n'],
    ['the target of another host', 'GET http://other.example.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a target without a slash', 'GET admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['dot segments', 'GET /public/../admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['encoded dot segments', 'GET /public/%2e%2e/admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['oversized headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    [
      'the way into a guarded folder',
      'COPY /x HTTP/1.1\r\nHost: localhost\r\nDestination: /guarded/x\r\n\r\n',
    ],
    ['a trace', 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tunnel', 'CONNECT other.example.org:443 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const urls: string[] = [];
    const application: RequestListener = (request, response) => {
      urls.push(request.url ?? '');
      request.resume();
      response.end('reached');
    };
    const rules = [{ ...plainGuard, path: '/guarded', right: 'ADMIN' }];
    const { port } = await gateway(application, { upstream: { rules } });
    const answer = await raw(
      port,
      `${bytes}GET /smuggled HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      /HTTP\/1\.1 \d+ [\s\S]*\}$/,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(urls.filter((url) => url !== '/smuggled')).toEqual([]);
  });

  it('reads the length of a body after as many headers as fit, and sends all of them on with it', async () => {
    const server = createServer((request, response) => {
      void text(request).then((body) => response.end(`got ${body}`));
    });
    server.maxHeadersCount = 0;
    const { port } = await gateway(server);
    // Node 20 reads a thousand, and lists some more: the application would wait for a body from the next request.
    for (const fillers of [990, 1_003]) {
      const head = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${'a:\r\n'.repeat(fillers)}`;
      expect(await raw(port, `${head}Content-Length: 4\r\n\r\nbody`)).toMatch(/got body$/);
    }
  });

  it('writes a header value that came in as one header, whatever it holds', async () => {
    const { port } = await gateway(showHeaders);
    const headers = await seen(
      port,
      get('/?%0d%0aX-Portico-Email:%20root', 'X: a%0d%0aX-Portico-Email: b\r\n'),
    );
    expect(valuesOf(headers, 'x-portico-email')).toEqual([]);
  });
});

describe('GATE-1: refusals', () => {
  const refused = (
    code: 'UNAUTHENTICATED' | 'RIGHT_MISSING' | 'MAINTENANCE',
    status: 401 | 403 | 503,
  ): Admission => ({
    is: 'refused',
    status,
    code,
    ...(code === 'RIGHT_MISSING' ? { right: 'REPORTS' } : { retryAfter: 60 }),
  });
  const navigation = 'Sec-Fetch-Mode: navigate\r\nAccept: text/html\r\n';

  it.each([
    [
      'a page',
      navigation,
      { is: 'sign-in' } as const,
      /303 [\s\S]*location: \/portico\/auth\/login\?returnTo=%2Fx%3Fy\r\n/i,
    ],
    ['a page of an old browser', 'Accept: text/html\r\n', refused('MAINTENANCE', 503), /503 [\s\S]*closed$/],
    [
      'a page without the right',
      navigation,
      refused('RIGHT_MISSING', 403),
      /403 [\s\S]*gateway .*"right-name":"REPORTS","whom":"Ada Lovelace"/,
    ],
    [
      'a fetch',
      'Sec-Fetch-Mode: cors\r\nAccept: text/html\r\n',
      refused('UNAUTHENTICATED', 401),
      /401 [\s\S]*problem\+json[\s\S]*UNAUTHENTICATED/,
    ],
    [
      'a fetch without the right',
      '',
      refused('RIGHT_MISSING', 403),
      /403 [\s\S]*This takes the right REPORTS/,
    ],
    [
      'a fetch while closed',
      '',
      refused('MAINTENANCE', 503),
      /503 [\s\S]*retry-after: 60[\s\S]*"MAINTENANCE"/i,
    ],
  ])('answers %s', async (_what, headers, admission, expected) => {
    const { port } = await gateway(nothing, { admit: () => Promise.resolve(admission) });
    expect(await raw(port, get('/x?y', headers))).toMatch(expected);
  });

  it('ends the connection of an upload that is refused, and reads no more than a while', async () => {
    const { port } = await gateway(nothing, { admit: () => refused('UNAUTHENTICATED', 401) });
    expect(
      await raw(
        port,
        'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n\r\nabc',
        /UNAUTHENTICATED/,
      ),
    ).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each([
    ['an answer of the application', false],
    ['an answer instead of the application', true],
  ])(
    'reads the rest of an upload after %s, and the next request of the connection',
    async (_whose, isDown) => {
      const connections: Socket[] = [];
      const early = createServer((request, response) => {
        connections.push(request.socket);
        response.writeHead(413).end('too large');
      });
      const { port } = await gateway(early, isDown ? { port: 9 } : {});
      const size = 500_000;
      const socket = connect(port, '127.0.0.1');
      open.push(() => socket.destroy());
      let answers = '';
      socket.on('data', (part) => (answers += part.toString('latin1')));
      socket.write(
        `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(100_000)}`,
      );
      const status = isDown ? 502 : 413;
      await expect.poll(() => answers).toContain(`HTTP/1.1 ${status} `);
      socket.write('x'.repeat(size - 100_000) + get('/next'));
      await once(socket, 'close');
      expect(answers.split(`HTTP/1.1 ${status} `)).toHaveLength(3);
      // The application must not take the next request for the rest of this one.
      expect(connections.map(({ destroyed }) => destroyed)).toEqual(isDown ? [] : [true, false]);
    },
  );

  it('sends the head of a request on whose body comes later', async () => {
    const { port } = await gateway(showHeaders);
    const head = get('/', 'X-Odd: \xe4\r\nTransfer-Encoding: chunked\r\n').replace('GET', 'POST');
    expect(await raw(port, head.replace('Connection: close\r\n', ''), /x-odd|X-Odd/)).toContain(
      'X-Odd","\xc3\xa4"',
    );
  });

  it.each(['/', '/portico/healthz'])(
    'closes the connection of an upgrade that it answers: %s',
    async (path) => {
      const { port, connections } = await gateway(nothing, { admit: () => refused('UNAUTHENTICATED', 401) });
      const socket = connect(port, '127.0.0.1');
      socket.write(upgrade.replace('GET / ', `GET ${path} `));
      await once(socket, 'data');
      socket.end('x');
      await expect.poll(connections).toBe(0);
    },
  );

  it.each([401, 403, 503] as const)('refuses a WebSocket with %i and a problem', async (status) => {
    const code = ({ 401: 'UNAUTHENTICATED', 403: 'RIGHT_MISSING', 503: 'MAINTENANCE' } as const)[status];
    const { port } = await gateway(nothing, { admit: () => refused(code, status) });
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([status, expect.stringContaining(code)]);
  });
});

describe('GATE-1: WebSockets', () => {
  async function sockets(given: Place = {}) {
    const server = createServer(nothing);
    const peers = new WebSocketServer({ server });
    open.push(() => {
      for (const peer of peers.clients) peer.terminate();
      peers.close();
    });
    peers.on('connection', (peer, request) => {
      peer.send(JSON.stringify(request.headers));
      peer.on('message', (data, isBinary) => peer.send(data, { binary: isBinary }));
    });
    return { ...(await gateway(server, given)), peers };
  }

  it('join both sides byte for byte: texts, large binaries, pings, protocols, the close code', async () => {
    const { port, streams } = await sockets();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/chat`, ['v2', 'v1'], {
      headers: { cookie: 'portico_session_x=1; a=1', origin: 'http://localhost', 'X-Portico-Email': 'x' },
    });
    const [hello] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(hello.toString())).toMatchObject({
      cookie: 'a=1',
      origin: 'http://localhost',
      'portico-assertion': 'real',
      'x-forwarded-for': '127.0.0.1',
    });
    expect(hello.toString()).not.toContain('x-portico-email');
    expect(socket.protocol).toBe('v2');
    expect(streams.size).toBe(1);
    const large = randomBytes(3_000_000);
    socket.send(large);
    const [back] = (await once(socket, 'message')) as [Buffer];
    expect(back.equals(large)).toBe(true);
    socket.ping('x');
    await once(socket, 'pong');
    socket.close(4_001, 'enough');
    expect(await once(socket, 'close')).toEqual([4_001, Buffer.from('enough')]);
    await expect.poll(() => streams.size).toBe(0);
  });

  it('end on both sides where one ends, and where the gateway ends them', async () => {
    const { port, streams, peers } = await sockets();
    const opened = async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
      socket.on('error', () => undefined);
      await once(socket, 'message');
      return socket;
    };
    const leaving = await opened();
    leaving.terminate();
    await expect.poll(() => peers.clients.size).toBe(0);
    const ended = await opened();
    const over = once(ended, 'close');
    for (const stream of streams) stream.end();
    await over;
    await expect.poll(() => peers.clients.size).toBe(0);
    const dropped = await opened();
    const gone = once(dropped, 'close');
    for (const peer of peers.clients) peer.terminate();
    await gone;
  });

  it('get the application’s own refusal, and 502 where it is down', async () => {
    const { port } = await gateway((_request, response) => {
      response.writeHead(418, { 'x-why': 'tea' }).end('short');
    });
    const refusal = async (at: number) => {
      const socket = new WebSocket(`ws://127.0.0.1:${at}/`);
      const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
      return [answer.statusCode, await text(answer)];
    };
    expect(await refusal(port)).toEqual([418, 'short']);
    const down = await gateway(nothing, { port: 9 });
    expect(await refusal(down.port)).toEqual([502, expect.stringContaining('APPLICATION_DOWN')]);
    const other = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n';
    const odd = await gateway(nothing, { port: await speaks((socket) => socket.write(other)) });
    expect(await refusal(odd.port)).toEqual([502, expect.stringContaining('APPLICATION_MALFORMED')]);
  });

  it('are all that a connection is taken over for: what offers HTTP/2 is answered by HTTP/1.1, body and all', async () => {
    let upgrades = 0;
    const server = createServer((request, response) => {
      void text(request).then((body) => response.end(JSON.stringify([body, ...request.rawHeaders])));
    });
    server.on('upgrade', (_request, socket: Socket) => {
      upgrades += 1;
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n');
    });
    const { port } = await gateway(server);
    for (const offer of ['h2c', 'websocket, h2c', 'h2c\r\nUpgrade: websocket', 'TLS/1.0']) {
      const head = `POST /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: ${offer}\r\n`;
      const bytes = `${head}HTTP2-Settings: AAMAAABk\r\nSec-WebSocket-Key: x\r\nContent-Length: 4\r\n\r\nbody`;
      const [body, ...received] = await seen(port, bytes);
      expect(body).toBe('body');
      expect(received.join()).not.toMatch(/upgrade|http2-settings/i);
    }
    expect(upgrades).toBe(0);
  });

  it('offered with every request of a connection, are nothing that it gathers', async () => {
    const { port } = await gateway((_request, response) => {
      response.writeHead(200, { 'content-length': 2 }).end('ok');
    });
    const warnings: Error[] = [];
    const warned = (warning: Error) => void warnings.push(warning);
    process.on('warning', warned);
    open.push(() => process.off('warning', warned));
    const socket = connect(port, '127.0.0.1');
    open.push(() => socket.destroy());
    for (let sent = 0; sent < 15; sent += 1) {
      socket.write(
        'GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n',
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [\s\S]*ok$/);
    }
    expect(warnings).toEqual([]);
  });

  it('wait for the answers to what the client has sent before them on the same connection', async () => {
    const answering: ServerResponse[] = [];
    const both = Promise.withResolvers<void>();
    const server = createServer((request, response) => {
      if (request.url === '/offer') response.end('offered');
      else if (answering.push(response) === 2) both.resolve();
    });
    server.on('upgrade', (_request, socket: Socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    );
    const { port } = await gateway(server);
    const first = 'GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const h2c = first
      .replace('slow', 'offer')
      .replace(/\r\n$/, 'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    const answered = raw(port, first + first + h2c + h2c + upgrade, /HTTP\/1\.1 101/);
    await both.promise;
    for (const each of answering) each.end('slow');
    expect((await answered).match(/HTTP\/1\.1 \d+/g)).toEqual([
      ...Array.from({ length: 4 }, () => 'HTTP/1.1 200'),
      'HTTP/1.1 101',
    ]);
  });

  it('leave the application at once where a client leaves before they are joined', async () => {
    let left: Promise<unknown> | undefined;
    const server = createServer(nothing);
    const arrived = new Promise<void>((done) =>
      server.on('upgrade', (_request, socket: Socket) => {
        left = once(socket, 'end');
        socket.resume();
        socket.on('error', () => undefined);
        done();
      }),
    );
    const { port } = await gateway(server);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    socket.on('error', () => undefined);
    await arrived;
    socket.terminate();
    expect(await left).toEqual([]);
  });
});

describe('GATE-1: streams', () => {
  it('begin with their head, are followed, and end when the gateway ends them', async () => {
    let send: (text: string) => void = () => undefined;
    const { url, streams } = await gateway((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      send = (part) => void response.write(part);
    });
    const answer = await new Promise<IncomingMessage>((done) => httpRequest(url, done).end());
    answer.on('error', () => undefined);
    expect(streams.size).toBe(1);
    send('data: 1\n\n');
    const [part] = (await once(answer, 'data')) as [Buffer];
    expect(part.toString()).toBe('data: 1\n\n');
    const over = closed(answer);
    for (const stream of streams) stream.end();
    await over;
    await expect.poll(() => streams.size).toBe(0);
  });

  it('are followed where they are the answer to a WebSocket', async () => {
    const { port, streams } = await gateway((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('part');
    });
    const answer = raw(port, upgrade);
    await expect.poll(() => streams.size).toBe(1);
    for (const stream of streams) stream.end();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => streams.size).toBe(0);
  });

  it('hold no more than bounded buffers for a client or an application that does not read', async () => {
    let sent = 0;
    let received = 0;
    const part = Buffer.alloc(65_536);
    const { port } = await gateway((request, response) => {
      if (request.method === 'POST') {
        request.once('data', (bytes: Buffer) => {
          received += bytes.length;
          request.pause();
        });
        return;
      }
      const write = () => {
        let goesOn = true;
        while (goesOn && sent < 200_000_000) {
          goesOn = response.write(part);
          sent += part.length;
        }
        response.once('drain', write);
      };
      write();
    });
    /** What has moved once nothing moves any more. */
    const settled = async (moved: () => number): Promise<number> => {
      let last = -1;
      const isStill = () => {
        const was = last;
        last = moved();
        return last > 0 && was === last;
      };
      await expect.poll(isStill, { interval: 300 }).toBe(true);
      return last;
    };
    const stalled = () => {
      const socket = connect(port, '127.0.0.1');
      open.push(() => socket.destroy());
      socket.on('error', () => undefined);
      return socket.pause();
    };
    const before = process.memoryUsage().arrayBuffers;
    stalled().write(get('/'));
    // The system's own buffers of three sockets on the loopback take some megabytes.
    expect(await settled(() => sent)).toBeLessThan(40_000_000);

    const uploading = stalled();
    uploading.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\n');
    let uploaded = 0;
    const write = (): void => {
      let goesOn = true;
      while (goesOn && uploaded < 200_000_000) {
        goesOn = uploading.write(part);
        uploaded += part.length;
      }
    };
    uploading.on('drain', write);
    write();
    expect(await settled(() => uploaded)).toBeLessThan(40_000_000);
    expect(received).toBeLessThan(1_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });
});
