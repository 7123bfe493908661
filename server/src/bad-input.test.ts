import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { problem, type FieldProblem } from '@portico/contract/problem';
import type { Route } from '@portico/contract/route';
import { badTexts, bodyLimitOf, mistakesIn } from './testing/bad-values.ts';
import { contractRoutes, isForeignWire, needsBearer } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { engines, type Engine } from './testing/fresh-database.ts';
import { startInhabitedApp, type InhabitedApp } from './testing/inhabited-app.ts';
import { bodyFor, paramsFor, request, type RouteAnswer, type RouteRequest } from './testing/route-request.ts';

const routes = await contractRoutes();
const writing = routes.filter(([, route]) => route.method !== 'GET');
const withBody = routes.filter(([, route]) => route.body !== undefined);
const withParams = routes.filter(([, route]) => route.params !== undefined);
const withQuery = routes.filter(([, route]) => route.query !== undefined);

const outcome = ({ status, code }: RouteAnswer) => `${status} ${code ?? ''}`.trim();

const unknownIds: Record<string, (route: Route) => string> = {
  personId: () => '404 NOT_FOUND',
  userId: () => '404 NOT_FOUND',
  flagKey: () => '404 NOT_FOUND',
  fileId: () => '404 NOT_FOUND',
  reportId: () => '404 NOT_FOUND',
  connectionId: () => '404 NOT_FOUND',
  webhookId: () => '404 NOT_FOUND',
  tokenId: () => '404 NOT_FOUND',
  markId: () => '404 NOT_FOUND',
  sessionId: () => '404 NOT_FOUND',
  windowId: () => '404 NOT_FOUND',
  deliveryId: () => '404 NOT_FOUND',
  entryId: () => '404 NOT_FOUND',
  right: () => '404 NOT_FOUND',
  role: () => '404 NOT_FOUND',
  mappingId: () => '404 NOT_FOUND',
  effect: () => '400 INVALID_REQUEST',
  // A sign-in that is over or was never begun; its page tells so.
  uid: ({ method }) => (method === 'GET' ? '200' : '410 LINK_INVALID'),
  // GrowthBook's SDKs expect 400.
  clientKey: (route) => (isForeignWire(route) ? '400' : '404 NOT_FOUND'),
};

/** A house of the test file's own, and calls in it by somebody who may do everything: only the input is wrong. */
function useHouse(engine: Engine) {
  let house: InhabitedApp;

  beforeAll(async () => {
    house = await startInhabitedApp(engine);
    return async () => {
      await house.app.stop();
      await house.app.place.remove();
    };
  });

  function ask(route: Route, options: RouteRequest = {}): Promise<RouteAnswer> {
    const { accessToken, browser } = house.operator;
    return request(house.app.url, route, {
      ...(needsBearer(route) ? { accessToken } : {}),
      ...(route.access === 'session' ? { cookies: browser.cookies } : {}),
      ...options,
    });
  }

  /** The same of things that exist. */
  const known = (route: Route): Record<string, string> =>
    paramsFor(route, {
      personId: house.invitedId,
      userId: house.member.id,
      flagKey: house.flagKey,
      fileId: house.fileId,
      reportId: house.reportId,
      webhookId: house.webhookId,
      right: 'MAP_VIEW',
      effect: 'grant',
      clientKey: house.clientKeys[route.path.startsWith('/api/eval') ? 'remote-eval' : 'plain'],
    });

  async function storesNothing(work: () => Promise<void>): Promise<void> {
    const before = await dump(house.app.database);
    const logged = house.app.log.length;
    await work();
    expect(house.app.log.slice(logged).filter((line) => line.level >= 50)).toEqual([]);
    expect(await dump(house.app.database)).toEqual(before);
  }

  return { ask, known, storesNothing, url: () => house.app.url };
}

/** A problem with this code; on the wires of others their error with its status. */
function expectRefused(route: Route, answer: RouteAnswer, status: number, code: string): void {
  const told = isForeignWire(route)
    ? { status: answer.json?.['status'], code }
    : { status: answer.status, code: answer.code };
  expect([told, answer.status]).toEqual([{ status, code }, status]);
  expect(answer.headers.get('content-type')).toMatch(
    isForeignWire(route) ? /^application\/json/ : /^application\/problem\+json/,
  );
}

