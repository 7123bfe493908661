import { createHash } from 'node:crypto';
import {
  createServer,
  get,
  request as startRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import type { Role } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import type { CallOf, Route } from '#contract/route.ts';
import { removeOwnRight, setOwnRight } from '#features/permissions/contract/administration.ts';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { freePort } from '#server/testing/free-port.ts';
import { documentedBlocks, startCaddy, startNginx, whyNot } from '#server/testing/proxy-process.ts';
import { createCookieJar, type Answer } from '#server/testing/client.ts';
import { addPerson, addToken } from '#server/testing/people.ts';

/** What the application has received, as it answers it. */
type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** An application as it would stand behind the proxy: answers what it received, streams, and opens WebSockets. */
async function startApplication(): Promise<{ port: number; sockets: IncomingHttpHeaders[] }> {
  const sockets: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
      return;
    }
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ method, url, headers, body } satisfies Received));
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket) => {
    sockets.push(request.headers);
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(Buffer.from([0x81, 5, ...Buffer.from('hello')]));
    socket.on('error', () => undefined).on('data', () => socket.end());
  });
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  afterThisTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, sockets };
}

type ProxyName = 'nginx' | 'caddy' | 'ingress';

const secret = 'd41d8cd98f00b204e9800998ecf8427e00112233';
const headerOf = { nginx: 'x-original-uri', caddy: 'x-forwarded-uri', ingress: 'x-original-url' };

/** Portico and an application, and the proxy in front of both. */
async function besideEachOther(proxy: ProxyName) {
  const [port, application] = [await freePort(), await startApplication()];
  const origin = `http://localhost:${port}`;
  const [file = ''] = documentedBlocks('json', []);
  const { upstreams, registered } = readUpstreams(file) as UpstreamsFile;
  const app = await startApp({
    engine: 'sqlite',
    config: {
      publicUrl: `${origin}/portico`,
      origin,
      basePath: '/portico',
      trustProxy: 1,
      upstreams,
      registered,
      authCheckSecrets: [secret],
      authCheckHeader: headerOf[proxy],
    },
  });
  const places: [string, string][] = [
    ['127.0.0.1:3000', `127.0.0.1:${app.config.port}`],
    ['127.0.0.1:8080', `127.0.0.1:${application.port}`],
  ];
  if (proxy === 'caddy') {
    const [site = ''] = documentedBlocks('caddy', [
      ...places,
      ['app.example.org {', `http://localhost:${port} {`],
    ]);
    await startCaddy(port, site, { AUTH_CHECK_SECRET: secret });
  } else if (proxy === 'ingress')
    await startNginx(port, asIngress(port, app.config.port, application.port), {});
  else {
    const [site = '', guarded = '', forwarded = '', shown = ''] = documentedBlocks('nginx', [
      ...places,
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
      ['server_name app.example.org;', 'server_name localhost;'],
      ['ssl_certificate     /etc/ssl/app.example.org.pem;', ''],
      ['ssl_certificate_key /etc/ssl/app.example.org.key;', ''],
      ['the value of AUTH_CHECK_SECRET', secret],
    ]);
    await startNginx(port, site, {
      'portico-guarded.conf': guarded,
      'portico-forwarded.conf': forwarded,
      'portico-secret.conf': shown,
    });
  }
  const accessToken = await addToken(app, {
    rights: [...rightCatalogue.map(({ right }) => right), 'ORDERS_CHANGE'],
  });
  const administer: Administer = (route, call) => app.call(route, call, { accessToken });
  return { app, application, port, origin, administer };
}

