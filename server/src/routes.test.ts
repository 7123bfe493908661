import { beforeAll, describe, expect, it } from 'vitest';
import type { Access, Route } from '#contract/route.ts';
import { endApp } from './testing/app.ts';
import { addToken } from './testing/people.ts';
import { contractRoutes, isForOtherOrigins, needsBearer, rightFor } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { expiredToken, forgedTokens, tokenAtHost } from './testing/forged-tokens.ts';
import { startSeededApp, type SeededApp } from './testing/seeded-app.ts';
import { bodyFor, request, type RouteAnswer, type RouteRequest } from './testing/route-request.ts';
import { signIn, type SignedIn } from './testing/signed-in.ts';
import type { Right } from '#features/permissions/contract/permissions.ts';
import { rightCatalogue } from '#contract/features.ts';
import { createCookieJar } from './testing/client.ts';

const routes = await contractRoutes();
const place = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method} ${path}`;
const withAccess = (fits: (access: Access) => boolean) => routes.filter(([, route]) => fits(route.access));

const outcome = ({ status, code }: RouteAnswer) => `${status} ${code ?? ''}`.trim();

/** What no access rule may answer with. */
const accessRefusals = [
  'UNAUTHENTICATED',
  'TOKEN_EXPIRED',
  'TOKEN_INVALID',
  'SESSION_ENDED',
  'PERSON_BLOCKED',
  'CROSS_SITE',
  'RIGHT_MISSING',
];

// Who is asking is found by the same few queries for each route: session.test.ts and
// api-tokens.routes.test.ts prove them on both engines.
describe('every route', () => {
  let installation: SeededApp;
  /** Has no role: even members hold some right. */
  let guest: SignedIn;
  let forged: Record<string, string>;
  let expired: string;
  const tokens = { expired: '', only: new Map<Right, string>(), allBut: new Map<Right, string>() };
  let before: Record<string, string[]>;

  beforeAll(async () => {
    installation = await startSeededApp('sqlite');
    guest = await signIn(installation.app, { roles: [] });
    forged = await forgedTokens(installation.app, installation.operator.accessToken);
    expired = await expiredToken(installation.app, installation.operator.accessToken);
    tokens.expired = await addToken(installation.app, { rights: allRights(), lifetimeMs: -3_600_000 });
    for (const right of allRights()) {
      const others = allRights().filter((each) => each !== right);
      tokens.only.set(right, await addToken(installation.app, { rights: [right] }));
      tokens.allBut.set(right, await addToken(installation.app, { rights: others }));
    }
    before = await dump(installation.app.database);
    return () => endApp(installation.app);
  });

  const guarded = routes.flatMap(([name, route]): [string, Route, Right][] => {
    const right = rightFor(route.access);
    return right === null ? [] : [[name, route, right as Right]];
  });

  /** A request that lacks nothing but what the options take from it. */
  const ask = (route: Route, options: RouteRequest = {}) =>
    request(installation.app.url, route, { body: bodyFor(route), ...options });

  /** The same, about another person, since people may call some routes for themselves. */
  const askAboutAnother = (route: Route, options: RouteRequest) =>
    ask(route, {
      params: { userId: installation.operator.id, personId: installation.invitedId },
      ...options,
    });

  it('API-1: is declared in the contract, and every declared one is served', () => {
    const answered = installation.app.declared.map(place);
    const forgotten = routes.filter(([, route]) => !answered.includes(place(route)));
    expect(forgotten.map(([name, route]) => `no feature serves ${name}, ${place(route)}`)).toEqual([]);
    expect(answered.toSorted()).toEqual(routes.map(([, route]) => place(route)).toSorted());
  });

  it('RIGHT-8: is all that answers, the files of the web and the wire of the provider aside', () => {
    const declared = new Set(
      routes.flatMap(([, route]) =>
        route.method === 'GET' ? [place(route), `HEAD ${route.path}`] : [place(route)],
      ),
    );
    const others = served(installation.app.fastify.printRoutes({ commonPrefix: false })).filter(
      (each) => !declared.has(each),
    );
    const preflights = routes
      .filter(([, route]) => isForOtherOrigins(route))
      .map(([, route]) => `OPTIONS ${route.path}`);
    const provider = [
      '/auth',
      '/auth/:uid',
      '/jwks',
      '/session/end',
      '/.well-known/openid-configuration',
    ].map((path) => `GET /idp${path}`);
    const allowed = [
      ...preflights,
      ...provider,
      'POST /idp/token',
      'POST /idp/session/end/confirm',
      'GET *',
      'HEAD *',
      'GET /assets/:name',
      'HEAD /assets/:name',
      'GET /favicon.svg',
      'HEAD /favicon.svg',
    ];
    expect(others.filter((each) => !allowed.includes(each))).toEqual([]);
  });

  describe('for which one must be signed in', () => {
    const bearerRoutes = routes.filter(([, route]) => needsBearer(route));

    it.each(bearerRoutes)('SES-8: %s refuses anonymous callers', async (_name, route) => {
      const { blocked, gone, operator } = installation;
      expect(outcome(await ask(route))).toBe('401 UNAUTHENTICATED');
      expect(
        outcome(await ask(route, { cookies: operator.browser.cookies, headers: { 'x-portico': '1' } })),
      ).toBe('401 UNAUTHENTICATED');
      expect(outcome(await ask(route, { headers: { authorization: 'Basic b3BlcmF0b3I6eA==' } }))).toBe(
        '401 UNAUTHENTICATED',
      );
      expect(outcome(await ask(route, { query: `access_token=${operator.accessToken}` }))).toBe(
        '401 UNAUTHENTICATED',
      );
      expect(outcome(await ask(route, { accessToken: expired }))).toBe('401 TOKEN_EXPIRED');
      expect(outcome(await ask(route, { accessToken: gone.accessToken }))).toBe('401 SESSION_ENDED');
      expect(outcome(await ask(route, { accessToken: blocked.accessToken }))).toBe('403 PERSON_BLOCKED');
      const answers: Record<string, string> = {};
      for (const [what, accessToken] of Object.entries(forged))
        answers[what] = outcome(await ask(route, { accessToken }));
      expect(answers).toEqual(
        Object.fromEntries(Object.keys(forged).map((what) => [what, '401 TOKEN_INVALID'])),
      );
    });

    it.each(bearerRoutes)('SES-9: %s refuses an API token that has expired', async (_name, route) => {
      expect(outcome(await ask(route, { accessToken: tokens.expired }))).toBe('401 TOKEN_EXPIRED');
    });
  });

  describe('in the pages of an application at a host of its own', () => {
    let atHost: string;
    beforeAll(async () => {
      atHost = await tokenAtHost(installation.app, installation.operator.accessToken, 'shop.example.org');
    });

    it.each(routes.filter(([, { hosts }]) => hosts === undefined))(
      'GATE-6: %s refuses their token, or answers as it does without a sign-in',
      async (name, route) => {
        const params = { userId: 'current', clientKey: installation.clientKeys.personal };
        const answer = await ask(route, { accessToken: atHost, params });
        const signedOut = await ask(route, { params });
        const refusal = name === 'readFeatures' ? '403' : '403 RIGHT_MISSING';
        const refused = needsBearer(route) || name === 'readFeatures';
        expect(outcome(answer)).toBe(refused ? refusal : outcome(signedOut));
      },
    );

    it.each(guarded.filter(([, { hosts }]) => hosts === true))(
      'GATE-6: %s refuses their token about another person',
      async (_name, route) => {
        const params = { userId: installation.member.id };
        expect(outcome(await ask(route, { accessToken: atHost, params }))).toBe('403 RIGHT_MISSING');
      },
    );
  });

  describe('that needs a right', () => {
    it.each(guarded)('RIGHT-8: %s refuses people and tokens without it', async (_name, route, right) => {
      const without = tokens.allBut.get(right) ?? '';
      expect(outcome(await askAboutAnother(route, { accessToken: guest.accessToken }))).toBe(
        '403 RIGHT_MISSING',
      );
      expect(outcome(await askAboutAnother(route, { accessToken: without }))).toBe('403 RIGHT_MISSING');
    });
  });

  describe('on the session cookie', () => {
    it.each(withAccess((access) => access === 'session'))(
      'SES-2: %s refuses calls from elsewhere, and those without a session',
      async (_name, route) => {
        const { cookies } = installation.operator.browser;
        const crossSite: Record<string, string>[] = [
          { 'x-portico': '' },
          { 'x-portico': 'true' },
          { origin: 'https://evil.example' },
          { origin: 'null' },
          { 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ];
        for (const headers of crossSite)
          expect([headers, outcome(await ask(route, { cookies, headers }))]).toEqual([
            headers,
            '403 CROSS_SITE',
          ]);
        expect(outcome(await ask(route))).toBe('401 SESSION_ENDED');
        expect(outcome(await ask(route, { cookies: installation.gone.browser.cookies }))).toBe(
          '401 SESSION_ENDED',
        );
        expect(outcome(await ask(route, { accessToken: installation.operator.accessToken }))).toBe(
          '401 SESSION_ENDED',
        );
        expect(outcome(await ask(route, { cookies: installation.blocked.browser.cookies }))).toBe(
          '401 SESSION_ENDED',
        );
        const guessed = createCookieJar([
          { name: sessionCookieName(installation), value: 'a'.repeat(43), path: '/' },
        ]);
        expect(outcome(await ask(route, { cookies: guessed }))).toBe('401 SESSION_ENDED');
      },
    );
  });

  describe('by a single-use link', () => {
    it.each(withAccess((access) => access === 'one-time-link'))(
      'SES-3: %s refuses a token that was never issued, also from people with rights',
      async (_name, route) => {
        const { accessToken, browser } = installation.operator;
        for (const options of [
          {},
          { accessToken },
          { cookies: browser.cookies, headers: { 'x-portico': '1' } },
        ]) {
          // The set-up has been done, and the route with it (START-6).
          expect(outcome(await ask(route, options))).toBe(
            route.path.startsWith('/v1/set-up') ? '404 NOT_FOUND' : '410 LINK_INVALID',
          );
        }
      },
    );
  });

  describe('by a client key', () => {
    it.each(withAccess((access) => access === 'client-key'))(
      'FLAG-1: %s refuses a key that does not exist, in the shape of its wire',
      async (_name, route) => {
        const answer = await ask(route, { accessToken: installation.operator.accessToken });
        const { status, error, errorCode } = answer.json as Record<string, unknown>;
        const growthbook = [400, { status: 400, error: 'Unknown client key.' }];
        const ofrep = [401, { errorCode: 'GENERAL' }];
        expect([answer.status, { status, error, errorCode }]).toEqual(
          route.failure === undefined ? growthbook : ofrep,
        );
        expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      },
    );
  });

  describe("by a project's key", () => {
    it.each(withAccess((access) => access === 'project-key'))(
      'DIAG-2: %s refuses a key that does not exist, also from people with rights',
      async (_name, route) => {
        const { accessToken } = installation.operator;
        const query = `sentry_key=${'0'.repeat(32)}`;
        for (const options of [{}, { query }, { accessToken, query }]) {
          const answer = await ask(route, {
            ...options,
            ...(route.method === 'POST' ? { raw: '{}\n' } : {}),
          });
          expect(outcome(answer)).toBe('403 KEY_REFUSED');
          expect(answer.headers.get('access-control-allow-origin')).toBe('*');
        }
      },
    );
  });

  describe('that is public', () => {
    it.each(withAccess((access) => access === 'public'))(
      'API-1: %s answers every caller, with any credentials',
      async (_name, route) => {
        const broughtAlong: RouteRequest[] = [
          {},
          { accessToken: 'nonsense' },
          { accessToken: expired },
          { cookies: installation.gone.browser.cookies },
        ];
        const answers: string[] = [];
        for (const options of broughtAlong) {
          const answer = await ask(route, options);
          expect(accessRefusals).not.toContain(answer.code);
          expect(answer.status).toBeLessThan(500);
          answers.push(outcome(answer));
        }
        expect(new Set(answers).size).toBe(1);
      },
    );
  });

  it('API-1: that refuses has stored nothing in all of this', async () => {
    expect(await dump(installation.app.database)).toEqual(before);
  });

  it.each(guarded)('RIGHT-8: %s opens to that right alone', async (_name, route, right) => {
    const accessToken = tokens.only.get(right) ?? '';
    // Ids that nothing has, and a body that is refused: past the access checks nothing happens.
    const answer = await request(installation.app.url, route, {
      accessToken,
      ...(route.body === undefined ? {} : { body: {} }),
    });
    expect(accessRefusals).not.toContain(answer.code);
  });

  it('API-1: has not once failed in all of this', () => {
    expect(installation.app.log.filter((line) => line.level >= 50)).toEqual([]);
  });
});

function allRights(): Right[] {
  return rightCatalogue.map((entry) => entry.right);
}

function sessionCookieName({ operator }: SeededApp): string {
  return /(\w*session\w*)=/.exec(operator.browser.cookies.header('/'))?.[1] ?? '';
}

/** The lines of Fastify's tree of routes, each as `METHOD /path`. */
function served(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] =
      /^((?:│ {3}| {4})*)(?:├──|└──) (\S*) \(([^)]+)\)/.exec(line) ?? [];
    if (methods === '') return [];
    const depth = indent.length / 4;
    above[depth] = part;
    const path = above.slice(0, depth + 1).join('');
    return methods.split(', ').map((method) => `${method} ${path}`);
  });
}
