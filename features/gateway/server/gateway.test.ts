import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listFlags } from '#features/flags/contract/flags.ts';
import { listApplications } from '#features/gateway/contract/gateway.ts';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { addRole, listRights } from '#features/permissions/contract/administration.ts';
import { signOut } from '#features/session/contract/session.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { addToken } from '#server/testing/people.ts';
import { openBrowser } from '#server/testing/browser.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html', 'accept-language': 'de' };

/** An application that shows what it received, and holds WebSockets and event streams open. */
async function startApplication() {
  const server = createServer(({ url, headers }: IncomingMessage, response: ServerResponse) => {
    if (url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    } else if (url?.startsWith('/files/') === true) response.end('file');
    else response.end(JSON.stringify({ url, ...headers }));
  });
  const peers = new WebSocketServer({ server });
  peers.on('connection', (peer) => peer.send('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const peer of peers.clients) peer.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('an application behind Portico', () => {
  let app: TestApp;
  let origin: string;
  let application: Awaited<ReturnType<typeof startApplication>>;
  let operator: SignedIn;
  let ada: SignedIn;

  beforeAll(async () => {
    application = await startApplication();
    const file = readUpstreams(
      JSON.stringify({
        upstreams: [
          {
            name: 'pumps',
            url: application.url,
            rules: [
              { path: '/files', access: 'public' },
              { path: '/open', access: 'public', whileClosed: true },
              { path: '/reports', right: 'PUMP_REPORTS' },
              { path: '/api', access: 'token' },
              { path: '/lost', right: 'LOST' },
            ],
          },
        ],
        rights: [{ right: 'PUMP_REPORTS', label: 'Reports of pumps', area: 'Pumps' }],
        flags: [{ key: 'NEW_PUMP', value: true }],
      }),
    ) as UpstreamsFile;
    app = await startApp({ engine: 'sqlite', config: { basePath: '/portico', ...file } });
    ({ origin } = new URL(app.url));
    operator = await signIn(app, { roles: ['operator'], firstName: 'Olga', lastName: 'Ops' });
    ada = await signIn(app, { roles: ['member'] });
    return async () => {
      await endApp(app);
      application.stop();
    };
  });

  /** `fetch` would declare itself a script. */
  async function ask(
    path: string,
    headers: Record<string, string> = {},
    person: SignedIn | null = ada,
    method = 'GET',
  ): Promise<Response> {
    const cookie = person?.browser.cookies.header('/') ?? '';
    const sent = request(new URL(path, origin), { method, headers: { ...headers, cookie } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode = 0, rawHeaders } = answer;
    const received = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2)
      received.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
    const body = statusCode === 303 ? null : (Readable.toWeb(answer) as ReadableStream);
    return new Response(body, { status: statusCode, headers: received });
  }

  const maintenance = (mode: 'off' | 'read-only' | 'full') => changeMaintenance(operator, { mode });

  async function roles(
    person: SignedIn,
    given: Parameters<typeof operator.call<typeof setRoles>>[1]['body']['roles'],
  ): Promise<void> {
    const params = { personId: person.id };
    const { version } = (await operator.call(getPerson, { params })).body;
    expect((await operator.call(setRoles, { params, body: { roles: given, version } })).status).toBe(200);
  }

  async function openSocket(path: string, person: SignedIn, from = origin): Promise<WebSocket> {
    const cookie = person.browser.cookies.header('/');
    const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers: { cookie, origin: from } });
    socket.on('error', () => undefined);
    await once(socket, 'message');
    return socket;
  }

  it('GATE-1: receives who calls, without the session, and its answer reaches the person', async () => {
    const received = (await (await ask('/x?y=1')).json()) as Record<string, string>;
    expect(received).toMatchObject({
      url: '/x?y=1',
      'x-portico-email': ada.email,
      'x-forwarded-proto': 'http',
      'portico-assertion': expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    });
    expect(received['cookie']).toBeUndefined();
  });

  it('GATE-1: sends a person to the sign-in and back to the same address, and refuses a script with 401', async () => {
    const page = await ask('/reports/1?a=b&c', navigation, null);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `/portico/auth/login?returnTo=${encodeURIComponent('/reports/1?a=b&c')}`,
    ]);
    const person = await signIn(app);
    const way = openBrowser(app.url).signIn(person, '/reports/1?a=b&c');
    // The browser of the tests stays below the base path.
    await expect(way).rejects.toThrow(`It leads to ${origin}/reports/1?a=b&c.`);
    const script = await ask('/x', { 'sec-fetch-mode': 'cors' }, null);
    expect([script.status, script.headers.get('content-type'), await script.json()]).toEqual([
      401,
      'application/problem+json',
      expect.objectContaining({ code: 'UNAUTHENTICATED' }),
    ]);
    expect(await (await ask('/files/x', {}, null)).text()).toBe('file');
  });

  it('GATE-1: a form that a signed-out person sends is answered by a page, never by a redirect that loses it', async () => {
    const from = { ...navigation, 'sec-fetch-site': 'same-origin', referer: `${origin}/forms/7?x=1` };
    const page = await ask('/save?y=2', from, null, 'POST');
    const html = await page.text();
    expect([page.status, page.headers.get('location'), page.headers.get('www-authenticate')]).toEqual([
      401,
      null,
      'Bearer',
    ]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(html).toMatch(/id="signed-out".*id="form".*id="send-again"/);
    expect(html).toContain('/portico/auth/login?returnTo=%2Fforms%2F7%3Fx%3D1');
    expect(html).not.toMatch(/id="(?:read-only|closed|no-form)"|http-equiv="refresh"/);
    // After a reload, a form of another site would count as one of this site.
    const foreign = await ask('/save', { ...navigation, 'sec-fetch-site': 'cross-site' }, null, 'POST');
    expect([foreign.status, await foreign.text()]).toEqual([
      403,
      expect.not.stringContaining('id="send-again"'),
    ]);
    const script = await ask('/save', { 'sec-fetch-mode': 'cors' }, null, 'POST');
    expect([script.status, ((await script.json()) as { code: string }).code]).toEqual([
      401,
      'UNAUTHENTICATED',
    ]);
    // Nor does a form of another site on a path that maintenance leaves open.
    await maintenance('full');
    try {
      const open = await ask('/files/x', { ...navigation, 'sec-fetch-site': 'cross-site' }, null, 'POST');
      expect([open.status, await open.text()]).toEqual([503, expect.not.stringContaining('id="send-again"')]);
      const closed = await ask('/save', from, ada, 'POST');
      expect([closed.status, await closed.text()]).toEqual([
        503,
        expect.stringMatching(/gateway\.de.*id="closed".*id="form".*id="send-again"/s),
      ]);
      expect(await (await ask('/save', navigation, ada)).text()).toContain('maintenance.de');
    } finally {
      await maintenance('off');
    }
  });

  it('GATE-1: takes tokens where a rule says so, and keeps them from the application', async () => {
    const token = await addToken(app, { rights: ['FLAGS_READ'] });
    const answer = await ask('/api/x', { authorization: `Bearer ${token}` }, null);
    const received = (await answer.json()) as Record<string, string>;
    expect([received['authorization'], received['x-portico-rights']]).toEqual([undefined, 'FLAGS_READ']);
    expect((await ask('/api/x', navigation)).status).toBe(401);
  });

  it('GATE-2: a page without its right says which one, and whom to ask, in the language of the person', async () => {
    const page = await ask('/reports', navigation);
    const html = await page.text();
    expect(page.status).toBe(403);
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('Reports of pumps');
    expect(html).toContain('Olga Ops');
    expect(html).not.toMatch(/__DOWN__|__READ_ONLY__|__WHOM_UNKNOWN__/);
    expect(html).toContain('href="/portico/favicon.svg');
  });

  it('GATE-1: a WebSocket ends with its right, its session, and from another site never begins', async () => {
    expect(
      (
        await operator.call(addRole, {
          body: { role: 'pump-reader', name: 'Reader', description: '', rights: ['PUMP_REPORTS'] },
        })
      ).status,
    ).toBe(201);
    const person = await signIn(app, { roles: ['member'] });
    await roles(person, ['member', 'pump-reader']);
    const guarded = await openSocket('/reports/live', person);
    const other = await openSocket('/live', person);
    const lost = once(guarded, 'close');
    await roles(person, ['member']);
    await lost;
    expect(other.readyState).toBe(WebSocket.OPEN);

    const evil = new WebSocket(`${origin.replace('http', 'ws')}/live`, {
      headers: { cookie: person.browser.cookies.header('/'), origin: 'https://evil.example' },
    });
    const [, refusal] = (await once(evil, 'unexpected-response')) as [unknown, IncomingMessage];
    expect([refusal.statusCode, await text(refusal)]).toEqual([403, expect.stringContaining('CROSS_SITE')]);

    const events = await ask('/events', {}, person);
    const ended = once(other, 'close');
    await app.call(signOut, {}, { cookies: person.browser.cookies });
    await ended;
    await expect(events.text()).rejects.toThrow('aborted');
  });

  it('GATE-2: full maintenance closes pages, calls and streams, and lets through whom and what it shall', async () => {
    const [adas, operators] = [await openSocket('/live', ada), await openSocket('/live', operator)];
    const closed = once(adas, 'close');
    await maintenance('full');
    try {
      const page = await ask('/x', navigation);
      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('maintenance.de');
      const call = await ask('/x');
      expect([call.status, await call.json()]).toEqual([
        503,
        expect.objectContaining({ code: 'MAINTENANCE' }),
      ]);
      expect(call.headers.get('retry-after')).toMatch(/^\d+$/);
      expect((await ask('/open/x', {}, null)).status).toBe(200);
      expect((await ask('/files/x', {}, null)).status).toBe(503);
      expect((await ask('/x', {}, operator)).status).toBe(200);
      await closed;
      expect(operators.readyState).toBe(WebSocket.OPEN);
      await maintenance('read-only');
      expect((await ask('/x', navigation)).status).toBe(200);
      const form = await ask('/x', { ...navigation, 'sec-fetch-site': 'same-origin' }, ada, 'POST');
      expect([form.status, await form.text()]).toEqual([503, expect.stringContaining('gateway.de')]);
    } finally {
      await maintenance('off');
    }
    expect((await ask('/x', {}, ada, 'POST')).status).toBe(200);
    operators.terminate();
  });

  it('GATE-1: an upload that goes on has no end, and Portico’s own keep theirs', () => {
    expect(app.fastify.server.requestTimeout).toBe(0);
    expect(app.fastify.server.headersTimeout).toBeGreaterThan(0);
  });

  it('GATE-4: rights and flags of the file are there, and a start adds them once', async () => {
    const { rights } = (await operator.call(listRights, {})).body;
    expect(rights.find(({ right }) => right === 'PUMP_REPORTS')).toMatchObject({ label: 'Reports of pumps' });
    const { flags } = (await operator.call(listFlags, {})).body;
    expect(flags.filter(({ key }) => key === 'NEW_PUMP')).toEqual([
      expect.objectContaining({ type: 'boolean', defaultValue: true, enabled: true }),
    ]);
  });

  it('GATE-4: an archived flag of the file stays archived, and the next start does not fail', async () => {
    const registered = { rights: [], flags: [{ key: 'NEW_PUMP', description: '', value: true }] };
    const first = await startApp({ engine: 'sqlite', config: { registered } });
    await first.database.transaction((tx) => tx.updateTable('flag').set({ archived_at: 1 }).execute());
    await first.stop();
    const again = await startApp({ after: first });
    expect(await again.database.read.selectFrom('flag').select(['key', 'archived_at']).execute()).toEqual([
      { key: 'NEW_PUMP', archived_at: 1 },
    ]);
  });

  it('GATE-1: operators see the applications and their rules, also a right that no one can have', async () => {
    const { applications } = (await operator.call(listApplications, {})).body;
    expect(applications).toEqual([
      expect.objectContaining({
        name: 'pumps',
        url: application.url,
        host: null,
        path: '/',
        audience: 'pumps',
      }),
    ]);
    const known = applications[0]?.rules.map(({ path, rightIsKnown }) => [path, rightIsKnown]);
    expect(known).toContainEqual(['/reports', true]);
    expect(known).toContainEqual(['/lost', false]);
    const member = await signIn(app, { roles: ['member'] });
    expect((await member.call(listApplications, {})).problem?.code).toBe('RIGHT_MISSING');
    expect(
      app.log.some(({ msg }) => msg === 'rules of applications take rights that are in no catalogue'),
    ).toBe(true);
  });
});