/** What the ingress controller of nginx writes of the documented annotations and ConfigMap, as far as it matters. */
function asIngress(port: number, own: number, application: number): string {
  const [map = '', annotations = ''] = documentedBlocks('yaml', [
    ['http://portico.default.svc:3000', `http://127.0.0.1:${own}`],
    ['the value of AUTH_CHECK_SECRET', secret],
  ]).slice(-2);
  const settings = (block: string) =>
    [...block.matchAll(/^ *([\w./-]+): (?:'')?(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
  const given = new Map(settings(annotations));
  const of = (name: string) => given.get(`nginx.ingress.kubernetes.io/${name}`) ?? '';
  const names = of('auth-response-headers').split(',');
  const variable = (name: string) => `$auth_${name.toLowerCase().replaceAll('-', '_')}`;
  return `server {
    listen 127.0.0.1:${port};
    location /portico/ {
      proxy_pass http://127.0.0.1:${own};
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Proto $scheme;
    }
    location = /_external-auth {
      internal;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header X-Forwarded-Proto "";
      proxy_set_header Host portico.default.svc;
      proxy_set_header X-Original-URL $scheme://$http_host$request_uri;
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $remote_addr;
      ${settings(map.replace(/^.*^data:/ms, ''))
        .map(([name, value]) => `proxy_set_header '${name}' '${value}';`)
        .join('\n')}
      proxy_http_version 1.1;
      proxy_pass ${of('auth-url')};
    }
    location @signin { return 302 ${of('auth-signin')
      .replace(/^https:..[^/]*/, `http://localhost:${port}`)
      .replace('$escaped_request_uri', '$request_uri')}; }
    location / {
      auth_request /_external-auth;
      ${names.map((name) => `auth_request_set ${variable(name)} $upstream_http_${name.toLowerCase().replaceAll('-', '_')}; proxy_set_header ${name} ${variable(name)};`).join('\n')}
      error_page 401 = @signin;
      proxy_set_header Host $http_host;
      proxy_pass http://127.0.0.1:${application};
    }
  }`;
}

type Sent = { method?: string; headers?: Record<string, string>; body?: string };
type Answered = { status: number; headers: IncomingHttpHeaders; text: string };

function send(address: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answered> {
  return new Promise((done, fail) => {
    const request = startRequest(address, { method, headers }, (response) => {
      text(response).then(
        (answer) => done({ status: response.statusCode ?? 0, headers: response.headers, text: answer }),
        fail,
      );
    });
    request.on('error', fail).end(body);
  });
}

const codeOf = ({ text: body }: Answered) => (JSON.parse(body) as { code: string }).code;
const received = (answer: Answered) => JSON.parse(answer.text) as Received;
const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };

const place = '/tasks?page=2';

type Person = {
  id: string;
  email: string;
  cookie: string;
  /** Status and address with which the sign-in ended. */
  ended: string;
};

/** Goes to a page of the application, from there to the sign-in, and back to it: by nothing but the proxy. */
async function signInThrough({ app, origin }: { app: TestApp; origin: string }, role: Role): Promise<Person> {
  const account = { email: `${role}@example.org`, password: 'seven green lanterns' };
  const id = await addPerson(app, { ...account, roles: [role] });
  const jar = createCookieJar();
  let at = new URL(place, origin);
  const hops: string[] = [];
  while (hops.length < 15) {
    hops.push(at.href);
    const cookie = jar.header(at.pathname);
    const isForm = at.pathname.startsWith('/portico/idp/sign-in/');
    const answer = await send(at.href, {
      method: isForm ? 'POST' : 'GET',
      headers: { ...navigation, cookie, ...(isForm ? { 'content-type': 'application/json' } : {}) },
      ...(isForm ? { body: JSON.stringify(account) } : {}),
    });
    const set = (answer.headers['set-cookie'] ?? []).map((line): [string, string] => ['set-cookie', line]);
    jar.take(new Response(null, { headers: set }), at.pathname);
    const next = isForm
      ? (JSON.parse(answer.text) as { next: string }).next
      : (answer.headers.location ?? null);
    if (next === null) {
      const ended = `${answer.status} ${at.href.slice(origin.length)}`;
      return { id, email: account.email, cookie: jar.header('/orders'), ended };
    }
    at = new URL(next, at);
    expect(at.origin).toBe(origin);
  }
  throw new Error(`The sign-in leads in circles: ${hops.join(' ')}`);
}

/** The first bytes of a stream, while it goes on. */
function firstOfStream(address: string, headers: Record<string, string>): Promise<string> {
  return new Promise((done, fail) => {
    const request = get(address, { headers }, (response) => {
      response.once('data', (part: Buffer) => {
        done(part.toString());
        request.destroy();
      });
    });
    request.on('error', fail);
  });
}

/** The first message of a WebSocket, or the status with which it is refused. */
function openWebSocket(port: number, headers: Record<string, string>): Promise<string | number> {
  return new Promise((done, fail) => {
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const request = get({
      port,
      host: 'localhost',
      path: '/socket',
      headers: { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', ...headers },
    });
    request.on('upgrade', (_response, socket, head) => {
      const take = (frame: Buffer) => {
        done(frame.subarray(2).toString());
        socket.destroy();
      };
      if (head.length > 0) take(head);
      else socket.once('data', take);
    });
    request.on('response', (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    request.on('error', fail);
  });
}

type Administer = <const R extends Route>(route: R, call: CallOf<R>) => Promise<Answer<R>>;

const enter = (call: Administer, mode: 'off' | 'read-only' | 'full') =>
  changeMaintenance({ call }, { mode, text: 'New pumps', severity: 'HIGH' });

const spoofed = (id: string) => ({
  'portico-assertion': 'ey.ey.ey',
  'x-portico-user-id': id,
  'x-portico-rights': 'SETTINGS_WRITE',
  'x-portico-omitted': 'rights',
  x_portico_email: 'operator@example.org',
  'x-portico_name': 'Operator',
  portico_assertion: 'ey.ey.ey',
});

/** What a client sends to be believed by Portico or by the application behind the proxy. */
const believed = [
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'X-Forwarded-Server',
  'X-Forwarded-Ssl',
  'X-Forwarded-Scheme',
  'X-Forwarded-User',
  'Forwarded',
  'X-Original-URL',
  'X-Original-URI',
  'X-Original-Method',
  'X-Rewrite-URL',
  'X-Forwarded-Uri',
  'X-Forwarded-Method',
  'X-Real-IP',
  'X-Client-IP',
  'X-Scheme',
  'X-Script-Name',
  'Proxy',
  'X-Portico-Check-Secret',
] as const;

/** Each header that a client can add names another request, host or client than there is (GATE-5, GATE-9). */
async function believesNoHeader(origin: string, port: number, { cookie }: Person): Promise<void> {
  for (const name of believed) {
    const headers = { cookie, [name]: name === 'X-Portico-Check-Secret' ? secret : '/help/spoofed.example' };
    const answer = received(await send(`${origin}/tasks`, { headers }));
    expect([name, JSON.stringify(answer.headers).includes('spoofed.example')]).toEqual([name, false]);
    expect(JSON.stringify(answer.headers)).not.toContain(secret);
    const guarded = await send(`${origin}/orders/7`, { headers });
    expect([name, guarded.status, codeOf(guarded)]).toEqual([name, 403, 'RIGHT_MISSING']);
  }
  const all = Object.fromEntries(believed.map((name) => [name, '/help/']));
  expect((await send(`${origin}/tasks`, { headers: all })).status).toBe(401);
  const to = await send(`${origin}/tasks`, {
    headers: { ...navigation, 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' },
  });
  expect(to.headers.location).toBe(`${origin}/portico/auth/login?returnTo=%2Ftasks`);
  const login = await send(`${origin}/portico/auth/login`, {
    headers: { 'X-Forwarded-Host': 'evil.example' },
  });
  expect([login.status, login.headers.location]).toEqual([
    303,
    expect.stringContaining(`${origin}/portico/idp/`),
  ]);
  // Whatever is written into its log, a request at another host is not the application's.
  const strange = await sendBytes(port, `GET /tasks HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}`);
  expect(strange).toMatch(/^HTTP\/1\.1 (?:421|200 OK\r\nServer: Caddy\r\n[\s\S]*Content-Length: 0)/);
  const absolute = `GET http://localhost:${port}/tasks HTTP/1.1\r\nHost: evil.example\r\nCookie: ${cookie}`;
  // The proxy has chosen its server by the address, and the application gets that host.
  const chosen = await sendBytes(port, absolute);
  expect([chosen.slice(9, 12), chosen.includes('evil.example')]).toEqual(['200', false]);
}

