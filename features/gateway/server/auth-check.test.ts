import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { erasePerson, previewErasure } from '#features/erasure/contract/erasure.ts';
import { getPerson, setBlocked, setRoles } from '#features/people/contract/people.ts';
import { addRight, removeOwnRight, setOwnRight } from '#features/permissions/contract/administration.ts';
import { getProfile, updateProfile } from '#features/profile/contract/profile.ts';
import { signOut } from '#features/session/contract/session.ts';
import { onlyUpstream, type Upstream } from '#server/config-upstreams.ts';
import { plainGuard } from '#server/platform/http/paths.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { expiredToken, forgedTokens } from '#server/testing/forged-tokens.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const minute = 60_000;

type Asked = {
  cookie?: string;
  uri?: string;
  method?: string;
  query?: string;
  headers?: Record<string, string>;
};

/** As nginx asks, by the documented configuration. */
function ask(
  app: TestApp,
  { cookie = '', uri = '/orders?page=2', method = 'GET', query = '', headers = {} }: Asked,
) {
  return send(`${app.url}/auth/check${query}`, {
    'x-portico-check-secret': secret,
    'x-original-uri': uri,
    'x-original-method': method,
    ...(cookie === '' ? {} : { cookie }),
    ...headers,
  });
}

/** Without the headers that `fetch` adds. */
function send(url: string, headers: Record<string, string>): Promise<Response> {
  return new Promise((done, fail) => {
    const request = get(url, { headers }, (response) => {
      text(response).then((body) => {
        const given = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        done(new Response(body === '' ? null : body, { status: response.statusCode ?? 0, headers: given }));
      }, fail);
    });
    request.on('error', fail);
  });
}

/** As Traefik and Caddy ask. */
function askForwarded(
  app: TestApp,
  { uri = '/orders?page=2', method = 'GET', headers = {}, ...asked }: Asked,
) {
  return ask(app, {
    ...asked,
    headers: {
      'x-original-uri': '',
      'x-original-method': '',
      'x-forwarded-uri': uri,
      'x-forwarded-method': method,
      ...headers,
    },
  });
}

const cookieOf = ({ browser }: SignedIn) => browser.cookies.header('/');
const codeOf = async (answer: Response) => ((await answer.json()) as { code: string }).code;
const outcome = async (answer: Promise<Response>) => {
  const given = await answer;
  return given.ok ? given.status : `${given.status} ${await codeOf(given)}`;
};

const reports: Upstream = {
  ...onlyUpstream(new URL('http://127.0.0.1:9')),
  name: 'reports',
  audience: 'the reports',
  path: '/reports/',
  rules: [
    { ...plainGuard, path: '/reports/admin', right: 'SETTINGS_WRITE' },
    { ...plainGuard, path: '/reports/help', access: 'public', whileClosed: true },
  ],
};

const secret = 'f0e1d2c3b4a5968778695a4b3c2d1e0ff0e1d2c3';
const config = { trustProxy: 1, authCheckSecrets: [secret] };

/** Changes a person as an operator, at the version that is there. */
async function changePerson(
  operator: SignedIn,
  personId: string,
  change: { roles: string[] } | { blocked: boolean },
) {
  const params = { personId };
  const { version } = (await operator.call(getPerson, { params })).body;
  const { status } =
    'roles' in change
      ? await operator.call(setRoles, { params, body: { ...change, version } })
      : await operator.call(setBlocked, { params, body: { ...change, version } });
  expect(status).toBe(200);
}

