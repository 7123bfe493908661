import * as z from 'zod/mini';
import { describe, expect, it } from 'vitest';
import { type ProblemCode, problem } from '#contract/problem.ts';
import { route, type Access, type Method, type Route, type WhileClosed } from '#contract/route.ts';
import {
  publicUrl,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../testing/test-server.ts';
import { movableClock } from '../../testing/movable-clock.ts';
import { HttpProblem } from './http-problem.ts';
import { unpack } from './packed-body.ts';
import type { Caller } from './access-check.ts';
import type { Handler } from './serve.ts';

const ada: Caller = { kind: 'person', id: 'ada', name: 'ada@example.org', sessionId: 's1' };
const bob: Caller = { kind: 'person', id: 'bob', name: 'bob@example.org', sessionId: 's2' };
const script: Caller = { kind: 'token', id: 'script', name: 'Nightly import', sessionId: null };

/** Ada may read people and write flags, Bob may nothing, the script may read people. */
const people: TestServerOptions = {
  callers: {
    'ada-token': ada,
    'bob-token': bob,
    'script-token': script,
    'expired-token': new HttpProblem('TOKEN_EXPIRED'),
    'blocked-token': new HttpProblem('PERSON_BLOCKED'),
    'session=ada': ada,
    'session=ended': new HttpProblem('SESSION_ENDED'),
  },
  rights: { ada: ['PEOPLE_READ', 'FLAGS_WRITE'], script: ['PEOPLE_READ'] },
};

const anyBody = z.strictObject({ word: z.string() });

function routeFor(access: Access, more: Partial<Route> = {}): Route {
  return {
    method: 'GET',
    path: '/here/:userId',
    summary: 'Answers who calls',
    access,
    params: z.object({ userId: z.string() }),
    answer: z.object({ caller: z.nullable(z.string()), userId: z.string() }),
    ...more,
  };
}

/** Answers who calls, and about whom. */
const publish: Handler<Route> = ({ caller, params }) => ({
  caller: (caller as Caller | null)?.id ?? null,
  userId: (params as { userId: string }).userId,
});

function testServer(declared: Route, options: TestServerOptions = people): Promise<TestServer> {
  return startTestServer((serve) => serve(declared, publish), options);
}

async function ask(
  at: TestServer,
  options: { path?: string; method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { path = '/here/ada', ...init } = options;
  const response = await fetch(at.url + path, init);
  const body = (await response.json()) as Record<string, unknown>;
  return response.ok ? body : `${response.status} ${String(body['code'])}`;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('who may call', () => {
  it('RIGHT-8: lets anyone call a public route, without a caller', async () => {
    const at = await testServer(routeFor('public'));
    expect(await ask(at)).toEqual({ caller: null, userId: 'ada' });
    expect(await ask(at, { headers: bearer('nonsense') })).toEqual({ caller: null, userId: 'ada' });
  });

  it.each<[what: string, headers: Record<string, string>, answer: string]>([
    ['no token', {}, '401 UNAUTHENTICATED'],
    ['another scheme', { authorization: 'Basic ada-token' }, '401 UNAUTHENTICATED'],
    ['a bearer without a token', { authorization: 'Bearer ' }, '401 UNAUTHENTICATED'],
    ['two tokens', { authorization: 'Bearer ada-token bob-token' }, '401 UNAUTHENTICATED'],
    ['the session cookie alone', { cookie: 'session=ada', 'x-portico': '1' }, '401 UNAUTHENTICATED'],
    ['a forged token', bearer('forged-token'), '401 TOKEN_INVALID'],
    ['an expired token', bearer('expired-token'), '401 TOKEN_EXPIRED'],
    ['the token of a blocked person', bearer('blocked-token'), '403 PERSON_BLOCKED'],
  ])('SES-8: refuses %s on every route that needs a sign-in', async (_what, headers, answer) => {
    const accesses: Access[] = [
      'signed-in',
      { right: 'PEOPLE_READ' },
      { self: 'userId', orRight: 'PEOPLE_READ' },
    ];
    for (const access of accesses)
      expect(await ask(await testServer(routeFor(access)), { headers })).toBe(answer);
  });

  it('SES-2: names the scheme by which to sign in', async () => {
    const at = await testServer(routeFor('signed-in'));
    expect((await fetch(`${at.url}/here/ada`)).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('RIGHT-8: lets a signed-in person call, whatever the case of the scheme', async () => {
    const at = await testServer(routeFor('signed-in'));
    for (const authorization of ['Bearer ada-token', 'bearer  ada-token', 'BEARER ada-token']) {
      expect(await ask(at, { headers: { authorization } })).toEqual({ caller: 'ada', userId: 'ada' });
    }
  });

  it('RIGHT-8: lets only holders of the right call', async () => {
    const at = await testServer(routeFor({ right: 'PEOPLE_READ' }));
    expect(await ask(at, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    expect(await ask(at, { headers: bearer('script-token') })).toMatchObject({ caller: 'script' });
    expect(await ask(at, { headers: bearer('bob-token') })).toBe('403 RIGHT_MISSING');
  });

  it('RIGHT-3: asks for the rights at each call, never a token', async () => {
    const rights: Record<string, string[]> = { ada: ['PEOPLE_READ'] };
    const at = await testServer(routeFor({ right: 'PEOPLE_READ' }), { ...people, rights });
    expect(await ask(at, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    rights['ada'] = [];
    expect(await ask(at, { headers: bearer('ada-token') })).toBe('403 RIGHT_MISSING');
  });

  it('RIGHT-1: lets people call for themselves, and for others with the right', async () => {
    const at = await testServer(routeFor({ self: 'userId', orRight: 'PEOPLE_READ' }));
    const asBob = { headers: bearer('bob-token') };
    expect(await ask(at, { path: '/here/current', ...asBob })).toEqual({ caller: 'bob', userId: 'bob' });
    expect(await ask(at, { path: '/here/bob', ...asBob })).toEqual({ caller: 'bob', userId: 'bob' });
    expect(await ask(at, { path: '/here/ada', ...asBob })).toBe('403 RIGHT_MISSING');
    expect(await ask(at, { path: '/here/bob', headers: bearer('ada-token') })).toEqual({
      caller: 'ada',
      userId: 'bob',
    });
  });

  it('SES-9: takes an API token for no person', async () => {
    const at = await testServer(routeFor({ self: 'userId', orRight: 'FLAGS_WRITE' }));
    expect(await ask(at, { path: '/here/current', headers: bearer('script-token') })).toBe(
      '403 RIGHT_MISSING',
    );
    expect(await ask(at, { path: '/here/script', headers: bearer('script-token') })).toBe(
      '403 RIGHT_MISSING',
    );
  });

  it.each<[what: string, headers: Record<string, string>, answer: string]>([
    ['without the header', { cookie: 'session=ada' }, '403 CROSS_SITE'],
    ['with another value of the header', { cookie: 'session=ada', 'x-portico': 'yes' }, '403 CROSS_SITE'],
    [
      'from another origin',
      { cookie: 'session=ada', 'x-portico': '1', origin: 'https://evil.example' },
      '403 CROSS_SITE',
    ],
    ['from an opaque origin', { cookie: 'session=ada', 'x-portico': '1', origin: 'null' }, '403 CROSS_SITE'],
    [
      'from another port',
      { cookie: 'session=ada', 'x-portico': '1', origin: 'http://localhost:3001' },
      '403 CROSS_SITE',
    ],
    [
      'from a sibling site',
      { cookie: 'session=ada', 'x-portico': '1', 'sec-fetch-site': 'same-site' },
      '403 CROSS_SITE',
    ],
    [
      'from another site',
      { cookie: 'session=ada', 'x-portico': '1', 'sec-fetch-site': 'cross-site' },
      '403 CROSS_SITE',
    ],
    [
      'typed into the address',
      { cookie: 'session=ada', 'x-portico': '1', 'sec-fetch-site': 'none' },
      '403 CROSS_SITE',
    ],
    ['without a session', { 'x-portico': '1' }, '401 TOKEN_INVALID'],
    ['with an ended session', { cookie: 'session=ended', 'x-portico': '1' }, '401 SESSION_ENDED'],
    ['with a bearer instead', { ...bearer('ada-token'), 'x-portico': '1' }, '401 TOKEN_INVALID'],
  ])('SES-2: refuses a call on the session cookie %s', async (_what, headers, answer) => {
    expect(
      await ask(await testServer(routeFor('session', { method: 'POST' })), { method: 'POST', headers }),
    ).toBe(answer);
  });

  it('SES-2: lets our own pages call on the session cookie', async () => {
    const at = await testServer(routeFor('session', { method: 'POST' }));
    const ours = {
      cookie: 'session=ada',
      'x-portico': '1',
      origin: publicUrl,
      'sec-fetch-site': 'same-origin',
    };
    expect(await ask(at, { method: 'POST', headers: ours })).toMatchObject({ caller: 'ada' });
    expect(
      await ask(at, { method: 'POST', headers: { cookie: 'session=ada', 'x-portico': '1' } }),
    ).toMatchObject({ caller: 'ada' });
  });
});

describe('the maintenance gate', () => {
  const table: [method: Method, closed: WhileClosed | undefined, readOnly: boolean, full: boolean][] = [
    ['GET', undefined, true, false],
    ['POST', undefined, false, false],
    ['PUT', undefined, false, false],
    ['DELETE', undefined, false, false],
    ['GET', 'open', true, true],
    ['POST', 'open', true, true],
    ['POST', 'read', true, false],
    ['GET', 'write', false, false],
  ];

  it.each(table)(
    'MAINT-6: for %s declared %s, answers while read only: %s, while full: %s',
    async (method, closed, readOnly, full) => {
      const gate = { mode: 'off' as 'off' | 'read-only' | 'full', retryAfter: 77 };
      const bypassing = { ...people, rights: { ada: ['MAINTENANCE_BYPASS'] }, closed: () => gate };
      for (const access of ['signed-in', 'public'] as const) {
        const at = await testServer(
          routeFor(access, { method, ...(closed === undefined ? {} : { closed }) }),
          bypassing,
        );
        for (const [mode, open] of [
          ['off', true],
          ['read-only', readOnly],
          ['full', full],
        ] as const) {
          gate.mode = mode;
          const answer = await fetch(`${at.url}/here/ada`, { method, headers: bearer('bob-token') });
          const { code } = (await answer.json()) as { code?: string };
          expect([mode, answer.status, code, answer.headers.get('retry-after')]).toEqual(
            open ? [mode, 200, undefined, null] : [mode, 503, 'MAINTENANCE', '77'],
          );
          const bypass = await fetch(`${at.url}/here/ada`, { method, headers: bearer('ada-token') });
          expect([mode, bypass.status]).toEqual([mode, open || access === 'signed-in' ? 200 : 503]);
        }
      }
    },
  );
});

describe('the order of the access check', () => {
  const broken = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"word":' };
  const writing = routeFor({ right: 'FLAGS_WRITE' }, { method: 'POST', body: anyBody, bodyLimit: 100 });
  const as = (token: string) => ({ ...broken, headers: { ...broken.headers, ...bearer(token) } });

  it('RIGHT-8: asks who calls, then for the right, then the gate, and only then reads the body', async () => {
    const gate = { mode: 'full' as 'full' | 'off', retryAfter: 60 };
    const at = await testServer(writing, { ...people, closed: () => gate });
    expect(await ask(at, broken)).toBe('401 UNAUTHENTICATED');
    expect(await ask(at, as('bob-token'))).toBe('403 RIGHT_MISSING');
    expect(await ask(at, as('ada-token'))).toBe('503 MAINTENANCE');
    gate.mode = 'off';
    expect(await ask(at, as('ada-token'))).toBe('400 BAD_JSON');
  });

  it('API-2: limits a caller before it looks at the rights, and answers when to retry', async () => {
    const clock = movableClock();
    const at = await testServer(writing, {
      ...people,
      clock,
      limits: { caller: { burst: 2, perSecond: 0.5 } },
    });
    expect(await ask(at, as('bob-token'))).toBe('403 RIGHT_MISSING');
    expect(await ask(at, as('bob-token'))).toBe('403 RIGHT_MISSING');
    const refused = await fetch(`${at.url}/here/ada`, as('bob-token'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
    // Others behind the same address go on.
    expect(await ask(at, as('ada-token'))).toBe('400 BAD_JSON');
    clock.move(2_000);
    expect(await ask(at, as('bob-token'))).toBe('403 RIGHT_MISSING');
  });

  it('API-2: asks the route’s own check last, and reads no body before it admits', async () => {
    const asked: string[] = [];
    let admit = (): void => undefined;
    const waiting = new Promise<void>((done) => (admit = done));
    const at = await startTestServer(
      (serve) =>
        serve(writing, publish, {
          admit(request) {
            asked.push(request.caller?.id ?? 'nobody');
            if (request.headers['x-refused'] !== undefined) throw new HttpProblem('UNAVAILABLE');
            return waiting;
          },
        }),
      people,
    );
    expect(await ask(at, broken)).toBe('401 UNAUTHENTICATED');
    expect(await ask(at, as('bob-token'))).toBe('403 RIGHT_MISSING');
    expect(asked).toEqual([]);
    const refused = as('ada-token');
    expect(await ask(at, { ...refused, headers: { ...refused.headers, 'x-refused': '1' } })).toBe(
      '503 UNAVAILABLE',
    );
    let answered = false;
    const answer = ask(at, as('ada-token')).finally(() => (answered = true));
    await expect.poll(() => asked).toEqual(['ada', 'ada']);
    expect(answered).toBe(false);
    admit();
    expect(await answer).toBe('400 BAD_JSON');
  });

  it('API-2: counts against the address only what it cannot count against a person', async () => {
    const limits = { address: { burst: 2, perSecond: 0.1 } };
    const at = await testServer(routeFor('signed-in'), { ...people, clock: movableClock(), limits });
    for (let call = 0; call < 5; call += 1)
      expect(await ask(at, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    expect(await ask(at, { headers: bearer('guess-1') })).toBe('401 TOKEN_INVALID');
    expect(await ask(at)).toBe('401 UNAUTHENTICATED');
    expect(await ask(at, { headers: bearer('guess-3') })).toBe('429 TOO_MANY_REQUESTS');
    expect(await ask(at, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
  });
});

describe('who calls without a sign-in', () => {
  const once = { address: { burst: 1, perSecond: 0.001 } };
  const called = { caller: null, userId: 'ada' };
  const refused = '429 TOO_MANY_REQUESTS';
  const open = (declared: Route, withoutSignIn = false) =>
    startTestServer((serve) => serve(declared, publish, { withoutSignIn }), {
      ...people,
      clock: movableClock(),
      limits: once,
    });

  it.each<[what: string, access: Access, method: Method, counted: boolean]>([
    ['anybody', 'public', 'GET', true],
    ['anybody who writes', 'public', 'POST', true],
    ['who holds a link', 'one-time-link', 'GET', true],
    ['who has something evaluated with a client key', 'client-key', 'POST', true],
    // Browsers read flags with it, a whole office behind one address.
    ['who reads with a client key', 'client-key', 'GET', false],
  ])('API-2: is counted by the address: %s', async (_what, access, method, counted) => {
    const at = await open(routeFor(access, { method }));
    // Whatever they claim to be.
    const headers = bearer('forged-token');
    expect(await ask(at, { method, headers })).toEqual(called);
    const again = await fetch(`${at.url}/here/ada`, { method, headers });
    expect(again.status).toBe(counted ? 429 : 200);
  });

  it('BUG-4: is authorized where that is allowed, counted, and only without credentials', async () => {
    const declared = routeFor('signed-in-or-allowed');
    const allowed = await open(declared, true);
    expect(await ask(allowed, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    expect([await ask(allowed), await ask(allowed)]).toEqual([called, refused]);
    expect(await ask(allowed, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    const forged = await open(declared, true);
    expect(await ask(forged, { headers: bearer('forged-token') })).toBe('401 TOKEN_INVALID');
    const closed = await open(declared);
    expect([await ask(closed), await ask(closed)]).toEqual(['401 UNAUTHENTICATED', refused]);
    // A route for those who are signed in is none of these, whatever is allowed.
    expect(await ask(await open(routeFor('signed-in'), true))).toBe('401 UNAUTHENTICATED');
  });

  it('MAINT-6: is asked whether all is closed or only what writes', async () => {
    const gate = { mode: 'full' as 'full' | 'read-only', retryAfter: 5 };
    const at = await testServer(routeFor('public', { method: 'POST' }), { ...people, closed: () => gate });
    const detail = async () =>
      ((await (await fetch(`${at.url}/here/ada`, { method: 'POST' })).json()) as { detail: string }).detail;
    expect(await detail()).toBe('Portico is down for maintenance; nothing was changed.');
    gate.mode = 'read-only';
    expect(await detail()).toBe(
      'Nothing can be changed during maintenance; reading goes on. Nothing was changed.',
    );
  });

  it('RIGHT-1: stands for no person: a token of a program is not the person whose id it has', async () => {
    const namesake: Caller = { ...script, id: 'ada' };
    const at = await testServer(routeFor({ self: 'userId', orRight: 'PEOPLE_WRITE' }), {
      callers: { 'script-token': namesake, 'ada-token': ada },
    });
    expect(await ask(at, { headers: bearer('ada-token') })).toMatchObject({ caller: 'ada' });
    expect(await ask(at, { headers: bearer('script-token') })).toBe('403 RIGHT_MISSING');
    expect(await ask(at, { path: '/here/current', headers: bearer('script-token') })).toBe(
      '403 RIGHT_MISSING',
    );
  });

  it('API-1: a route without an answer sends 204 and nothing else', async () => {
    const at = await startTestServer((serve) =>
      serve(routeFor('public', { method: 'DELETE', answer: 'nothing' }), () => ({ secret: 1 })),
    );
    const answer = await fetch(`${at.url}/here/ada`, { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
  });
});

describe('pages of other origins', () => {
  const listed = 'https://shop.example';
  const declared = routeFor('signed-in', { method: 'POST', body: anyBody });
  const open = () =>
    startTestServer((serve) => serve(declared, publish, { origins: [publicUrl, listed] }), {
      ...people,
      limits: { caller: { burst: 2, perSecond: 0.1 } },
    });
  const post = (at: TestServer, headers: Record<string, string>, body: string = '{"word":"x"}') =>
    fetch(`${at.url}/here/ada`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const statusAndCode = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { code?: string }).code,
  ];

  it('BUG-4: are refused unless they are listed, before caller and body are looked at, and can read that', async () => {
    const at = await open();
    for (const origin of ['https://evil.example', `${listed}.evil.example`, `${listed}:8443`, 'null']) {
      const answer = await post(at, { origin }, '{"word":');
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(await statusAndCode(answer)).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    }
  });

  it('BUG-4: read every answer where they are listed, problems too; who names no origin is no page', async () => {
    const at = await open();
    for (const origin of [publicUrl, listed]) {
      const answer = await post(at, { origin, ...bearer(origin === listed ? 'ada-token' : 'bob-token') });
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
      expect(answer.headers.get('vary')).toBe('Origin');
      expect(await statusAndCode(answer)).toEqual([200, undefined]);
    }
    const problems: [headers: Record<string, string>, expected: unknown[], body?: string][] = [
      [{}, [401, 'UNAUTHENTICATED']],
      [bearer('ada-token'), [400, 'BAD_JSON'], '{"word":'],
      [bearer('ada-token'), [429, 'TOO_MANY_REQUESTS']],
    ];
    for (const [headers, expected, body] of problems) {
      const answer = await post(at, { origin: listed, ...headers }, body);
      expect(answer.headers.get('access-control-allow-origin')).toBe(listed);
      expect(answer.headers.get('access-control-expose-headers')).toBe('retry-after');
      expect(await statusAndCode(answer)).toEqual(expected);
    }
    const fromScript = await post(at, bearer('bob-token'));
    expect(fromScript.headers.get('access-control-allow-origin')).toBeNull();
    expect(await statusAndCode(fromScript)).toEqual([200, undefined]);
  });

  it('BUG-4: are answered when their browser asks first, listed or not', async () => {
    const at = await open();
    for (const origin of [listed, 'https://evil.example']) {
      const answer = await fetch(`${at.url}/here/ada`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type,x-time-offset',
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('vary')).toBe('Origin');
      expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST');
      expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toEqual(
        expect.arrayContaining(['authorization', 'content-type', 'x-time-offset']),
      );
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });
});

describe('what goes in and comes out', () => {
  const book = route({
    method: 'PUT',
    path: '/books/:book',
    summary: 'A book',
    access: 'public',
    params: z.object({ book: z.string().check(z.regex(/^[a-z]+$/)) }),
    query: z.object({ pages: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 10) }),
    body: z.strictObject({ title: z.string().check(z.trim(), z.minLength(1)), tags: z.array(z.string()) }),
    answer: z.object({ book: z.string(), pages: z.number(), title: z.string() }),
    status: 201,
  });
  const library = () =>
    startTestServer((serve) =>
      serve(book, ({ params, query, body }) => ({
        ...params,
        ...query,
        ...body,
        internal: 'never to be seen',
      })),
    );
  const put = (at: TestServer, path: string, body: unknown) =>
    fetch(at.url + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('API-1: hands on what the schemas made of it, and cuts the answer to its schema', async () => {
    const answer = await put(await library(), '/books/emma?other=ignored', { title: ' Emma ', tags: [] });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ book: 'emma', pages: 10, title: 'Emma' });
  });

  it.each<
    [what: string, path: string, body: unknown, code: ProblemCode, errors: [pointer: string, code: string][]]
  >([
    ['a parameter', '/books/Emma', {}, 'INVALID_REQUEST', [['/book', 'format']]],
    ['a query', '/books/emma?pages=0', {}, 'INVALID_REQUEST', [['/pages', 'too_small']]],
    ['a query given twice', '/books/emma?pages=1&pages=2', {}, 'INVALID_REQUEST', [['/pages', 'type']]],
    [
      'several fields',
      '/books/emma',
      { title: '  ', tags: ['a', 7], colour: 'red' },
      'INVALID_BODY',
      [
        ['/title', 'too_small'],
        ['/tags/1', 'type'],
        ['/colour', 'unknown'],
      ],
    ],
    [
      'what is missing',
      '/books/emma',
      {},
      'INVALID_BODY',
      [
        ['/title', 'required'],
        ['/tags', 'required'],
      ],
    ],
  ])('API-1: points at %s that is wrong', async (_what, path, body, code, errors) => {
    const answer = await put(await library(), path, body);
    const refused = problem.parse(await answer.json());
    expect([answer.status, refused.code]).toEqual([code === 'INVALID_BODY' ? 422 : 400, code]);
    expect(refused.errors?.map((error) => [error.pointer, error.code])).toEqual(errors);
  });

  it('API-1: takes a larger body for the base64 in it, and refuses it as any other', async () => {
    const roomy: Route = routeFor('public', {
      method: 'POST',
      body: z.strictObject({ word: z.string() }),
      bodyLimit: 1_000_000,
      answer: z.object({ word: z.number() }),
    });
    const at = await startTestServer((serve) =>
      serve(
        roomy,
        ({ body, request }) => ({ word: unpack(request, (body as { word: string }).word)?.length ?? 0 }),
        { packed: 'word' },
      ),
    );
    const send = (body: string) =>
      ask(at, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(await send(JSON.stringify({ word: 'x'.repeat(900_000) }))).toEqual({ word: 675_000 });
    expect(await send(JSON.stringify({ word: 'xxxx' }))).toEqual({ word: 3 });
    expect(await send(JSON.stringify({ word: 'x'.repeat(900_001) }))).toEqual({ word: 0 });
    expect(await send(JSON.stringify({ word: 'x'.repeat(1_000_001) }))).toBe('413 TOO_LARGE');
    expect(await send(`{"word":${'['.repeat(400_000)}`)).toBe('413 TOO_LARGE');
    expect(await send(JSON.stringify({ word: 'x'.repeat(900_000), more: 1 }))).toBe('422 INVALID_BODY');
    for (const bad of ['', 'x', '{"word":', '{"__proto__":{"a":1}}', `{"word":"${'x'.repeat(20_000)}",}`]) {
      expect([bad.slice(0, 30), await send(bad)]).toEqual([bad.slice(0, 30), '400 BAD_JSON']);
    }
  });

  it('API-1: answers HEAD like GET without a body, but opens no event stream for it', async () => {
    const stream = route({
      method: 'GET',
      path: '/stream',
      summary: 'Events',
      access: 'public',
      answer: { raw: 'text/event-stream' },
    });
    const at = await startTestServer((serve) => {
      serve(routeFor('public'), publish);
      serve(stream, ({ reply }) => void reply.send('never ends'));
      serve(
        { ...stream, path: '/page', answer: { raw: 'text/html' } },
        ({ reply }) => void reply.send('<p>'),
      );
    });
    expect((await fetch(`${at.url}/page`, { method: 'HEAD' })).status).toBe(200);
    const head = await fetch(`${at.url}/here/ada`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${at.url}/stream`, { method: 'HEAD' })).status).toBe(405);
  });

  describe('FLAG-1: the preflight of flag clients from other origins', () => {
    async function preflight(path: string, asked: Record<string, string>) {
      const at = await startTestServer((serve) => {
        serve(routeFor('client-key', { method: 'POST', path: '/eval/:userId' }), publish);
        serve(routeFor('signed-in'), publish);
      }, people);
      const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST', ...asked };
      const answer = await fetch(at.url + path, { method: 'OPTIONS', headers });
      const allowed = (what: string) => answer.headers.get(`access-control-allow-${what}`);
      return { answer, allowed };
    }
    const asking = (headers: string) => ({ 'access-control-request-headers': headers });

    it('is answered without credentials, and no other one is', async () => {
      const { answer, allowed } = await preflight('/eval/one', {});
      expect(answer.status).toBe(204);
      expect(allowed('origin')).toBe('*');
      expect(allowed('methods')).toBe('POST, OPTIONS');
      expect(allowed('headers')).toBeNull();
      expect(allowed('credentials')).toBeNull();
      const other = await preflight('/here/one', {});
      expect(other.answer.status).toBe(405);
      expect(other.allowed('origin')).toBeNull();
    });

    it('reflects the headers and the method that are asked for', async () => {
      const { answer, allowed } = await preflight('/eval/one', {
        ...asking('content-type,x-tenant, X-Trace-Id ,x-tenant'),
        'access-control-request-method': 'PATCH',
      });
      expect(allowed('headers')).toBe('content-type, x-tenant, X-Trace-Id');
      expect(allowed('methods')).toBe('POST, PATCH, OPTIONS');
      expect(answer.headers.get('vary')).toBe(
        'Access-Control-Request-Method, Access-Control-Request-Headers',
      );
    });

    it('reflects names alone, not too many, and never the header of the session', async () => {
      const odd = await preflight(
        '/eval/one',
        asking(`x-a, b c, <d>, X-Portico, "e", x/f, ${'x'.repeat(101)}, , é`),
      );
      expect(odd.allowed('headers')).toBe('x-a');
      const many = Array.from({ length: 300 }, (_, index) => `x-${index}`).join(',');
      expect((await preflight('/eval/one', asking(many))).allowed('headers')?.split(', ')).toHaveLength(50);
      const { allowed } = await preflight('/eval/one', { 'access-control-request-method': 'GET, <b>' });
      expect(allowed('methods')).toBe('POST, GET, OPTIONS');
    });
  });
});