function sendBytes(port: number, head: string): Promise<string> {
  return new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    text(socket).then(done, fail);
    socket.write(`${head}\r\nConnection: close\r\n\r\n`);
  });
}

/** Ways to write `/orders/7` that an application may read as it. */
const ordersOtherwise = [
  '/ORDERS/7',
  '/orders;x/7',
  '/orders%3b/7',
  '/orders%3Bx=1/7',
  '//orders/7',
  '/%6frders/7',
  '/%256frders/7',
  '/orders%2f7',
  '/orders./7',
  '/orders%20/7',
  '/orders%0a/7',
  '/orders%00/7',
  '/orders::$DATA/7',
  '/order%c5%bf/7',
  '/%ef%bd%8frders/7',
  '/%c1%afrders/7',
  '/help/..;/orders/7',
  '/help/%2e%2e/orders/7',
  '/help/%252e%252e/orders/7',
  '/help%2f..%2forders/7',
  '/help\\..\\orders/7',
  '/orders%3f/7',
];

/** No way to write a guarded path leads past its rule (GATE-2). */
async function guardsEverySpelling(port: number, { cookie }: Person): Promise<void> {
  for (const path of ordersOtherwise) {
    const answer = await sendBytes(
      port,
      `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}`,
    );
    expect([path, answer.slice(9, 12)]).toEqual([path, expect.stringMatching(/^(?:40[03]|500)$/)]);
  }
  expect(
    await sendBytes(port, `GET /order/7 HTTP/1.1\r\nHost: localhost:${port}\r\nCookie: ${cookie}`),
  ).toMatch(/^HTTP\/1\.1 200 /);
}