describe.each(engines)('bad input on %s', (engine) => {
  const { ask, known, storesNothing } = useHouse(engine);

  it.each(withBody)(
    'API-1: %s refuses every single mistake in its body, and points at it',
    async (_name, route) => {
      await storesNothing(async () => {
        const params = known(route);
        for (const { what, value, pointer } of mistakesIn(route.body as z.ZodMiniType)) {
          const answer = await ask(route, { params, body: value });
          expect([what, outcome(answer)]).toEqual([what, '422 INVALID_BODY']);
          const { errors = [] } = problem.parse(answer.json);
          expect([what, pointers(errors)]).toEqual([what, expect.arrayContaining([pointer])]);
        }
        expect(outcome(await ask(route, { params }))).toBe('422 INVALID_BODY');
      });
    },
  );

  it.each(withParams)('API-1: %s refuses ids of nothing', async (_name, route) => {
    await storesNothing(async () => {
      for (const name of Object.keys(paramsFor(route))) {
        const query = route.path === '/v1/flags/:flagKey' && route.method === 'DELETE' ? 'version=1' : '';
        const params = { ...known(route), [name]: paramsFor(route)[name] ?? '' };
        expect([name, outcome(await ask(route, { params, query, body: bodyFor(route) }))]).toEqual([
          name,
          unknownIds[name]?.(route),
        ]);
      }
    });
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
        const answer = await ask(route, {
          params: paramsFor(route),
          query: new URLSearchParams(query).toString(),
        });
        expect([query, answer.status < 500]).toEqual([query, true]);
        const told = wrong.length === 0 ? [] : pointers(problem.parse(answer.json).errors ?? []);
        const expected = wrong.map((issue) => `/${issue.path.join('/')}`);
        expect([query, told, wrong.length === 0 || outcome(answer) === '400 INVALID_REQUEST']).toEqual([
          query,
          expected,
          true,
        ]);
      };
      await storesNothing(async () => {
        for (const { name, text } of texts) await tryOut({ ...rest, [name]: text });
        await fc.assert(
          fc.asyncProperty(
            fc.constantFrom(...names),
            fc.oneof(fc.string({ unit: 'binary' }), hostileTexts),
            (name, text) => tryOut({ ...rest, [name]: text.toWellFormed() }),
          ),
          { numRuns: 40 },
        );
        for (const name of names) {
          // Some are ignored where they make no sense, as `returnTo` is.
          const refused = !z.safeParse(schema, { ...rest, [name]: ['1', '2'] }).success;
          const twice = await ask(route, { params: paramsFor(route), query: `${name}=1&${name}=2` });
          expect([name, twice.code === 'INVALID_REQUEST']).toEqual([name, refused]);
        }
      });
    },
  );
});