describe('what a proxy asks', () => {
  it('GATE-5: is answered by who is signed in, for each kind of request and proxy', async () => {
    const app = await startApp({ engine: 'sqlite', config });
    const operator = await signIn(app, { roles: ['operator'], firstName: 'Zoë', lastName: 'Øst' });
    const cookie = cookieOf(operator);

    const toSignIn = await ask(app, { headers: navigation });
    const signInAt = `${app.config.publicUrl}/auth/login?returnTo=%2Forders%3Fpage%3D2`;
    expect([toSignIn.status, toSignIn.headers.get('location')]).toEqual([401, signInAt]);
    const redirected = await askForwarded(app, { headers: navigation });
    expect([redirected.status, redirected.headers.get('location')]).toEqual([303, signInAt]);
    for (const asked of [ask(app, {}), askForwarded(app, {})]) {
      const refused = await asked;
      expect([refused.status, refused.headers.get('location'), await codeOf(refused)]).toEqual([
        401,
        null,
        'UNAUTHENTICATED',
      ]);
    }

    const form = {
      ...navigation,
      'sec-fetch-site': 'same-origin',
      referer: `${app.config.publicUrl}/forms/7`,
    };
    const page = await askForwarded(app, { method: 'POST', headers: form });
    expect([page.status, page.headers.get('location')]).toEqual([401, null]);
    expect(await page.text()).toMatch(
      /id="signed-out".*id="send-again".*\/auth\/login\?returnTo=%2Fforms%2F7</s,
    );
    const byNginx = await ask(app, { method: 'POST', headers: form });
    expect(byNginx.headers.get('location')).toBe(`${app.config.publicUrl}/auth/login?returnTo=%2Fforms%2F7`);

    const passed = await ask(app, { cookie });
    expect([passed.status, passed.headers.get('cache-control')]).toEqual([204, 'no-store']);
    expect(passed.headers.get('x-portico-user-id')).toBe(operator.id);
    expect(passed.headers.get('x-portico-email')).toBe(operator.email);
    expect(decodeURIComponent(passed.headers.get('x-portico-name') ?? '')).toBe('Zoë Øst');
    expect(passed.headers.get('x-portico-roles')).toBe('operator');
    expect(passed.headers.get('x-portico-rights')?.split(',')).toContain('PEOPLE_WRITE');
    const assertion = passed.headers.get('portico-assertion') ?? '';
    const keys = createRemoteJWKSet(new URL(`${app.url}/.well-known/jwks.json`));
    const { payload } = await jwtVerify(assertion, keys, {
      issuer: app.config.publicUrl,
      audience: 'application',
      requiredClaims: ['exp', 'iat', 'sub'],
    });
    expect(payload).toMatchObject({
      sub: operator.id,
      kind: 'person',
      email: operator.email,
      name: 'Zoë Øst',
      roles: ['operator'],
      rights: passed.headers.get('x-portico-rights')?.split(','),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60);
    // What an application holds of a person opens nothing here.
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    const asBearer = await app.call(
      getProfile,
      { params: { userId: 'current' } },
      { accessToken: assertion },
    );
    expect(asBearer.problem?.code).toBe('TOKEN_INVALID');
    // The answers from memory and from the route are the same.
    const again = await askForwarded(app, { cookie });
    expect(again.headers.get('portico-assertion')).toBe(assertion);
    expect(again.headers.get('x-portico-rights')).toBe(passed.headers.get('x-portico-rights'));
    expect((await ask(app, { cookie, query: '?audience=orders' })).headers.get('portico-assertion')).not.toBe(
      assertion,
    );
  });

  it('GATE-5, GATE-6: is answered at the host of an application by the cookie of that host, and the sign-in begins there', async () => {
    const there = { ...reports, host: 'reports.localhost', path: '/' };
    const app = await startApp({ engine: 'sqlite', config: { ...config, upstreams: [there] } });
    const cookie = cookieOf(await signIn(app));
    expect((await ask(app, { cookie })).status).toBe(204);
    const at = app.config.origin.replace('localhost', there.host);
    for (const host of [there.host, `${there.host}:${app.config.port}`]) {
      const headers = { ...navigation, 'x-forwarded-host': host };
      const refused = await ask(app, { cookie, headers });
      expect([refused.status, refused.headers.get('location')]).toEqual([
        401,
        `${at}/auth/login?returnTo=%2Forders%3Fpage%3D2`,
      ]);
    }
    const headers = { ...navigation, 'x-forwarded-host': 'evil.example.org' };
    expect(await outcome(ask(app, { headers }))).toBe('421 UNKNOWN_HOST');
  });

  it('GATE-6, GATE-9: gives at the host of an application the audience of that application alone', async () => {
    const shop = { ...reports, name: 'shop', audience: 'shop', host: 'shop.localhost', path: '/', rules: [] };
    const wiki = { ...shop, name: 'wiki', audience: 'wiki', host: 'wiki.localhost' };
    const main = { ...shop, name: 'main', audience: 'main', host: null };
    const app = await startApp({ engine: 'sqlite', config: { ...config, upstreams: [shop, wiki, main] } });
    const token = await addToken(app, { rights: ['REPORTS_READ'] });
    const audienceAt = async (host: string, query: string) => {
      const headers = { 'x-forwarded-host': host, authorization: `Bearer ${token}` };
      const answer = await ask(app, { query, headers });
      return answer.ok ? decodeJwt(answer.headers.get('portico-assertion') ?? '').aud : await codeOf(answer);
    };
    expect(await audienceAt('shop.localhost', '?access=token')).toBe('shop');
    expect(await audienceAt('shop.localhost', '?access=token&audience=shop')).toBe('shop');
    expect(await audienceAt('localhost', '?access=token&audience=other')).toBe('other');
    expect(await audienceAt('localhost', '?access=token&audience=main')).toBe('main');
    for (const audience of ['wiki', 'main', 'application', 'other', 'map-server', 'portico'])
      expect([audience, await audienceAt('shop.localhost', `?access=token&audience=${audience}`)]).toEqual([
        audience,
        'INVALID_REQUEST',
      ]);
    for (const audience of ['wiki', 'shop', 'map-server'])
      expect(await audienceAt('localhost', `?access=token&audience=${audience}`)).toBe('INVALID_REQUEST');
    const named = async (host: string, upstream: string) =>
      outcome(ask(app, { query: `?upstream=${upstream}`, headers: { 'x-forwarded-host': host } }));
    const signedOut = '401 UNAUTHENTICATED';
    expect(await named('shop.localhost', 'shop')).toBe(signedOut);
    expect(await named('localhost', 'main')).toBe(signedOut);
    for (const [host, upstream] of [
      ['shop.localhost', 'wiki'],
      ['shop.localhost', 'main'],
      ['localhost', 'shop'],
    ] as const)
      expect([host, upstream, await named(host, upstream)]).toEqual([host, upstream, '400 INVALID_REQUEST']);
  });

  it('GATE-9: answers the proxy that shows the secret, and no page of an application', async () => {
    const others = [
      'another secret, of another length',
      `${secret}x`,
      secret.slice(1),
      `${secret}, ${secret}`,
      '',
    ];
    const next = 'next-secret-of-this-proxy-0123456789abcdef';
    const app = await startApp({
      engine: 'sqlite',
      config: { ...config, authCheckSecrets: [secret, next] },
    });
    const mia = await signIn(app, { roles: ['member'] });
    const cookie = cookieOf(mia);
    for (const shown of [secret, next])
      expect(await outcome(ask(app, { cookie, headers: { 'x-portico-check-secret': shown } }))).toBe(204);
    for (const shown of others)
      for (const query of ['', '?audience=wiki', '?access=public', '?refused=1'])
        expect(await outcome(ask(app, { cookie, query, headers: { 'x-portico-check-secret': shown } }))).toBe(
          '403 AUTH_CHECK_REFUSED',
        );
    const warned = app.log.filter(({ level, msg }) => level === 40 && msg.includes('/auth/check'));
    expect(warned).toHaveLength(1);
    expect(JSON.stringify(app.log)).not.toContain(secret);

    const without = await startApp({ engine: 'sqlite', config: { trustProxy: 1 } });
    expect(await outcome(ask(without, {}))).toBe('403 AUTH_CHECK_REFUSED');
    expect(without.log.map(({ msg }) => msg)).toContainEqual(
      expect.stringContaining('AUTH_CHECK_SECRET is not set'),
    );
  });

  it('GATE-5: refuses what a client adds to the headers of its proxy, and takes the header that is configured', async () => {
    const wiki = { ...reports, name: 'wiki', audience: 'wiki', host: 'wiki.localhost', path: '/' };
    const app = await startApp({ engine: 'sqlite', config: { ...config, upstreams: [reports, wiki] } });
    const mia = await signIn(app, { roles: ['member'] });
    const cookie = cookieOf(mia);
    const own = new URL(app.config.publicUrl).host;
    // As the ingress of nginx asks, which calls Portico by another name than its client.
    const byUrl = (address: string, headers: Record<string, string> = {}, query = '') =>
      outcome(
        ask(app, {
          cookie,
          uri: '',
          query,
          headers: { host: 'portico.default.svc:3000', 'x-original-url': address, ...headers },
        }),
      );
    expect(await byUrl(`http://${own}/orders?a=b`)).toBe(204);
    expect(await byUrl(`https://localhost/reports/admin/x`, {}, '?upstream=reports')).toBe(
      '403 RIGHT_MISSING',
    );
    const refused = '400 INVALID_REQUEST';
    for (const uri of ['/reports/help', '/reports/admin/x, /reports/help'])
      for (const name of ['x-original-uri', 'x-forwarded-uri']) {
        const added = { [name]: uri, 'x-forwarded-method': 'GET' };
        expect(await byUrl(`http://${own}/reports/admin/x`, added, '?upstream=reports')).toBe(refused);
      }
    for (const address of [
      '/orders',
      `http://${own}`,
      `http://a@${own}/`,
      `http://${own}?x=/orders`,
      'http:///orders',
    ])
      expect([address, await byUrl(address)]).toEqual([address, refused]);
    expect(await byUrl(`http://${own}, http://evil.example.org/orders`)).toBe('421 UNKNOWN_HOST');
    expect(await byUrl('http://evil.example.org/orders')).toBe('421 UNKNOWN_HOST');
    for (const other of ['wiki.localhost', 'evil.example.org'])
      expect(await byUrl(`http://${own}/orders`, { 'x-forwarded-host': other })).toBe('421 UNKNOWN_HOST');

    const configured = await startApp({
      engine: 'sqlite',
      config: { ...config, authCheckHeader: 'x-original-url' },
    });
    expect(await outcome(ask(configured, {}))).toBe(refused);
    const url = { 'x-original-url': `http://localhost/orders?page=2` };
    expect(await outcome(ask(configured, { headers: url }))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask(configured, { uri: '/help', headers: url }))).toBe(refused);
  });

  it('GATE-1, GATE-5: a right, a role and a name that change are in the next answer, and so are a block and an end', async () => {
    const app = await startApp({
      engine: 'sqlite',
      config: { ...config, upstreams: [reports] },
    });
    const operator = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app, { roles: ['member'] });
    const cookie = cookieOf(mia);
    const label = { label: 'Change orders', description: '', area: 'Orders' };
    await operator.call(addRight, { body: { right: 'ORDERS_CHANGE', ...label } });
    const orders = () => ask(app, { cookie, query: '?right=ORDERS_CHANGE' });
    const asserted = async () =>
      decodeJwt((await ask(app, { cookie })).headers.get('portico-assertion') ?? '');
    const own = { params: { personId: mia.id, right: 'ORDERS_CHANGE', effect: 'grant' } } as const;

    const missing = await orders();
    expect([missing.status, await missing.json()]).toMatchObject([
      403,
      { code: 'RIGHT_MISSING', detail: 'The right ORDERS_CHANGE is needed.' },
    ]);
    expect((await asserted())['rights']).toEqual(['MAP_VIEW']);
    await operator.call(setOwnRight, { ...own, body: { expiresAt: null, reason: '' } });
    expect(await outcome(orders())).toBe(204);
    expect((await asserted())['rights']).toEqual(['MAP_VIEW', 'ORDERS_CHANGE']);
    await operator.call(removeOwnRight, own);
    expect(await outcome(orders())).toBe('403 RIGHT_MISSING');
    expect((await asserted())['rights']).toEqual(['MAP_VIEW']);

    const ofReports = (uri: string) => outcome(ask(app, { cookie, uri, query: '?upstream=reports' }));
    expect(await ofReports('/reports/')).toBe(204);
    expect(await ofReports('/reports/admin/people')).toBe('403 RIGHT_MISSING');
    expect(await ofReports('/reports/x/../admin')).toBe('400 INVALID_REQUEST');
    expect(await ofReports('/orders')).toBe('400 INVALID_REQUEST');
    const copy = { method: 'COPY', headers: { destination: 'https://a/reports/admin/x' } };
    expect(await outcome(ask(app, { cookie, uri: '/reports/x', query: '?upstream=reports', ...copy }))).toBe(
      '400 INVALID_REQUEST',
    );
    expect(await outcome(ask(app, { uri: '/reports/help', query: '?upstream=reports' }))).toBe(204);
    await changePerson(operator, mia.id, { roles: ['member', 'support'] });
    expect((await asserted())['roles']).toEqual(['member', 'support']);
    const current = { params: { userId: 'current' } } as const;
    const { version } = (await mia.call(getProfile, current)).body;
    const profile = { firstName: 'Mia', lastName: 'Two', phone: '', organisation: '', jobTitle: '' };
    const rest = { locale: null, timeZone: null, avatar: null, version };
    await mia.call(updateProfile, { ...current, body: { ...profile, ...rest } });
    expect((await asserted())['name']).toBe('Mia Two');

    await changePerson(operator, mia.id, { blocked: true });
    expect((await ask(app, { cookie })).ok).toBe(false);
    // A public path is open to everyone, who is named only while they may sign in.
    const anonymous = await ask(app, { cookie, uri: '/reports/help', query: '?upstream=reports' });
    expect([anonymous.status, anonymous.headers.get('portico-assertion')]).toEqual([204, '']);
    const sam = await signIn(app, { roles: ['member'] });
    expect(await outcome(ask(app, { cookie: cookieOf(sam) }))).toBe(204);
    const params = { personId: sam.id };
    const { erasedReports } = (await operator.call(previewErasure, { params })).body;
    const erased = await operator.call(erasePerson, {
      params,
      body: { confirmation: sam.email, reports: erasedReports },
    });
    expect(erased.status).toBe(200);
    expect(await outcome(ask(app, { cookie: cookieOf(sam) }))).toBe('401 UNAUTHENTICATED');
    const before = cookieOf(operator);
    expect(await outcome(ask(app, { cookie: before }))).toBe(204);
    await operator.call(signOut, {});
    expect(await outcome(ask(app, { cookie: before }))).toBe('401 UNAUTHENTICATED');
  });

  it('GATE-8: is answered with an application’s own names for the caller, also where there is none', async () => {
    const identityHeaders = { 'Remote-User': 'email', 'X-WEBAUTH-NAME': 'name' } as const;
    const [own, other] = [
      { ...reports, identityHeaders },
      { ...reports, name: 'other', path: '/other/' },
    ];
    const app = await startApp({ engine: 'sqlite', config: { ...config, upstreams: [own, other] } });
    const person = await signIn(app, { firstName: 'Zoë', lastName: 'Øst' });
    const cookie = cookieOf(person);
    const names = async (uri: string, upstream: string, signedIn = true) => {
      const query = `?upstream=${upstream}`;
      // From memory, and by the route, where they are not remembered yet.
      const answers = [1, 2].map(() => ask(app, { uri, query, ...(signedIn ? { cookie } : {}) }));
      const [first, second] = await Promise.all(answers);
      const shown = (answer?: Response) => [
        answer?.headers.get('remote-user'),
        answer?.headers.get('x-webauth-name'),
      ];
      expect(shown(second)).toEqual(shown(first));
      return shown(first);
    };
    expect(await names('/reports/x', 'reports')).toEqual([person.email, 'Zo%C3%AB%20%C3%98st']);
    expect(await names('/other/x', 'other')).toEqual([null, null]);
    expect(await names('/reports/x', 'reports')).toEqual([person.email, 'Zo%C3%AB%20%C3%98st']);
    expect(await names('/reports/help', 'reports', false)).toEqual(['', '']);
  });

  it('GATE-2, GATE-5: maintenance refuses with 503 what it closes, but for those who may go on and what is let through', async () => {
    const app = await startApp({ engine: 'sqlite', config });
    const operator = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app, { roles: ['member'] });
    const cookie = cookieOf(mia);
    const enter = (mode: 'off' | 'read-only' | 'full') =>
      changeMaintenance(operator, { mode, text: 'New pumps', severity: 'HIGH' });
    const outcomes = () =>
      Promise.all([
        outcome(ask(app, { cookie })),
        outcome(ask(app, { cookie, method: 'POST' })),
        outcome(ask(app, { cookie, method: 'POST', query: '?whileClosed=1' })),
        outcome(ask(app, { cookie: cookieOf(operator), method: 'DELETE' })),
        outcome(ask(app, { headers: navigation, query: '?access=public' })),
        outcome(askForwarded(app, { method: 'POST', query: '?access=token' })),
      ]);
    await enter('read-only');
    const closed = '503 MAINTENANCE';
    expect(await outcomes()).toEqual([204, closed, 204, 204, 204, closed]);
    // The application may take these for another method.
    for (const name of ['x-http-method-override', 'X-HTTP-Method', 'x-method-override'])
      for (const method of ['GET', 'OPTIONS', 'PROPFIND'])
        expect(await outcome(ask(app, { cookie, method, headers: { [name]: 'DELETE' } }))).toBe(closed);
    await enter('full');
    expect(await outcomes()).toEqual([closed, closed, 204, 204, closed, closed]);
    const refused = await ask(app, { cookie, headers: navigation });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    // A client that a proxy has refused and sends here is not redirected in a loop.
    const late = { cookie: cookieOf(operator), query: '?refused=1' };
    expect(await outcome(askForwarded(app, late))).toBe('503 UNAVAILABLE');
  });

  it('GATE-1, GATE-5: nothing that a client can send makes it another person, another request or one of this site', async () => {
    const app = await startApp({ engine: 'sqlite', config });
    const operator = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app, { roles: ['member'] });
    const cookie = cookieOf(mia);
    const [name = '', value = ''] = cookie.split('=');
    const spoofed = {
      'portico-assertion': 'ey.ey.ey',
      'x-portico-user-id': operator.id,
      'x-portico-rights': 'SETTINGS_WRITE',
      'x-portico-omitted': 'rights',
      x_portico_email: operator.email,
    };
    expect(await outcome(ask(app, { headers: spoofed }))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask(app, { cookie, headers: spoofed, query: '?right=SETTINGS_WRITE' }))).toBe(
      '403 RIGHT_MISSING',
    );
    expect((await ask(app, { cookie, headers: spoofed })).headers.get('x-portico-user-id')).toBe(mia.id);
    const open = await ask(app, { headers: spoofed, query: '?access=public' });
    expect([open.status, open.headers.get('x-portico-user-id')]).toEqual([204, '']);

    // The pair that is not the proxy's own may come from its client.
    const both = { 'x-forwarded-uri': '/orders?page=2', 'x-forwarded-method': 'GET' };
    expect(await outcome(ask(app, { cookie, headers: both }))).toBe(204);
    for (const other of [
      { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/help' },
      { ...both, 'x-forwarded-method': 'POST' },
      { 'x-forwarded-method': 'GET' },
      { 'x-original-method': 'get' },
      { 'x-original-method': '' },
      { 'x-original-uri': '' },
      { 'x-original-uri': 'http://other.example/orders' },
      { 'x-original-uri': '/orders HTTP/1.1' },
      { 'x-original-uri': '', 'x-original-method': '' },
    ])
      expect([other, await outcome(ask(app, { cookie, headers: other }))]).toEqual([
        other,
        '400 INVALID_REQUEST',
      ]);
    for (const query of [
      '?right=no right',
      '?upstream=unknown',
      '?access=all',
      '?audience=portico',
      '?other=1',
    ])
      expect([query, await outcome(ask(app, { cookie, query }))]).toEqual([query, '400 INVALID_REQUEST']);

    // What a proxy would ask that passes on the query of its client, such as Caddy without a `?`.
    const passedOn = { uri: '/orders?access=public', query: '?access=public' };
    expect(await outcome(askForwarded(app, passedOn))).toBe('400 INVALID_REQUEST');

    const own = app.config.publicUrl;
    const from = (headers: Record<string, string>, method = 'POST', query = '') =>
      outcome(ask(app, { cookie, method, query, headers }));
    expect(await from({ 'sec-fetch-site': 'cross-site' }, 'GET')).toBe(204);
    const override = { 'sec-fetch-site': 'cross-site', 'x-http-method-override': 'POST' };
    expect(await from(override, 'GET')).toBe('403 CROSS_SITE');
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: own },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: own.replace('http:', 'https:') },
    ] as Record<string, string>[]) {
      expect([headers, await from(headers)]).toEqual([headers, '403 CROSS_SITE']);
      const webSocket = { ...headers, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
      expect([headers, await from(webSocket, 'GET')]).toEqual([headers, '403 CROSS_SITE']);
    }
    for (const headers of [
      {},
      { origin: own },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ])
      expect([headers, await from(headers)]).toEqual([headers, 204]);
    const foreign = await ask(app, {
      cookie,
      method: 'POST',
      query: '?access=public',
      headers: { origin: 'null' },
    });
    expect([foreign.status, foreign.headers.get('x-portico-user-id')]).toEqual([204, '']);

    // Cookies: of two the first counts, as everywhere; many and long ones cost nothing but their size.
    const withCookie = (header: string) => outcome(ask(app, { cookie: header }));
    const refused = '401 UNAUTHENTICATED';
    expect(await withCookie(`${name}=wrong`)).toBe(refused);
    expect(await withCookie(`${name}=wrong; ${name}=${value}`)).toBe(refused);
    expect(await withCookie(`${name}=${value}; ${name}=wrong`)).toBe(204);
    expect(await withCookie(`x${name}=${value}; y="${name}=${value}"`)).toBe(refused);
    expect(await withCookie(`${'a=1; '.repeat(2_000)}${name}=${value}`)).toBe(204);
    expect((await ask(app, { cookie: `a=${'x'.repeat(20_000)}; ${name}=${value}` })).status).toBe(431);

    const byToken = (authorization: string) =>
      outcome(ask(app, { cookie, query: '?access=token', headers: { authorization } }));
    expect(await byToken('')).toBe(refused);
    expect(await byToken('Basic bWlhOm1pYQ==')).toBe('401 TOKEN_INVALID');
    expect(await byToken(`Bearer ${await expiredToken(app, mia.accessToken)}`)).toBe('401 TOKEN_EXPIRED');
    for (const [what, token] of Object.entries(await forgedTokens(app, mia.accessToken)))
      expect([what, await byToken(`Bearer ${token}`)]).toEqual([what, '401 TOKEN_INVALID']);
    expect(await byToken(`Bearer ${mia.accessToken}`)).toBe(204);
    const apiToken = await addToken(app, {
      rights: ['REPORTS_READ'],
      name: 'a script\r\nX-Portico-Email: me',
    });
    const asScript = await ask(app, {
      query: '?access=token&right=REPORTS_READ',
      headers: { authorization: `Bearer ${apiToken}` },
    });
    expect(decodeJwt(asScript.headers.get('portico-assertion') ?? '')).toMatchObject({
      kind: 'token',
      rights: ['REPORTS_READ'],
    });
    expect(asScript.headers.get('x-portico-email')).toBe('');
    expect(await outcome(ask(app, { headers: { authorization: `Bearer ${apiToken}` } }))).toBe(refused);
  });

  it('GATE-5: without TRUST_PROXY what is forwarded is not believed', async () => {
    const app = await startApp({ engine: 'sqlite', config: { authCheckSecrets: [secret] } });
    const answer = await ask(app, {});
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { detail: expect.stringContaining('TRUST_PROXY') as string },
    ]);
  });
});