/** What every proxy has to do alike. */
async function passesAndNames(app: TestApp, origin: string, mia: Person, operator: Person): Promise<void> {
  const { cookie } = mia;
  const signedOut = await send(`${origin}/tasks?page=2`, { headers: navigation });
  expect([signedOut.status, signedOut.headers.location]).toEqual([
    303,
    `${origin}/portico/auth/login?returnTo=%2Ftasks%3Fpage%3D2`,
  ]);
  const called = await send(`${origin}/tasks`, { headers: { accept: 'application/json' } });
  expect([called.status, codeOf(called)]).toEqual([401, 'UNAUTHENTICATED']);

  const answer = await send(`${origin}/tasks?page=2`, {
    method: 'POST',
    body: 'three of them',
    headers: { ...spoofed(operator.id), cookie: `theirs=1; ${cookie}; more=2`, origin },
  });
  const { headers, ...rest } = received(answer);
  expect(rest).toEqual({ method: 'POST', url: '/tasks?page=2', body: 'three of them' });
  expect(headers).toMatchObject({
    'x-portico-user-id': mia.id,
    'x-portico-email': mia.email,
    'x-portico-roles': 'member',
  });
  expect(headers.cookie).toBe('theirs=1; more=2');
  const names = Object.keys(headers).filter((name) => /portico/.test(name));
  expect(names.filter((name) => name.includes('_'))).toEqual([]);
  const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(String(headers['portico-assertion']), keys, {
    issuer: `${origin}/portico`,
    audience: 'application',
  });
  expect(payload).toMatchObject({ sub: mia.id, rights: ['MAP_VIEW'] });

  // A page that asks for itself is not answered: it could read who is signed in there.
  expect(
    (
      await send(`${origin}/portico/auth/check`, {
        headers: { cookie, 'x-original-uri': '/', 'x-original-method': 'GET' },
      })
    ).status,
  ).toBe(404);
  for (const query of ['access=public', 'whileClosed=1', 'access=public&refused=1'])
    expect((await send(`${origin}/tasks?${query}`)).status).toBe(401);
  // Headers of the other kind of proxy, from a client: nothing passes by them.
  const other = {
    'x-original-uri': '/help/',
    'x-original-method': 'GET',
    'x-forwarded-uri': '/help/',
    'x-forwarded-method': 'GET',
  };
  expect((await send(`${origin}/tasks`, { headers: other })).status).toBe(401);
  const foreign = {
    cookie,
    'sec-fetch-site': 'cross-site',
    'x-forwarded-method': 'GET',
    'x-original-method': 'GET',
  };
  const crossSite = await send(`${origin}/`, { method: 'POST', headers: foreign });
  expect([crossSite.status, codeOf(crossSite)]).toEqual([403, 'CROSS_SITE']);
}

