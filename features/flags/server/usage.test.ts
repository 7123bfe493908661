import {
  createFlag,
  evaluateFeatures,
  listClientKeys,
  listManagedClientKeys,
  readFeatures,
  switchFlag,
  updateFlag,
  type ClientKeyKind,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import { getFlagUsage, unreadAfterMs } from '#features/flags/contract/usage.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { growthbookTrackingPlugin } from '@growthbook/growthbook/plugins';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { engines, oneEngine, type Engine } from '#server/testing/fresh-database.ts';
import { flagClient } from '#server/testing/flag-client.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const noon = Date.parse('2026-11-23T12:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Operator = { accessToken: string };

async function open(engine: Engine) {
  const clock = movableClock(noon);
  const app = await startApp({ engine, clock });
  const token = { rights: builtInRoles.operator, clock, lifetimeMs: 90 * day };
  const operator = { accessToken: await addToken(app, token) };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  const key = (kind: ClientKeyKind) => clientKeys.find((one) => one.kind === kind)?.key ?? '';
  return { app, clock, operator, key };
}

async function makeFlag(
  app: TestApp,
  operator: Operator,
  key: string,
  defaultValue: unknown,
  rules: FlagRule[],
) {
  const body = {
    key,
    defaultValue,
    rules,
    type: 'json' as const,
    description: '',
    tags: [],
    enabled: true,
    forSignedOut: true,
  };
  expect((await app.call(createFlag, { body }, operator)).problem).toBe(null);
}

/** Writes what was counted, and asks for it. */
async function usageOf(app: TestApp, operator: Operator, flagKey: string) {
  await vi.advanceTimersByTimeAsync(minute);
  return (await app.call(getFlagUsage, { params: { flagKey } }, operator)).body;
}

const evaluate = (app: TestApp, clientKey: string, country: string) =>
  app.call(evaluateFeatures, { params: { clientKey }, body: { attributes: { country } } } as never);

async function ofrep(app: TestApp, clientKey: string, path: string, country: string) {
  const response = await fetch(`${app.url}/ofrep/v1/evaluate/flags${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${clientKey}` },
    body: JSON.stringify({ context: { country } }),
  });
  await response.arrayBuffer();
  return response.status;
}

const german: FlagRule[] = [{ condition: { country: 'DE' }, force: 'de' }];

describe.each(engines)('use of flags on %s', (engine) => {
  it('FLAG-16: evaluations of all wires and processes are counted by value and key', async () => {
    const { app, clock, operator, key } = await open(engine);
    await makeFlag(app, operator, 'LANGUAGE', 'en', german);
    await makeFlag(app, operator, 'CONSTANT', 1, []);
    // SQLite has one process.
    const other = engine === 'sqlite' ? app : await startApp({ replicaOf: app, clock });
    const remote = key('remote-eval');
    // The third is answered from the results that are shared.
    for (let count = 0; count < 3; count += 1) await evaluate(app, remote, 'DE');
    await evaluate(other, remote, 'FR');
    expect(await ofrep(app, remote, '/LANGUAGE', 'DE')).toBe(200);
    expect(await ofrep(app, remote, '', 'FR')).toBe(200);
    const person = await signIn(app, { roles: ['operator'] });
    await person.call(readFeatures, { params: { clientKey: key('personal') } });
    await app.call(readFeatures, { params: { clientKey: key('personal') } });

    await expect
      .poll(async () => (await usageOf(app, operator, 'LANGUAGE')).values)
      .toEqual([
        { value: '"de"', evaluations: 4, seen: 0 },
        { value: '"en"', evaluations: 4, seen: 0 },
      ]);
    const { keys, days, hours, lastRead } = await usageOf(app, operator, 'LANGUAGE');
    expect(keys.map(({ name, evaluations }) => `${name}: ${evaluations}`).toSorted()).toEqual([
      'Portico itself: 2',
      'SDKs with remote evaluation: 6',
    ]);
    expect([days.length, hours.length]).toEqual([30, 24]);
    expect([days.at(-1)?.evaluations, hours.at(-1)?.evaluations]).toEqual([8, 8]);
    expect(lastRead).toBe(noon);
    const constant = await usageOf(app, operator, 'CONSTANT');
    expect([constant.values, constant.lastRead]).toEqual([[{ value: '1', evaluations: 7, seen: 0 }], null]);
  });

  it('FLAG-16: what was counted before an end is written, and after 30 days it is gone', async () => {
    const { app, clock, operator, key } = await open(engine);
    await makeFlag(app, operator, 'LANGUAGE', 'en', german);
    await evaluate(app, key('remote-eval'), 'FR');
    await app.stop();
    const after = await startApp({ after: app, clock });
    await evaluate(after, key('remote-eval'), 'FR');
    const written = () => usageOf(after, operator, 'LANGUAGE');
    await expect.poll(async () => (await written()).values[0]?.evaluations).toBe(2);

    const steps = async () => {
      await after.sweep();
      const rows = await after.database.read.selectFrom('flag_usage').select('step').distinct().execute();
      return rows.map(({ step }) => step).toSorted((a, b) => a - b);
    };
    clock.move(2 * day - hour);
    expect(await steps()).toEqual([5 * minute, day]);
    clock.move(2 * hour);
    expect(await steps()).toEqual([day]);
    clock.move(27 * day);
    expect(await steps()).toEqual([day]);
    clock.move(2 * day);
    expect(await steps()).toEqual([]);
  });
});