describe('two replicas on one PostgreSQL', () => {
  it('SES-1, SES-8, GATE-5: a session lives by what its person does behind the proxy, and ends at once at both', async () => {
    const clock = movableClock();
    const one = await startApp({
      engine: 'postgres',
      clock,
      config: { ...config, sessionIdleMs: 30 * minute },
    });
    const other = await startApp({ replicaOf: one, clock });
    const mia = await signIn(one, { roles: ['member'] });
    const sam = await signIn(one, { roles: ['member'] });
    for (let at = 0; at < 8; at += 1) {
      clock.move(10 * minute);
      expect(await outcome(ask(at % 2 === 0 ? one : other, { cookie: cookieOf(mia) }))).toBe(204);
      // Recorded without delaying the request.
      const recorded = () =>
        one.database.read
          .selectFrom('session')
          .select('seen_at')
          .where('person_id', '=', mia.id)
          .executeTakeFirstOrThrow();
      await expect.poll(recorded).toEqual({ seen_at: clock.now() });
    }
    expect(await outcome(ask(one, { cookie: cookieOf(sam) }))).toBe('401 UNAUTHENTICATED');

    const admin = await signIn(one, { roles: ['operator'] });
    const cookie = cookieOf(mia);
    expect(await outcome(ask(other, { cookie }))).toBe(204);
    await changePerson(admin, mia.id, { roles: [] });
    await expect
      .poll(
        async () => decodeJwt((await ask(other, { cookie })).headers.get('portico-assertion') ?? '')['roles'],
      )
      .toEqual([]);
    await changePerson(admin, mia.id, { blocked: true });
    // Well within the time for which a check is remembered, which does not pass here.
    await expect.poll(async () => (await ask(other, { cookie })).ok).toBe(false);
  });
});