async function streams(
  origin: string,
  port: number,
  mia: Person,
  sockets: IncomingHttpHeaders[],
): Promise<void> {
  const { cookie } = mia;
  expect(await firstOfStream(`${origin}/stream`, { cookie, accept: 'text/event-stream' })).toBe(
    'data: first\n\n',
  );
  // Portico's own, by which a page knows at once that maintenance begins and ends.
  const asPage = { cookie, origin, 'x-portico': '1' };
  const given = await send(`${origin}/portico/auth/token`, { method: 'POST', headers: asPage });
  const authorization = `Bearer ${(JSON.parse(given.text) as { accessToken: string }).accessToken}`;
  expect(await firstOfStream(`${origin}/portico/v1/events`, { authorization })).toContain('hello');
  expect(await openWebSocket(port, { cookie, origin })).toBe('hello');
  expect(sockets).toMatchObject([{ 'x-portico-user-id': mia.id }]);
  expect(await openWebSocket(port, { origin })).toBe(401);
  expect(await openWebSocket(port, { cookie, origin: 'https://evil.example' })).toBe(403);
  // On a connection that is taken over for HTTP/2 the proxy would ask about nothing any more.
  const h2c = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABk' };
  const plain = received(await send(`${origin}/tasks`, { headers: { cookie, ...h2c } }));
  expect(plain.headers['x-portico-user-id']).toBe(mia.id);
  expect(sockets).toHaveLength(1);
}

async function closes(origin: string, mia: Person, operator: Person, administer: Administer): Promise<void> {
  const [member, bypass] = [{ cookie: mia.cookie }, { cookie: operator.cookie }];
  await enter(administer, 'read-only');
  expect((await send(origin, { headers: member })).status).toBe(200);
  const post = await send(origin, { method: 'POST', headers: member, body: 'not now' });
  expect([post.status, codeOf(post), Number(post.headers['retry-after']) > 0]).toEqual([
    503,
    'MAINTENANCE',
    true,
  ]);
  await enter(administer, 'full');
  expect((await send(origin, { headers: member })).status).toBe(503);
  const page = await send(origin, { headers: { ...member, ...navigation } });
  expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
  expect((await send(origin, { headers: bypass })).status).toBe(200);
  await enter(administer, 'off');
  expect((await send(origin, { headers: member })).status).toBe(200);
}