// What no storage has a part in.
describe('bad input at the door', () => {
  const { ask, known, storesNothing, url } = useHouse('sqlite');

  it.each(writing)(
    'API-1: %s refuses a body that is no JSON, of another type, or too large',
    async (_name, route) => {
      await storesNothing(async () => {
        const params = known(route);
        const bytes = Buffer.from([0xff, 0xfe, 0x00]);
        for (const raw of [
          '',
          '{"a":',
          'nonsense',
          '{"a":1}{"b":2}',
          '{"__proto__":{"a":1}}',
          "{'a':1}",
          '\u0000',
          bytes,
        ]) {
          expectRefused(route, await ask(route, { params, raw }), 400, 'BAD_JSON');
        }
        for (const contentType of [
          'text/plain',
          // What a provider sends (Back-Channel Logout 1.0, 2.5); no other route takes one.
          ...(route.path === '/auth/backchannel-logout' ? [] : ['application/x-www-form-urlencoded']),
          ...(route.form === undefined ? ['multipart/form-data; boundary=x'] : []),
          'application/xml',
          'x',
        ]) {
          expectRefused(
            route,
            await ask(route, { params, raw: '{"a":1}', contentType }),
            415,
            'UNSUPPORTED_MEDIA_TYPE',
          );
        }
        if (route.form !== undefined) {
          const json = await ask(route, { params, body: { a: 1 } });
          expectRefused(route, json, 415, 'UNSUPPORTED_MEDIA_TYPE');
        }
        const tooLarge = JSON.stringify({ a: 'x'.repeat(bodyLimitOf(route)) });
        expectRefused(route, await ask(route, { params, raw: tooLarge }), 413, 'TOO_LARGE');
      });
    },
  );

  it.each(withBody)('API-1: %s refuses whatever its contract refuses', async (_name, route) => {
    const schema = route.body as z.ZodMiniType;
    const good = bodyFor(route) as Record<string, unknown>;
    const anything = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
    const almostGood = fc
      .tuple(fc.constantFrom(...Object.keys(good)), fc.oneof(anything, hostileTexts))
      .map(([name, value]): unknown => ({ ...good, [name]: value }));
    await storesNothing(async () => {
      const params = known(route);
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, almostGood), async (body) => {
          fc.pre(!z.safeParse(schema, body).success);
          const text = JSON.stringify(body);
          // Refused as JSON already, for what it could do to a prototype.
          fc.pre(!/"(__proto__|prototype)"/.test(text));
          const tooLarge = Buffer.byteLength(text) > bodyLimitOf(route);
          expect(outcome(await ask(route, { params, body }))).toBe(
            tooLarge ? '413 TOO_LARGE' : '422 INVALID_BODY',
          );
        }),
        { numRuns: 25 },
      );
    });
  });

  it.each(withBody)('API-1: %s is not brought down by nesting', async (_name, route) => {
    await storesNothing(async () => {
      const whole = bodyFor(route) as Record<string, unknown>;
      const levels = Math.floor((bodyLimitOf(route) - JSON.stringify(whole).length) / 2) - 20;
      const deep = `${'['.repeat(levels)}${']'.repeat(levels)}`;
      for (const name of Object.keys(whole)) {
        const raw = JSON.stringify({ ...whole, [name]: 'HERE' }).replace('"HERE"', deep);
        const { status } = await ask(route, { params: known(route), raw });
        // Refused before it is parsed; a report may be that large for its pictures only.
        expect([name, status]).toEqual([name, route.path === '/v1/feedback' ? 413 : 400]);
      }
    });
  });

  it.each(withParams)('API-1: %s refuses ids that are none', async (_name, route) => {
    await storesNothing(async () => {
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
  });

  it.each(routes)('API-1: %s leaves the other methods of its path to 405', async (_name, route) => {
    if (route.path === '/*') return;
    const here = routes.filter(([, other]) => other.path === route.path).map(([, other]) => other.method);
    const methods = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter((method) => !here.includes(method));
    await storesNothing(async () => {
      for (const method of methods) {
        const answer = await ask({ ...route, method }, { params: known(route) });
        expect([method, outcome(answer)]).toEqual([method, '405 METHOD_NOT_ALLOWED']);
        expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual([...here].toSorted());
      }
    });
  });

  it('FLAG-1: a remote evaluation is refused or answered, whatever is sent', async () => {
    const [, route] = routes.find(([name]) => name === 'evaluateFeatures') ?? [];
    if (route === undefined) throw new Error('It is gone.');
    const anything = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
    const almostGood = fc.record(
      { attributes: anything, forcedVariations: anything, forcedFeatures: anything, url: anything },
      { requiredKeys: [] },
    );
    await storesNothing(async () => {
      await fc.assert(
        fc.asyncProperty(fc.oneof(anything, almostGood), async (body) => {
          expect([200, 400]).toContain((await ask(route, { params: known(route), body })).status);
        }),
        { numRuns: 100 },
      );
    });
  });

  it('API-1: an unknown path is 404, however it is written', async () => {
    await storesNothing(async () => {
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
        const response = await fetch(url() + path);
        expect([path, response.status, problem.parse(await response.json()).code]).toEqual([
          path,
          404,
          'NOT_FOUND',
        ]);
      }
    });
  });
});

/** What has brought down databases, loggers and parsers. */
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
