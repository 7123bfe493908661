import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getEmbed } from '#features/embed/contract/embed.ts';
import { getPerson, setBlocked } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { renewToken, setMapCookie, signOut } from '#features/session/contract/session.ts';
import { endApp, startApp, type TestApp } from './testing/app.ts';
import { openBrowser } from './testing/browser.ts';
import { createCookieJar } from './testing/client.ts';
import { contractRoutes, isForOtherOrigins, needsBearer, rightFor } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { oneEngine } from './testing/fresh-database.ts';
import { openLive } from './testing/live-events.ts';
import { movableClock } from './testing/movable-clock.ts';
import { sendRaw } from './testing/raw-request.ts';
import { bodyFor, request } from './testing/route-request.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';

const current = { params: { userId: 'current' } };
const routes = await contractRoutes();
const bearerRoutes = routes.filter(([, route]) => needsBearer(route));

async function block(operator: SignedIn, personId: string): Promise<void> {
  const params = { personId };
  const { version } = (await operator.call(getPerson, { params })).body;
  const { status } = await operator.call(setBlocked, { params, body: { blocked: true, version } });
  expect(status).toBe(200);
}

async function inAnotherBrowser(app: TestApp, { email, password }: SignedIn) {
  const browser = openBrowser(app.url);
  await browser.signIn({ email, password });
  return { browser, accessToken: (await browser.renew()).body.accessToken };
}