describe('an application behind nginx, as documented', () => {
  it('GATE-5: is reached by who may, knows who that is, and is closed by maintenance and by rights', async (context) => {
    context.skip(whyNot('nginx') !== null, whyNot('nginx') ?? '');
    const { app, application, port, origin, administer } = await besideEachOther('nginx');
    const operator = await signInThrough({ app, origin }, 'operator');
    const mia = await signInThrough({ app, origin }, 'member');
    expect(mia.ended).toBe(`200 ${place}`);
    await passesAndNames(app, origin, mia, operator);
    await streams(origin, port, mia, application.sockets);

    const headers = { cookie: mia.cookie };
    await believesNoHeader(origin, port, mia);
    await guardsEverySpelling(port, mia);
    const orders = () => send(`${origin}/orders/7`, { headers });
    const own = { params: { personId: mia.id, right: 'ORDERS_CHANGE', effect: 'grant' } } as const;
    await administer(setOwnRight, { ...own, body: { expiresAt: null, reason: '' } });
    expect(received(await orders()).headers['x-portico-rights']).toBe('MAP_VIEW,ORDERS_CHANGE');
    await administer(removeOwnRight, own);
    const refused = await orders();
    expect([refused.status, codeOf(refused)]).toEqual([403, 'RIGHT_MISSING']);
    // A person gets the page, which names the right.
    const page = await send(`${origin}/orders/7`, { headers: { ...headers, ...navigation } });
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(page.text).toContain('Change orders');

    const open = received(await send(`${origin}/help/`, { headers: spoofed(operator.id) }));
    expect(Object.keys(open.headers).filter((name) => /portico/.test(name))).toEqual([]);
    const authorization = `Bearer ${await addToken(app, { rights: ['REPORTS_READ'] })}`;
    const script = received(await send(`${origin}/api/orders`, { headers: { authorization } }));
    expect([script.headers['x-portico-rights'], script.headers.authorization]).toEqual([
      'REPORTS_READ',
      undefined,
    ]);
    const withKey = received(
      await send(`${origin}/api/orders`, { headers: { 'private-token': authorization.slice(7) } }),
    );
    expect([withKey.headers['x-portico-rights'], withKey.headers['private-token']]).toEqual([
      'REPORTS_READ',
      undefined,
    ]);
    const bare = await send(`${origin}/api/orders`, { headers });
    expect([bare.status, bare.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer/)]);
    await closes(origin, mia, operator, administer);
  });
});

describe('an application behind Caddy, as documented', () => {
  it('GATE-5: is reached by who may, knows who that is, and is closed by maintenance', async (context) => {
    context.skip(whyNot('caddy') !== null, whyNot('caddy') ?? '');
    const { app, application, port, origin, administer } = await besideEachOther('caddy');
    const operator = await signInThrough({ app, origin }, 'operator');
    const mia = await signInThrough({ app, origin }, 'member');
    expect(mia.ended).toBe(`200 ${place}`);
    await passesAndNames(app, origin, mia, operator);
    await streams(origin, port, mia, application.sockets);
    await believesNoHeader(origin, port, mia);
    await guardsEverySpelling(port, mia);
    await closes(origin, mia, operator, administer);
  });
});

describe('an application behind the ingress of nginx, as its controller writes the documented settings', () => {
  it('GATE-5, GATE-9: is reached by who may, whatever its client adds', async (context) => {
    context.skip(whyNot('nginx') !== null, whyNot('nginx') ?? '');
    const { app, port, origin } = await besideEachOther('ingress');
    const mia = await signInThrough({ app, origin }, 'member');
    expect(mia.ended).toBe(`200 ${place}`);
    const { cookie } = mia;
    const known = await send(`${origin}/tasks`, { headers: { cookie } });
    expect(received(known).headers['x-portico-user-id']).toBe(mia.id);
    for (const name of believed.filter((each) => !['X-Original-URL', 'X-Original-Method'].includes(each)))
      for (const value of ['/help/', 'evil.example', 'GET']) {
        const answer = await send(`${origin}/orders/7`, { headers: { cookie, [name]: value } });
        expect([name, answer.status]).toEqual([name, 403]);
        expect((await send(`${origin}/tasks`, { headers: { [name]: value } })).status).toBe(302);
      }
    await guardsEverySpelling(port, mia);
  });
});