const reported = (feature: unknown, value: unknown) => ({
  event_name: 'Feature Evaluated',
  properties_json: { feature, value, source: 'force' },
  sdk_language: 'js',
  sdk_version: '1.8.0',
});

async function track(app: TestApp, clientKey: string, body: unknown) {
  const response = await fetch(`${app.url}/track?client_key=${clientKey}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', origin: 'https://shop.example.org', cookie: 'a=1' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  await response.arrayBuffer();
  return [response.status, response.headers.get('access-control-allow-origin')];
}

describe.each(oneEngine)('results that SDKs report on %s', (engine) => {
  it("FLAG-16: GrowthBook's tracking plugin reports what a plain key's SDK used, and nothing of the person is stored", async () => {
    const { app, operator, key } = await open(engine);
    await makeFlag(app, operator, 'LANGUAGE', 'en', german);
    const client = await flagClient(app.url, key('plain'), {
      attributes: { id: 'secret-person', country: 'DE' },
      plugins: [growthbookTrackingPlugin({ ingestorHost: app.url, queueFlushInterval: 1 })],
    });
    for (let count = 0; count < 3; count += 1) expect(client.getFeatureValue('LANGUAGE', '')).toBe('de');
    await client.setAttributes({ id: 'secret-person', country: 'FR' });
    expect(client.getFeatureValue('LANGUAGE', '')).toBe('en');
    client.getFeatureValue('MISSING', '');
    await client.logEvent('Bought', { feature: ['LANGUAGE'], value: 'secret-basket' });

    await expect
      .poll(async () => (await usageOf(app, operator, 'LANGUAGE')).values)
      .toEqual([
        { value: '"de"', evaluations: 0, seen: 1 },
        { value: '"en"', evaluations: 0, seen: 1 },
      ]);
    // Problems with the use of a key are shown where the key is managed.
    await app.call(readFeatures, { params: { clientKey: key('remote-eval') } });
    const wrong = { params: { clientKey: key('remote-eval') }, body: { attributes: 'DE' } };
    expect((await app.call(evaluateFeatures, wrong as never)).status).toBe(400);
    const { verdict, keys, silent } = await usageOf(app, operator, 'LANGUAGE');
    const nothing = { lastRead: null, refused: 0, lastRefused: null, unkept: 0, unknownFlags: 0, sdks: [] };
    const healthOf = async (kind: ClientKeyKind) => {
      await vi.advanceTimersByTimeAsync(minute);
      const { health } = (await app.call(listManagedClientKeys, {}, operator)).body;
      return health.find((one) => one.key === key(kind));
    };
    await expect
      .poll(() => healthOf('remote-eval'))
      .toEqual({ ...nothing, key: key('remote-eval'), refused: 2, lastRefused: noon });
    await expect
      .poll(() => healthOf('plain'))
      .toEqual({
        ...nothing,
        key: key('plain'),
        lastRead: noon,
        unknownFlags: 1,
        sdks: ['js 1.8.0'],
      });
    expect(await healthOf('personal')).toEqual({ ...nothing, key: key('personal') });
    expect([verdict, keys, silent]).toEqual([
      'read',
      [{ name: 'SDKs that evaluate', evaluations: 0, seen: 2, lastAt: noon, sdks: ['js 1.8.0'] }],
      [],
    ]);
    const rows = await app.database.read.selectFrom('flag_usage').selectAll().execute();
    expect(JSON.stringify([rows, app.log])).not.toContain('secret-');
  });
});

describe('what is sent to /track', () => {
  it.each([
    ['no JSON', '[{', 400],
    ['nothing', '', 400],
    ['an object', {}, 422],
    ['texts in the place of events', ['a'], 422],
    ['a list as the name of an event', [{ event_name: ['Feature Evaluated'] }], 422],
    ['a list as a version', [{ ...reported('ONE', 1), sdk_version: ['1'] }], 422],
    ['a list as properties', [{ ...reported('ONE', 1), properties_json: [] }], 422],
    ['501 events', Array.from({ length: 501 }, () => reported('ONE', 1)), 422],
    ['60,000 levels', '['.repeat(60_000) + ']'.repeat(60_000), 400],
    ['2 MB', [{ ...reported('ONE', 1), url: 'x'.repeat(2_000_000) }], 413],
    ['another key', [reported('ONE', 1)], 400, 'sdk-unknown'],
  ])(
    'FLAG-16: %s is refused, which pages of every origin can read',
    async (_name, body, status, other = '') => {
      const { app, operator, key } = await open('sqlite');
      await makeFlag(app, operator, 'ONE', 1, []);
      expect(await track(app, other || key('plain'), body)).toEqual([status, '*']);
      await app.stop();
      const after = await startApp({ after: app });
      const rows = await after.database.read.selectFrom('flag_usage').select('kind').distinct().execute();
      expect(rows).toEqual(other === '' ? [{ kind: 'refused' }] : []);
    },
  );

  it('FLAG-16: forged events add to few rows: no names, values or versions of their own', async () => {
    const { app, operator, key } = await open('sqlite');
    await makeFlag(app, operator, 'ONE', 1, []);
    const names = Array.from({ length: 10_000 }, (_, at) => `NAME_${at}`);
    const odd = ['__proto__', 'constructor', ['ONE'], { a: 1 }, null, 7];
    for (let from = 0; from < names.length; from += 500)
      expect(
        await track(
          app,
          key('plain'),
          names.slice(from, from + 500).map((name) => reported(name, 1)),
        ),
      ).toEqual([204, '*']);
    await track(app, key('plain'), [
      ...odd.map((name) => reported(name, 1)),
      ...names.slice(0, 300).map((name, at) => ({ ...reported('ONE', name), sdk_version: `1.${at}` })),
      { event_name: 'x'.repeat(10_000), sdk_language: 'x'.repeat(10_000), sdk_version: '<b>' },
      JSON.parse('{"event_name":"Feature Evaluated","properties_json":{"__proto__":{"feature":"ONE"}}}'),
    ]);
    await expect
      .poll(async () => (await usageOf(app, operator, 'ONE')).values)
      .toEqual([{ value: '', evaluations: 0, seen: 300 }]);
    const rows = await app.database.read
      .selectFrom('flag_usage')
      .select(['kind', 'count'])
      .where('step', '=', day)
      .execute();
    const countOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ count }) => count);
    expect([countOf('unknown'), countOf('seen'), countOf('sdk').length]).toEqual([[10_007], [300], 21]);
  });

  it('FLAG-16 API-2: a flood is refused, and neither a flag nor a sign-in', async () => {
    const app = await startApp({ engine: 'sqlite', clock: movableClock(), config: { rateLimitScale: 0.01 } });
    const operator = { accessToken: await addToken(app, { rights: builtInRoles.operator }) };
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const plain = clientKeys.find(({ kind }) => kind === 'plain')?.key ?? '';
    const remote = clientKeys.find(({ kind }) => kind === 'remote-eval')?.key ?? '';
    const answers = await Promise.all(Array.from({ length: 60 }, () => track(app, plain, [])));
    expect(answers).toContainEqual([429, '*']);
    expect((await evaluate(app, remote, 'DE')).status).toBe(200);
    await signIn(app, { roles: ['member'] });
  });
});

describe('whether code reads a flag', () => {
  async function askedLater() {
    const { app, clock, operator, key } = await open('sqlite');
    await makeFlag(app, operator, 'OLD', true, []);
    await makeFlag(app, operator, 'NARROW', true, german);
    const plain = key('plain');
    await ofrep(app, key('remote-eval'), '/OLD', 'DE');
    const verdict = async (flagKey: string) => {
      const { verdict: found, safeToRemove, silent } = await usageOf(app, operator, flagKey);
      return [found, safeToRemove, silent];
    };
    await expect.poll(() => verdict('OLD')).toEqual(['read', false, []]);
    expect(await verdict('NARROW')).toEqual(['not-known', false, []]);
    clock.move(unreadAfterMs + 2 * day);
    return { app, clock, operator, plain, verdict };
  }

  it('FLAG-16: one that was asked for by name and is not for 14 days may be removed where it is the same for everyone', async () => {
    const { app, operator, verdict } = await askedLater();
    expect(await verdict('OLD')).toEqual(['unread', true, []]);
    expect(await verdict('NARROW')).toEqual(['unread', false, []]);
    const rules = [{ force: 1, parentConditions: [{ id: 'OLD', condition: { value: true } }] }];
    await makeFlag(app, operator, 'CHILD', 0, rules);
    expect(await verdict('OLD')).toEqual(['unread', false, []]);
    expect(await verdict('CHILD')).toEqual(['not-known', false, []]);
  });

  it('FLAG-16: it is not known where a client has all flags and does not report', async () => {
    const { app, plain, verdict } = await askedLater();
    const read = () => app.call(readFeatures, { params: { clientKey: plain } });
    await read();
    await expect.poll(() => verdict('OLD')).toEqual(['not-known', false, ['SDKs that evaluate']]);
  });

  it("FLAG-16: Portico's own web reads no flag of an operator, which shows nothing of others", async () => {
    const { app, operator, verdict } = await askedLater();
    const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
    const own = clientKeys.find(({ kind }) => kind === 'personal')?.key ?? '';
    await fetch(`${app.url}/api/features/${own}?t_=1`);
    const counted = () =>
      app.database.read.selectFrom('flag_usage').where('kind', '=', 'own').select('at').execute();
    await expect
      .poll(async () => {
        await vi.advanceTimersByTimeAsync(minute);
        return (await counted()).length;
      })
      .toBeGreaterThan(0);
    expect(await verdict('OLD')).toEqual(['unread', true, []]);
  });

  it('FLAG-16: one that is off still counts as read where a client asks for it', async () => {
    const { app, operator, key } = await open('sqlite');
    await makeFlag(app, operator, 'OLD', true, []);
    await app.call(
      switchFlag,
      { params: { flagKey: 'OLD' }, body: { enabled: false, version: 1 } },
      operator,
    );
    expect(await ofrep(app, key('remote-eval'), '/OLD', 'DE')).toBe(404);
    await ofrep(app, key('remote-eval'), '/MISSING', 'DE');
    await expect.poll(async () => (await usageOf(app, operator, 'OLD')).verdict).toBe('read');
    const rows = await app.database.read.selectFrom('flag_usage').select('flag_key').distinct().execute();
    expect(rows.map(({ flag_key: key }) => key).toSorted()).toEqual(['', 'OLD']);
  });

  it('FLAG-16: of many values 20 are counted apart, also across a change of the flag', async () => {
    const { app, operator, key } = await open('sqlite');
    const rules = Array.from({ length: 30 }, (_, at) => ({ condition: { country: `c${at}` }, force: at }));
    await makeFlag(app, operator, 'MANY', 'x'.repeat(5_000), rules);
    for (let at = 0; at < 30; at += 1) await evaluate(app, key('remote-eval'), `c${at}`);
    const body = { type: 'json' as const, description: '', tags: [], rules: [], defaultValue: 3, version: 1 };
    await app.call(updateFlag, { params: { flagKey: 'MANY' }, body }, operator);
    await evaluate(app, key('remote-eval'), 'c1');
    await expect.poll(async () => (await usageOf(app, operator, 'MANY')).values.length).toBe(20);
    const { values } = await usageOf(app, operator, 'MANY');
    expect(values.slice(0, 2)).toEqual([
      { value: '', evaluations: 11, seen: 0 },
      { value: '3', evaluations: 2, seen: 0 },
    ]);
  });
});