describe.each(oneEngine)('the edges of a session on %s', (engine) => {
  it('SES-2: two tabs whose token ends at the same time both go on with the same session, and both end with it', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const mia = await signIn(app);
    clock.move(5 * 60_000 + 1);
    expect((await mia.call(getProfile, current)).problem?.code).toBe('TOKEN_EXPIRED');
    const answers = await Promise.all(Array.from({ length: 8 }, () => mia.browser.renew()));
    const tokens = answers.map(({ body }) => body.accessToken);
    const sessions = tokens.map(
      (token) =>
        (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid,
    );
    expect(new Set(sessions).size).toBe(1);
    for (const accessToken of tokens)
      expect((await app.call(getProfile, current, { accessToken })).status).toBe(200);
    expect(await app.database.read.selectFrom('session').select('id').execute()).toHaveLength(1);

    clock.move(12 * 3_600_000);
    const late = await Promise.all([mia.browser.renew(), mia.browser.renew()]);
    expect(late.map(({ problem }) => problem?.code)).toEqual(['SESSION_ENDED', 'SESSION_ENDED']);
  });

  it('SES-7: a renewal during a sign-out restores nothing, in whichever order the two run', async () => {
    const app = await startApp({ engine });
    const mia = await signIn(app);
    for (const ahead of [0, 1, 2, 4]) {
      const { browser } = await inAnotherBrowser(app, mia);
      const stolen = browser.cookies.copy();
      const renew = () => app.call(renewToken, {}, { cookies: stolen.copy() });
      const before = Array.from({ length: ahead }, renew);
      const leaving = app.call(signOut, {}, { cookies: browser.cookies });
      const renewed = await Promise.all([...before, renew(), renew()]);
      expect((await leaving).status).toBe(200);
      // A token that was granted in time is worth nothing after the sign-out, and sets no cookie.
      for (const answer of renewed) {
        expect(answer.headers.getSetCookie()).toEqual([]);
        if (answer.status !== 200) continue;
        const { accessToken } = answer.body;
        expect((await app.call(getProfile, current, { accessToken })).problem?.code).toBe('SESSION_ENDED');
      }
      expect((await app.call(renewToken, {}, { cookies: stolen })).problem?.code).toBe('SESSION_ENDED');
    }
  });

  it('SES-7: a cookie that was copied is worth nothing after the sign-out, on any route', async () => {
    const app = await startApp({ engine });
    const mia = await signIn(app, { roles: ['operator'] });
    await mia.call(setMapCookie, {});
    const stolen = mia.browser.cookies.copy();
    const { accessToken } = mia;
    await app.call(signOut, {}, { cookies: mia.browser.cookies });
    const before = await dump(app.database);
    for (const [name, route] of routes.filter(([, { access }]) => access === 'session'))
      expect([name, (await request(app.url, route, { cookies: stolen, body: bodyFor(route) })).code]).toEqual(
        [name, 'SESSION_ENDED'],
      );
    for (const [name, route] of bearerRoutes) {
      const answer = await request(app.url, route, { cookies: stolen, accessToken, body: bodyFor(route) });
      expect([name, answer.code]).toEqual([name, 'SESSION_ENDED']);
    }
    expect(await dump(app.database)).toEqual(before);
    expect((await openBrowser(app.url, stolen).go('/auth/login')).path).toMatch(/^\/idp\/sign-in\//);
  });

  describe('of a blocked person', () => {
    let app: TestApp;
    let mia: SignedIn;
    let live: Awaited<ReturnType<typeof openLive>>;

    beforeAll(async () => {
      app = await startApp({ engine });
      const operator = await signIn(app, { roles: ['operator'] });
      mia = await signIn(app, { roles: ['operator'] });
      // All caches hold her data.
      await mia.call(getProfile, current);
      live = await openLive(app, mia.accessToken);
      await personalFlags(app, mia.accessToken);
      await block(operator, mia.id);
    });
    afterAll(() => endApp(app));

    it('SES-8: every stream ends, and states why where it can', async () => {
      await expect.poll(() => live.events().at(-1)).toEqual({ type: 'session-ended', reason: 'blocked' });
      await live.ended;
      expect((await personalFlags(app, mia.accessToken)).status).toBe(403);
    });

    it.each([...bearerRoutes])('SES-8: %s refuses her', async (_name, route) => {
      const { accessToken } = mia;
      const params = { userId: 'current' };
      const answer = await request(app.url, route, { accessToken, params, body: bodyFor(route) });
      expect(`${answer.status} ${answer.code}`).toBe('403 PERSON_BLOCKED');
    });

    it('SES-8: neither a renewal nor a sign-in signs her in again', async () => {
      expect((await mia.browser.renew()).problem?.code).toMatch(/^(SESSION_ENDED|PERSON_BLOCKED)$/);
      const { path } = await openBrowser(app.url).signIn(mia);
      expect(path).toBe('/auth/failed?reason=blocked');
    });
  });
});

describe('a call that another site causes', () => {
  let app: TestApp;
  let mia: SignedIn;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    app = await startApp({ engine: 'sqlite' });
    mia = await signIn(app, { roles: ['operator'] });
    before = await dump(app.database);
  });
  afterAll(() => endApp(app));

  const foreign: [string, Record<string, string>][] = [
    ['a form', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'x-portico': '' }],
    ['a script', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a page without an origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['a page of the same site', { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' }],
    ['an old browser', { 'x-portico': '' }],
  ];

  // The browser sends its cookies to every route, whichever of them looks at one: so every one is walked.
  it.each(routes)('SES-2: on %s has no effect', async (_name, route) => {
    for (const [how, headers] of foreign) {
      const cookies = mia.browser.cookies.copy();
      const answer = await request(app.url, route, { cookies, headers, body: bodyFor(route) });
      // One looks at the cookie only of calls that have the header of Portico's own.
      const asks = route.path === getEmbed.path && 'x-portico' in headers;
      expect([how, answer.code === 'CROSS_SITE']).toEqual([how, route.access === 'session' || asks]);
      // No answer that another origin could read carries a credential.
      expect([how, answer.headers.get('access-control-allow-credentials')]).toEqual([how, null]);
      const readable = !isForOtherOrigins(route) && answer.headers.has('access-control-allow-origin');
      expect([how, readable]).toEqual([how, false]);
      expect([how, /"accessToken":"/.test(answer.text)]).toEqual([how, false]);
      const set = answer.headers.getSetCookie().filter((cookie) => /session/.test(cookie));
      expect([how, set]).toEqual([how, []]);
    }
  });

  it('SES-2: all of them together have had none', async () => {
    // The map cookies aside: a route removes one by its own right, which has nothing to lose (SES-5).
    const { map_cookie: _map, ...rest } = before;
    expect(await dump(app.database)).toMatchObject(rest);
    expect((await mia.browser.renew()).status).toBe(200);
  });

  it('SES-2: no cookie stands for a bearer, on any route', async () => {
    for (const [name, route] of bearerRoutes) {
      const { cookies } = mia.browser;
      const answer = await request(app.url, route, {
        cookies,
        headers: { 'x-portico': '1' },
        body: bodyFor(route),
      });
      expect([name, answer.code]).toEqual([name, 'UNAUTHENTICATED']);
    }
  });

  it('SES-2: no preflight lets a foreign page send the header or the cookie', async () => {
    for (const [name, route] of routes) {
      const answer = await fetch(`${app.url}${route.path}`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': route.method,
          'access-control-request-headers': 'x-portico',
        },
      });
      expect([name, answer.headers.get('access-control-allow-credentials')]).toEqual([name, null]);
      expect([name, answer.headers.get('access-control-allow-headers') ?? '']).not.toContain('x-portico');
    }
  });
});

describe('an access token that is no good', () => {
  it('SES-2: is refused whatever its size and form, with one answer and no trace of it in the log', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const { accessToken } = await signIn(app);
    const [head = '', body = '', signature = ''] = accessToken.split('.');
    const odd = [
      'x',
      '.'.repeat(1_000),
      `${accessToken}.${signature}`,
      `${head}..${signature}`,
      `${head}.${'A'.repeat(10_000)}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.${signature}`,
      `${Buffer.from('[]').toString('base64url')}.${body}.${signature}`,
      accessToken.toUpperCase(),
    ];
    for (const each of odd) {
      const { status, problem } = await app.call(getProfile, current, { accessToken: each });
      expect([each.slice(0, 40), status, problem?.code]).toEqual([each.slice(0, 40), 401, 'TOKEN_INVALID']);
    }
    // More than a header may hold is refused before any route sees it.
    const much = await sendRaw(
      app.config.port,
      `GET /v1/users/current/profile HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'a'.repeat(100_000)}\r\nConnection: close\r\n\r\n`,
    );
    expect(much.status).toBe(431);
    expect((await app.call(getProfile, current, { accessToken })).status).toBe(200);
    expect(JSON.stringify(app.log)).not.toContain(body);
    expect(app.log.filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('SES-2: a broken cookie of any size or form names no session', async () => {
    const app = await startApp({ engine: 'sqlite' });
    const mia = await signIn(app);
    const name = /(\w*portico_session\w*)=/.exec(mia.browser.cookies.header('/'))?.[1] ?? '';
    for (const value of [
      '',
      'x',
      'a'.repeat(43),
      'a'.repeat(4_000),
      '%00',
      '"quoted"',
      '=;=',
      mia.accessToken,
    ]) {
      const cookies = createCookieJar([{ name, value, path: '/' }]);
      expect([value.slice(0, 9), (await app.call(renewToken, {}, { cookies })).problem?.code]).toEqual([
        value.slice(0, 9),
        'SESSION_ENDED',
      ]);
    }
    expect((await mia.browser.renew()).status).toBe(200);
  });
});

/** The payload that is made for a person; its stream holds no more than that something has changed. */
async function personalFlags(app: TestApp, accessToken: string): Promise<Response> {
  const { key } = await app.database.read
    .selectFrom('client_key')
    .select('key')
    .where('kind', '=', 'personal')
    .executeTakeFirstOrThrow();
  return fetch(`${app.url}/api/features/${key}`, { headers: { authorization: `Bearer ${accessToken}` } });
}

// Both walks go over the whole contract.
it('SES-8: the walk covers every route with a right', () => {
  const guarded = routes.filter(([, { access }]) => rightFor(access) !== null);
  expect(guarded.every(([name]) => bearerRoutes.some(([walked]) => walked === name))).toBe(true);
});
