import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { anyCharacter } from '#contract/testing/any-character.ts';
import * as z from 'zod/mini';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { problem, type FieldProblem } from '#contract/problem.ts';
import type { Route } from '#contract/route.ts';
import { endApp } from './testing/app.ts';
import { badTexts, bodyLimitOf, mistakesIn, sampleOf } from './testing/bad-values.ts';
import { contractRoutes, isForeignWire, needsBearer } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { engines, provedOn } from './testing/fresh-database.ts';
import { startSeededApp, type SeededApp } from './testing/seeded-app.ts';
import { bodyFor, paramsFor, request, type RouteAnswer, type RouteRequest } from './testing/route-request.ts';

const routes = await contractRoutes();
/**
 * Answer 404 where the first operator exists, people sign in at the embedded provider, and no mail is sent.
 */
const gonePaths = [
  '/v1/set-up',
  '/v1/set-up/sign-in',
  '/v1/password/forgotten',
  '/v1/registration',
  '/auth/backchannel-logout',
];
const gone = routes.filter(([, { path }]) => gonePaths.includes(path));
const there = routes.filter(([, { path }]) => !gonePaths.includes(path));
/** Those that take any bytes are tried out by the fuzz test of diagnostics. */
const writing = there.filter(([, route]) => route.method !== 'GET' && route.bytes === undefined);
const withBody = there.filter(([, route]) => route.body !== undefined);
const withParams = routes.filter(([, route]) => route.params !== undefined);
const withQuery = routes.filter(([, route]) => route.query !== undefined);

const outcome = ({ status, code }: RouteAnswer) => `${status} ${code ?? ''}`.trim();

/** What a route answers to an id of nothing, where that is not 404. */
const unknownIds: Record<string, (route: Route) => string> = {
  effect: () => '400 INVALID_REQUEST',
  // A sign-in that is over or was never begun; its page shows that.
  uid: ({ method }) => (method === 'GET' ? '200' : '410 LINK_INVALID'),
  project: () => '403 KEY_REFUSED',
  // GrowthBook's SDKs expect 400.
  clientKey: (route) => (isForeignWire(route) ? '400' : '404 NOT_FOUND'),
  // OFREP's errors have codes of their own.
  key: ({ failure }) => (failure === undefined ? '404 NOT_FOUND' : '404'),
};

/** A problem with this code; on the wires of others their error with its status. */
function expectRefused(route: Route, answer: RouteAnswer, status: number, code: string): void {
  const refusal =
    route.access === 'client-key'
      ? { status: route.failure === undefined ? answer.json?.['status'] : status, code }
      : { status: answer.status, code: answer.code };
  expect([refusal, answer.status]).toEqual([{ status, code }, status]);
  expect(answer.headers.get('content-type')).toMatch(
    isForeignWire(route) ? /^application\/json/ : /^application\/problem\+json/,
  );
}

/** How a body is refused that does not fit; a report without a message has a code of its own (BUG-2). */
function refusals(route: Route): string[] {
  return ['422 INVALID_BODY', ...(route.path === saveFeedback.path ? ['422 EMPTY_MESSAGE'] : [])];
}

