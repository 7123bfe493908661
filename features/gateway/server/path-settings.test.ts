import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { changeMaintenance } from '#features/maintenance/server/testing/change-maintenance.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { readUpstreams, type UpstreamsFile } from '#server/config-upstreams.ts';
import { endApp, startApp, type TestApp } from '#server/testing/app.ts';
import { expiredToken } from '#server/testing/forged-tokens.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn, type SignedIn } from '#server/testing/signed-in.ts';

type Echo = { method: string; url: string; headers: Record<string, string | undefined> };
type Answered = { status: number; headers: IncomingMessage['headers']; code?: string; echo: Echo };
type Asked = {
  method?: string;
  headers?: Record<string, string>;
  person?: SignedIn;
  query?: string;
};

const navigation = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const basic = (user: string, password: string) => `Basic ${btoa(`${user}:${password}`)}`;

/** The settings of one path, in front of an application and where a proxy asks. */
describe.each(['in the path', 'beside the path'] as const)('a path %s', (way) => {
  const inPath = way === 'in the path';
  let app: TestApp;
  let token: string;
  let operator: SignedIn;
  let mia: SignedIn;

  const settings = {
    '/api': { access: 'token' },
    '/git': { access: 'token', askPassword: true, passPreflight: true },
    '/keys': { access: 'token', tokenHeader: 'X-Api-Key' },
    '/both': { access: 'session-or-token', askPassword: true },
    '/hooks': { right: 'FLAGS_READ', passPreflight: true },
    '/graphql': { postReads: true },
  } as const;

  beforeAll(async () => {
    const server = createServer(({ method, url, headers }, response) => {
      response.end(JSON.stringify({ method, url, headers }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const rules = Object.entries(settings).map(([path, rule]) => ({ path, ...rule }));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = readUpstreams(
      JSON.stringify({ upstreams: [{ name: 'pumps', url, rules }] }),
    ) as UpstreamsFile;
    const proxy = { trustProxy: 1, authCheckSecrets: [secret] };
    app = await startApp({ engine: 'sqlite', config: { basePath: '/portico', ...proxy, ...file } });
    token = await addToken(app, { rights: ['FLAGS_READ'] });
    operator = await signIn(app, { roles: ['operator'] });
    mia = await signIn(app, { roles: ['member'] });
    return async () => {
      await endApp(app);
      server.closeAllConnections();
      server.close();
    };
  });

  /** What the application would receive is not seen by a check for a proxy. */
  async function ask(path: string, { method = 'GET', headers = {}, person }: Asked = {}): Promise<Answered> {
    const cookie = person?.browser.cookies.header('/');
    const all = { ...headers, ...(cookie === undefined ? {} : { cookie }) };
    const shown = { 'x-portico-check-secret': secret };
    const asked = { ...shown, 'x-forwarded-uri': path, 'x-forwarded-method': method };
    const sent = inPath
      ? request(new URL(path, app.url), { method, headers: all })
      : request(`${app.url}/auth/check?${queryFor(path)}`, { headers: { ...all, ...asked } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { statusCode: status = 0 } = answer;
    const body = await text(answer);
    const echo: Echo =
      inPath && status === 200 && body !== ''
        ? (JSON.parse(body) as Echo)
        : { method, url: path, headers: answer.headers as Echo['headers'] };
    const problem =
      answer.headers['content-type']?.startsWith('application/problem+json') === true && body !== '';
    return {
      status: status === 204 ? 200 : status,
      headers: answer.headers,
      echo,
      ...(problem ? { code: (JSON.parse(body) as { code: string }).code } : {}),
    };
  }

  function queryFor(path: string): string {
    const rule = settings[`/${path.split('/')[1] ?? ''}` as keyof typeof settings] as
      | Record<string, string | boolean>
      | undefined;
    const words = Object.entries(rule ?? {}).map(([name, value]) => [name, value === true ? '1' : value]);
    return new URLSearchParams(Object.fromEntries(words) as Record<string, string>).toString();
  }

  const rightsOf = ({ echo }: Answered) => echo.headers['x-portico-rights'];
  const outcome = async (answer: Promise<Answered>) => {
    const { status, code } = await answer;
    return code === undefined ? status : `${status} ${code}`;
  };

  const maintenance = (mode: 'off' | 'read-only' | 'full') => changeMaintenance(operator, { mode });

  it('GATE-10: a token comes as clients send it, and never reaches the application', async () => {
    const ways: [string, Record<string, string>][] = [
      ['/api', { authorization: `Bearer ${token}` }],
      ['/api', { authorization: `token ${token}` }],
      ['/api', { authorization: basic('anyone', token) }],
      ['/api', { authorization: basic('', token) }],
      ['/api', { authorization: basic(token, '') }],
      ['/api', { 'private-token': token }],
      ['/keys', { 'x-api-key': token }],
      ['/both', { authorization: basic('mia', token) }],
      ['/both', { 'Private-Token': token }],
      ['/both', { authorization: `Bearer ${mia.accessToken}` }],
    ];
    for (const [path, headers] of ways) {
      const answer = await ask(`${path}/x`, { headers });
      expect([path, headers, answer.status]).toEqual([path, headers, 200]);
      expect(answer.echo.headers['x-portico-user-id']).toMatch(/./);
      expect(JSON.stringify(answer.echo.headers)).not.toContain(token);
      for (const name of ['authorization', 'private-token', 'x-api-key'])
        expect(answer.echo.headers[name]).toBeUndefined();
    }
    for (const headers of [
      {},
      { authorization: basic('', '') },
      { authorization: 'Basic %%%' },
      { 'x-api-key': token },
      { 'private-token': '' },
    ])
      expect(await outcome(ask('/api/x', { headers }))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask('/keys/x', { headers: { 'private-token': token } }))).toBe(
      '401 UNAUTHENTICATED',
    );
    expect(await outcome(ask('/api/x', { headers: { authorization: basic('x', `${token}x`) } }))).toBe(
      '401 TOKEN_INVALID',
    );
    const old = await expiredToken(app, mia.accessToken);
    expect(await outcome(ask('/both/x', { headers: { authorization: basic('x', old) } }))).toBe(
      '401 TOKEN_EXPIRED',
    );
    // No token opens a path for people, and no session one for tokens.
    expect(await outcome(ask('/x', { headers: { 'private-token': token } }))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask('/api/x', { person: mia, headers: navigation }))).toBe('401 UNAUTHENTICATED');
  });

  it('GATE-10: asks for a password where the rule says so, and never where a script of a page calls', async () => {
    const challenge = async (path: string, headers: Record<string, string> = {}) => {
      const { status, headers: answered } = await ask(path, { headers });
      return [status, answered['www-authenticate']];
    };
    const asks = [401, expect.stringMatching(/^Basic realm="[^"]+", charset="UTF-8", Bearer$/)];
    expect(await challenge('/api/x')).toEqual([401, 'Bearer']);
    expect(await challenge('/git/info/refs?service=git-upload-pack')).toEqual(asks);
    expect(await challenge('/both/x')).toEqual(asks);
    expect(await challenge('/git/x', navigation)).toEqual(asks);
    expect(await challenge('/both/x', { 'sec-fetch-mode': 'cors' })).toEqual([401, 'Bearer']);
    expect(await challenge('/git/x', { 'x-requested-with': 'XMLHttpRequest' })).toEqual([401, 'Bearer']);
    expect(await challenge('/git/x', { authorization: basic('x', 'portico_pat_wrong') })).toEqual([
      401,
      expect.stringMatching(/^Basic .*Bearer error="invalid_token"$/),
    ]);
  });

  it('GATE-10: one path takes a session or a token, and leaves what is the application’s own to it', async () => {
    const page = await ask('/both/x', { headers: navigation });
    expect([page.status, page.headers.location]).toEqual([
      303,
      expect.stringContaining('/portico/auth/login?returnTo=%2Fboth%2Fx'),
    ]);
    expect(await outcome(ask('/both/x', { headers: { 'sec-fetch-mode': 'cors' } }))).toBe(
      '401 UNAUTHENTICATED',
    );
    const bySession = await ask('/both/x', {
      person: mia,
      headers: { authorization: 'Bearer its.own.token' },
    });
    expect([bySession.status, bySession.echo.headers['x-portico-user-id']]).toEqual([200, mia.id]);
    expect(bySession.echo.headers['authorization']).toBe(inPath ? 'Bearer its.own.token' : undefined);
    // A token says more than a cookie, which a browser sends by itself.
    const byToken = await ask('/both/x', { person: mia, headers: { 'private-token': token } });
    expect(rightsOf(byToken)).toBe('FLAGS_READ');
    const withOwn = { 'private-token': token, authorization: 'Bearer its.own.token' };
    expect(rightsOf(await ask('/both/x', { person: mia, headers: withOwn }))).toBe('FLAGS_READ');
    expect(await outcome(ask('/both/x', { headers: { authorization: 'Bearer its.own.token' } }))).toBe(
      '401 UNAUTHENTICATED',
    );
    expect(await outcome(ask('/both/x', { person: mia, headers: { 'private-token': `${token}x` } }))).toBe(
      '401 TOKEN_INVALID',
    );
  });

  it('GATE-10: a page of another site changes nothing with a password that the browser knows', async () => {
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[];
    for (const path of ['/git/x', '/both/x'])
      for (const headers of foreign) {
        const sent = (authorization: string) =>
          outcome(ask(path, { method: 'POST', headers: { ...headers, authorization } }));
        expect(await sent(basic('mia', token))).toBe('403 CROSS_SITE');
        // Nothing but the page itself can have sent this one.
        expect(await sent(`Bearer ${token}`)).toBe(200);
      }
    expect(
      await outcome(ask('/git/x', { method: 'POST', headers: { authorization: basic('mia', token) } })),
    ).toBe(200);
    const session = { method: 'POST', person: mia, headers: { 'sec-fetch-site': 'cross-site' } };
    expect(await outcome(ask('/both/x', session))).toBe('403 CROSS_SITE');
  });

  it('GATE-2: a preflight passes unchecked where the rule says so, as no one, and what is refused can be read', async () => {
    const origin = 'https://other.example';
    const preflight = { origin, 'access-control-request-method': 'PUT' };
    const asked = { method: 'OPTIONS', headers: preflight };
    expect(await outcome(ask('/api/x', asked))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask('/x', asked))).toBe('401 UNAUTHENTICATED');
    for (const path of ['/git/x', '/hooks/x']) {
      const withAll = { ...preflight, authorization: basic('mia', token), 'private-token': token };
      const passed = await ask(path, { ...asked, headers: withAll, person: operator });
      expect(passed.status).toBe(200);
      const { headers } = passed.echo;
      expect([
        headers['origin'],
        headers['access-control-request-method'],
        headers['x-portico-user-id'],
      ]).toEqual(inPath ? [origin, 'PUT', undefined] : [undefined, undefined, '']);
      expect([headers['cookie'], headers['authorization'], headers['private-token']]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    }
    // What is no preflight is checked as everything else.
    expect(await outcome(ask('/git/x', { method: 'OPTIONS' }))).toBe('401 UNAUTHENTICATED');
    expect(await outcome(ask('/git/x', { method: 'OPTIONS', headers: { origin } }))).toBe(
      '401 UNAUTHENTICATED',
    );
    expect(await outcome(ask('/git/x', { method: 'GET', headers: preflight }))).toBe('401 UNAUTHENTICATED');
    const key = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' };
    const webSocket = { connection: 'Upgrade', upgrade: 'websocket', ...key };
    for (const more of [{ 'x-http-method-override': 'PUT' }, webSocket]) {
      const headers = { ...preflight, ...more };
      expect(await outcome(ask('/git/x', { ...asked, headers }))).toBe('401 UNAUTHENTICATED');
    }
    expect(await outcome(ask('/HOOKS/x', asked))).toBe('401 UNAUTHENTICATED');

    const allowed = async (path: string, person?: SignedIn) => {
      const call = {
        headers: { origin, 'sec-fetch-mode': 'cors' },
        ...(person === undefined ? {} : { person }),
      };
      const { code, headers } = await ask(path, call);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
      return [code, headers['access-control-allow-origin']];
    };
    expect(await allowed('/git/x')).toEqual(['UNAUTHENTICATED', '*']);
    expect(await allowed('/hooks/x')).toEqual(['UNAUTHENTICATED', '*']);
    expect(await allowed('/hooks/x', mia)).toEqual(['RIGHT_MISSING', '*']);
    expect(await allowed('/api/x')).toEqual(['UNAUTHENTICATED', undefined]);
    expect(await allowed('/x')).toEqual(['UNAUTHENTICATED', undefined]);
    await maintenance('full');
    try {
      expect(await outcome(ask('/git/x', asked))).toBe('503 MAINTENANCE');
    } finally {
      await maintenance('off');
    }
  });

  it('GATE-2: read-only maintenance passes what changes nothing, and no more than before from other sites', async () => {
    const sent = (method: string, path = '/x', headers = {}) =>
      outcome(ask(path, { method, headers, person: mia }));
    const reading = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH', 'QUERY'];
    await maintenance('read-only');
    try {
      for (const method of reading) expect([method, await sent(method)]).toEqual([method, 200]);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPPATCH', 'MKCOL', 'LOCK', 'MOVE', 'COPY'])
        expect([method, await sent(method)]).toEqual([method, '503 MAINTENANCE']);
      expect(await sent('POST', '/graphql')).toBe(200);
      expect(await sent('POST', '/GRAPHQL')).toBe('503 MAINTENANCE');
      expect(await sent('PUT', '/graphql')).toBe('503 MAINTENANCE');
      await maintenance('full');
      expect(await sent('PROPFIND')).toBe('503 MAINTENANCE');
      expect(await sent('POST', '/graphql')).toBe('503 MAINTENANCE');
    } finally {
      await maintenance('off');
    }
    for (const method of ['PROPFIND', 'REPORT', 'SEARCH', 'QUERY', 'POST'])
      expect(await sent(method, '/graphql', { 'sec-fetch-site': 'cross-site' })).toBe('403 CROSS_SITE');
  });
});

const secret = 'path-settings-0123456789-abcdefghijkl';