describe.each(engines)('bad input on %s', (engine) => {
  /** What is refused before any storage has a part in it is tried out on one engine. */
  const once = <T>(cases: readonly T[]): readonly T[] => provedOn(engine).flatMap(() => cases);
  let installation: SeededApp;
  let before: Record<string, string[]>;

  beforeAll(async () => {
    installation = await startSeededApp(engine);
    before = await dump(installation.app.database);
    return () => endApp(installation.app);
  });

  /** A call by a person who may do everything: only the input is wrong. */
  function ask(route: Route, options: RouteRequest = {}): Promise<RouteAnswer> {
    const { accessToken, browser } = installation.operator;
    return request(installation.app.url, route, {
      ...(needsBearer(route) ? { accessToken } : {}),
      ...(route.access === 'session' ? { cookies: browser.cookies } : {}),
      ...(route.failure === undefined ? {} : { headers: { 'x-api-key': installation.clientKeys.plain } }),
      ...options,
    });
  }

  /** The same of things that exist. */
  const known = (route: Route): Record<string, string> =>
    paramsFor(route, {
      personId: installation.invitedId,
      userId: installation.member.id,
      flagKey: installation.flagKey,
      fileId: installation.fileId,
      reportId: installation.reportId,
      webhookId: installation.webhookId,
      right: 'MAP_VIEW',
      effect: 'grant',
      clientKey: installation.clientKeys[route.path.startsWith('/api/eval') ? 'remote-eval' : 'plain'],
    });

  it.each(withParams)('API-1: %s refuses ids of nothing', async (_name, route) => {
    for (const name of Object.keys(paramsFor(route))) {
      const isVersioned = route.query !== undefined && z.safeParse(route.query, { version: '1' }).success;
      const query = route.method === 'DELETE' && isVersioned ? 'version=1' : '';
      const params = { ...known(route), [name]: paramsFor(route)[name] ?? '' };
      expect([name, outcome(await ask(route, { params, query, body: bodyFor(route) }))]).toEqual([
        name,
        unknownIds[name]?.(route) ?? '404 NOT_FOUND',
      ]);
    }
  });

  it.each(withQuery)(
    'API-1: %s refuses a query that its contract refuses, and survives any other',
    async (_name, route) => {
      const schema = route.query as z.ZodMiniType;
      const texts = badTexts(schema);
      const names = [...new Set(texts.map(({ name }) => name))];
      // Without the parameters that another mistake would hide behind.
      const rest = names.includes('version') ? { version: '7' } : {};
      const tryOut = async (query: Record<string, string>) => {
        const wrong = z.safeParse(schema, query, { reportInput: true }).error?.issues ?? [];
        // A refusal has no part in storage.
        if (wrong.length > 0 && provedOn(engine).length === 0) return;
        const answer = await ask(route, {
          params: paramsFor(route),
          query: new URLSearchParams(query).toString(),
        });
        expect([query, answer.status < 500]).toEqual([query, true]);
        const reported = wrong.length === 0 ? [] : pointers(problem.parse(answer.json).errors ?? []);
        const expected = wrong.map((issue) => `/${issue.path.join('/')}`);
        expect([query, reported, wrong.length === 0 || outcome(answer) === '400 INVALID_REQUEST']).toEqual([
          query,
          expected,
          true,
        ]);
      };
      for (const { name, text } of texts) await tryOut({ ...rest, [name]: text });
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...names),
          fc.oneof(fc.string({ unit: anyCharacter }), hostileTexts),
          (name, text) => tryOut({ ...rest, [name]: text.toWellFormed() }),
        ),
        { numRuns: 20 },
      );
      for (const name of names) {
        // Some are ignored where they make no sense, as `returnTo` is.
        const refused = !z.safeParse(schema, { ...rest, [name]: ['1', '2'] }).success;
        const twice = await ask(route, { params: paramsFor(route), query: `${name}=1&${name}=2` });
        expect([name, twice.code === 'INVALID_REQUEST']).toEqual([name, refused]);
      }
    },
  );

  it.each(once(withBody))(
    'API-1: %s refuses every single mistake in its body, and points at it',
    async (_name, route) => {
      const params = known(route);
      for (const { what, value, pointer } of mistakesIn(route.body as z.ZodMiniType)) {
        const answer = await ask(route, { params, body: value });
        expect([what, refusals(route)]).toEqual([what, expect.arrayContaining([outcome(answer)])]);
        const { errors = [] } = problem.parse(answer.json);
        expect([what, pointers(errors)]).toEqual([what, expect.arrayContaining([pointer])]);
      }
      expect(outcome(await ask(route, { params }))).toBe('422 INVALID_BODY');
    },
  );

  it.each(once(writing))(
    'API-1: %s refuses a body that is no JSON, of another type, or too large',
    async (_name, route) => {
      const params = known(route);
      // A query that is refused would hide what the body has.
      const sample = route.query === undefined ? {} : (sampleOf(route.query) as Record<string, string>);
      const query = new URLSearchParams(sample).toString();
      // The parser's own refusals are tried out where it is tested (http-server.test.ts).
      for (const raw of ['', '{"a":', '{"__proto__":{"a":1}}', Buffer.from([0xff, 0xfe, 0x00])]) {
        expectRefused(route, await ask(route, { params, query, raw }), 400, 'BAD_JSON');
      }
      for (const contentType of [
        'text/plain',
        'application/x-www-form-urlencoded',
        ...(route.form === undefined ? ['multipart/form-data; boundary=x'] : []),
      ]) {
        expectRefused(
          route,
          await ask(route, { params, query, raw: '{"a":1}', contentType }),
          415,
          'UNSUPPORTED_MEDIA_TYPE',
        );
      }
      if (route.form !== undefined) {
        const json = await ask(route, { params, query, body: { a: 1 } });
        expectRefused(route, json, 415, 'UNSUPPORTED_MEDIA_TYPE');
      }
      const tooLarge = JSON.stringify({ a: 'x'.repeat(bodyLimitOf(route)) });
      expectRefused(route, await ask(route, { params, query, raw: tooLarge }), 413, 'TOO_LARGE');
    },
  );

  it.each(once(gone))('API-1 START-6: %s is not there, whatever is sent to it', async (_name, route) => {
    const limit = bodyLimitOf(route);
    const answers = [];
    for (const raw of [
      JSON.stringify(bodyFor(route) ?? {}),
      '{}',
      '',
      '{"a":',
      Buffer.from([0xff, 0xfe, 0x00]),
      '['.repeat(limit / 2),
      JSON.stringify({ a: 'x'.repeat(limit) }),
    ]) {
      for (const contentType of ['application/json', 'x'])
        answers.push(await ask(route, { raw, contentType }));
    }
    answers.push(await ask(route, {}));
    const distinct = answers.map(({ status, json }) =>
      JSON.stringify([status, { ...json, requestId: undefined, instance: undefined }]),
    );
    expect(new Set(distinct).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  it.each(once(withBody))('API-1: %s refuses whatever its contract refuses', async (_name, route) => {
    const schema = route.body as z.ZodMiniType;
    const good = bodyFor(route) as Record<string, unknown>;
    const anything = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    const almostGood = fc
      .tuple(fc.constantFrom(...Object.keys(good)), fc.oneof(anything, hostileTexts))
      .map(([name, value]): unknown => ({ ...good, [name]: value }));
    const params = known(route);
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, almostGood), async (body) => {
        fc.pre(!z.safeParse(schema, body).success);
        const text = JSON.stringify(body);
        // Refused as JSON already, for what it could do to a prototype.
        fc.pre(!/"(__proto__|prototype)"/.test(text));
        const tooLarge = Buffer.byteLength(text) > bodyLimitOf(route);
        expect(tooLarge ? ['413 TOO_LARGE'] : refusals(route)).toContain(
          outcome(await ask(route, { params, body })),
        );
      }),
      { numRuns: 12 },
    );
  });

  it.each(once(withBody))('API-1: %s is not brought down by nesting', async (_name, route) => {
    const whole = bodyFor(route) as Record<string, unknown>;
    const levels = Math.floor((bodyLimitOf(route) - JSON.stringify(whole).length) / 2) - 20;
    const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    const [name = ''] = Object.keys(whole);
    const raw = JSON.stringify({ ...whole, [name]: 'HERE' }).replace('"HERE"', deep);
    const { status } = await ask(route, { params: known(route), raw });
    // Refused before it is parsed; a report may be that large for its pictures only.
    expect(status).toBe(route.path === '/v1/feedback' ? 413 : 400);
  });

  // Any text may be asked for as a flag of OFREP.
  const withIds = withParams.filter(([, { failure }]) => failure === undefined);
  it.each(once(withIds))('API-1: %s refuses ids that are none', async (_name, route) => {
    for (const name of Object.keys(paramsFor(route))) {
      // `uid` and `clientKey` are others': only their length is ours to judge.
      const lax = z.safeParse(route.params as z.ZodMiniType, {
        ...paramsFor(route),
        [name]: 'a b',
      }).success;
      for (const id of lax
        ? ['x'.repeat(250)]
        : ['a b', 'ä', '\u0000', '../..', "a'b", 'a%b', '%2e', 'x'.repeat(250)]) {
        const answer = await ask(route, { params: { ...known(route), [name]: id }, body: bodyFor(route) });
        expect([name, id, answer.status]).toEqual([name, id, 400]);
        expectRefused(route, answer, 400, 'INVALID_REQUEST');
      }
      const answer = await ask(route, {
        params: { ...known(route), [name]: 'x'.repeat(301) },
        body: bodyFor(route),
      });
      expect([answer.status, answer.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it.each(once(routes))('API-1: %s leaves the other methods of its path to 405', async (_name, route) => {
    if (route.path === '/*') return;
    const here = routes.filter(([, other]) => other.path === route.path).map(([, other]) => other.method);
    const methods = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((method) => !here.includes(method));
    for (const method of methods) {
      const answer = await ask({ ...route, method }, { params: known(route) });
      expect([method, outcome(answer)]).toEqual([method, '405 METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual([...here].toSorted());
    }
  });

  it.each(provedOn(engine))(
    'FLAG-1: a remote evaluation is refused or answered, whatever is sent',
    async () => {
      const [, route] = routes.find(([name]) => name === 'evaluateFeatures') ?? [];
      if (route === undefined) throw new Error('It is gone.');
      const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
      const almostGood = fc.record(
        { attributes: anything, forcedVariations: anything, forcedFeatures: anything, url: anything },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, almostGood), async (body) => {
          expect([200, 400]).toContain((await ask(route, { params: known(route), body })).status);
        }),
        { numRuns: 100 },
      );
    },
  );

  it.each(provedOn(engine))('API-1: an unknown path is 404, however it is written', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nothing',
      '/v3/users',
      '/v1//people',
      '/V1/people',
      '/api',
      '/auth',
      '/idp/nothing',
      '/.env',
      '/geoserver/wms',
    ]) {
      const response = await fetch(installation.app.url + path);
      expect([path, response.status, problem.parse(await response.json()).code]).toEqual([
        path,
        404,
        'NOT_FOUND',
      ]);
    }
  });

  it('API-1: has stored nothing and not failed once in all of this', async () => {
    expect(installation.app.log.filter((line) => line.level >= 50)).toEqual([]);
    expect(await dump(installation.app.database)).toEqual(before);
  });
});

/** Values that have brought down databases, loggers and parsers. */
const hostileTexts = fc.constantFrom(
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff',
  '%',
  '_',
  '\\',
  "'",
  '"',
  "'; drop table person; --",
  '${jndi:x}',
  '\u202e',
  '\ufeff',
  '\r\nSet-Cookie: a=b',
  'a'.repeat(5_000),
  '9'.repeat(400),
  '-0',
  'NaN',
  '[object Object]',
  '/../../etc/passwd',
  '👩‍🚀'.repeat(50),
);

const pointers = (errors: readonly FieldProblem[]) => errors.map((error) => error.pointer);
