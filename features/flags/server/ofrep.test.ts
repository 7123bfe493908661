import {
  createFlag,
  evaluateFeatures,
  listClientKeys,
  revokeClientKey,
  switchFlag,
  updateFlag,
  type ClientKeyKind,
  type FlagRule,
} from '#features/flags/contract/flags.ts';
import { setMaintenance } from '#features/maintenance/contract/settings.ts';
import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { GrowthbookClientProvider } from '@openfeature/growthbook-client-provider';
import { GrowthbookProvider } from '@openfeature/growthbook-provider';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature as ServerSdk } from '@openfeature/server-sdk';
import { OpenFeature as WebSdk, type Provider } from '@openfeature/web-sdk';
import { EventSource } from 'eventsource';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { movableClock } from '#server/testing/movable-clock.ts';
import { startApp, type StartOptions, type TestApp } from '#server/testing/app.ts';
import { openStream } from '#server/testing/flag-client.ts';
import { afterThisTest } from '#server/testing/fresh-database.ts';
import { addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';

type Installation = { app: TestApp; operator: { accessToken: string }; key: (kind: ClientKeyKind) => string };

async function open(options: Partial<StartOptions> = {}): Promise<Installation> {
  const app = await startApp({ engine: 'sqlite', ...options });
  const operator = { accessToken: await addToken(app, { rights: builtInRoles.operator }) };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  return { app, operator, key: (kind) => clientKeys.find((one) => one.kind === kind)?.key ?? '' };
}

const draft = { type: 'json' as const, description: '', tags: [], enabled: true };

async function makeFlag(
  { app, operator }: Installation,
  key: string,
  defaultValue: unknown,
  rules: FlagRule[] = [],
  more: object = {},
) {
  const body = { ...draft, key, defaultValue, rules, ...more };
  const made = await app.call(createFlag, { body }, operator);
  expect([made.status, made.problem]).toEqual([201, null]);
  return made.body;
}

type Sent = { key?: string; body?: unknown; headers?: Record<string, string>; method?: string };

/** Asks with what a provider would send; `flag` left out: all. */
async function ask({ app }: Installation, flag: string | undefined, { key, body, headers, method }: Sent) {
  const path = `/ofrep/v1/evaluate/flags${flag === undefined ? '' : `/${flag}`}`;
  const response = await fetch(app.url + path, {
    method: method ?? 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    json: (text === '' ? null : JSON.parse(text)) as Record<string, unknown> & {
      flags: Record<string, unknown>[];
      eventStreams: { endpoint: { requestUri: string } }[];
    },
  };
}

const [german, french] = [
  { targetingKey: 'u1', country: 'DE' },
  { targetingKey: 'u1', country: 'FR' },
];

describe('OFREP', () => {
  it('FLAG-13 FLAG-1: gives the values of remote evaluation, one by one and all at once, for any rules', async () => {
    const installation = await open();
    const { app, operator, key } = installation;
    await makeFlag(installation, 'PARENT', 'x', [{ condition: { country: 'de' }, force: null }]);
    let { version } = await makeFlag(installation, 'TARGET', null);
    const rule = fc.oneof(
      fc.record({
        condition: fc.record({ country: fc.constantFrom('de', 'fr') }),
        force: fc.jsonValue({ maxDepth: 1 }),
      }),
      fc.record({ force: fc.integer(), coverage: fc.constantFrom(0, 0.5, 1) }),
      fc.record({
        condition: fc.record({ targetingKey: fc.record({ $exists: fc.boolean() }) }),
        force: fc.integer(),
      }),
      fc.record({ variations: fc.constant([1, 'two', null]), coverage: fc.constantFrom(0.5, 1) }),
      fc.record({
        parentConditions: fc.tuple(
          fc.record({
            id: fc.constant('PARENT'),
            condition: fc.constant({ value: 'x' }),
            gate: fc.boolean(),
          }),
        ),
        force: fc.boolean(),
      }),
    );
    const context = fc.record(
      { targetingKey: fc.constantFrom('a', 'b', 'c', ''), country: fc.constantFrom('de', 'fr', null) },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(rule, { maxLength: 4 }),
        fc.array(context, { minLength: 3, maxLength: 5 }),
        async (defaultValue, rules, contexts) => {
          fc.pre(!/__proto__|constructor/.test(JSON.stringify([defaultValue, rules])));
          const { enabled: _enabled, ...rest } = draft;
          const body = { ...rest, defaultValue, rules: rules as FlagRule[], version };
          const saved = await app.call(updateFlag, { params: { flagKey: 'TARGET' }, body }, operator);
          fc.pre(saved.status === 200);
          ({ version } = saved.body);
          for (const { ...one } of contexts) {
            const attributes = one.targetingKey === undefined ? one : { ...one, id: one.targetingKey };
            const evaluated = (await app.call(evaluateFeatures, {
              params: { clientKey: key('remote-eval') },
              body: { attributes },
            } as never)) as unknown as { body: { features: Record<string, { defaultValue: unknown }> } };
            const expected = Object.entries(evaluated.body.features).map(([flag, feature]) => [
              flag,
              feature.defaultValue,
            ]);
            const { json } = await ask(installation, undefined, {
              key: key('remote-eval'),
              body: { context: one },
            });
            const values = json.flags.map((flag) => [flag['key'], flag['value'] ?? null]);
            expect(Object.fromEntries(values)).toEqual(Object.fromEntries(expected));
            const single = await ask(installation, 'TARGET', { key: key('plain'), body: { context: one } });
            expect(single.json).toEqual(json.flags.find((flag) => flag['key'] === 'TARGET'));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('FLAG-13: says why a flag has its value, and names the value', async () => {
    const installation = await open();
    const off = await makeFlag(installation, 'OFF', true, [], { type: 'boolean' });
    await installation.app.call(
      switchFlag,
      { params: { flagKey: 'OFF' }, body: { enabled: false, version: off.version } },
      installation.operator,
    );
    await makeFlag(installation, 'STATIC', true, [], { type: 'boolean' });
    await makeFlag(installation, 'TEXT', 'a', [{ condition: { country: 'DE' }, force: 'b' }]);
    await makeFlag(installation, 'ROLLOUT', false, [{ force: true, coverage: 1 }], { type: 'boolean' });
    await makeFlag(installation, 'NOTHING', null);
    await makeFlag(installation, 'LIMITS', { most: 3 });
    await makeFlag(installation, 'TRIAL', 'none', [
      { key: 'exp', variations: ['a', 'b'], weights: [0, 1], meta: [{ key: 'old' }, { key: 'new' }] },
    ]);
    await makeFlag(installation, 'AFTER_TRIAL', 'x', [
      {
        parentConditions: [{ id: 'TRIAL', condition: { value: 'b' } }],
        condition: { country: 'DE' },
        force: 'y',
      },
    ]);
    const evaluate = async (context: object) =>
      (await ask(installation, undefined, { key: installation.key('plain'), body: { context } })).json.flags
        .filter((flag) => !String(flag['key']).startsWith('MAINTENANCE'))
        .toSorted((a, b) => String(a['key']).localeCompare(String(b['key'])));
    const variant = expect.stringMatching(/^[0-9a-f]{8}$/) as string;
    const limits = { key: 'LIMITS', value: { most: 3 }, reason: 'STATIC', variant };
    expect(await evaluate(german)).toEqual([
      { key: 'AFTER_TRIAL', value: 'y', reason: 'TARGETING_MATCH', variant: 'y' },
      limits,
      { key: 'NOTHING', reason: 'DEFAULT' },
      { key: 'ROLLOUT', value: true, reason: 'SPLIT', variant: 'true' },
      { key: 'STATIC', value: true, reason: 'STATIC', variant: 'true' },
      { key: 'TEXT', value: 'b', reason: 'TARGETING_MATCH', variant: 'b' },
      { key: 'TRIAL', value: 'b', reason: 'SPLIT', variant: 'new', metadata: { experiment: 'exp' } },
    ]);
    // Without a targeting key no one is in a share, as in the SDK.
    expect(await evaluate({})).toEqual([
      { key: 'AFTER_TRIAL', value: 'x', reason: 'DEFAULT', variant: 'x' },
      limits,
      { key: 'NOTHING', reason: 'DEFAULT' },
      { key: 'ROLLOUT', value: false, reason: 'DEFAULT', variant: 'false' },
      { key: 'STATIC', value: true, reason: 'STATIC', variant: 'true' },
      { key: 'TEXT', value: 'a', reason: 'DEFAULT', variant: 'a' },
      { key: 'TRIAL', value: 'none', reason: 'DEFAULT', variant: 'none' },
    ]);
  });

  it('FLAG-13: answers 304 for the same context, key and version alone', async () => {
    const installation = await open();
    await makeFlag(installation, 'ONE', 1);
    const bulk = (kind: ClientKeyKind, context: object, etag?: string) =>
      ask(installation, undefined, {
        key: installation.key(kind),
        body: { context },
        headers: etag === undefined ? {} : { 'if-none-match': etag },
      });
    const etag = (await bulk('plain', german)).headers.get('etag') ?? '';
    const held = await bulk('plain', german, etag);
    expect([held.status, held.json, held.headers.get('etag')]).toEqual([304, null, etag]);
    // Their values are equal; what is held for one person is never taken for another.
    expect((await bulk('plain', french, etag)).status).toBe(200);
    expect((await bulk('plain', {}, etag)).status).toBe(200);
    expect((await bulk('remote-eval', german, etag)).status).toBe(200);
    await makeFlag(installation, 'TWO', 2);
    expect((await bulk('plain', german, etag)).status).toBe(200);
  });

  it('FLAG-13 FLAG-1 FLAG-9: a personal key evaluates for the person of the token, whatever the context claims', async () => {
    const installation = await open();
    const { app, operator, key } = installation;
    const rules = [{ condition: { roles: { $elemMatch: { $eq: 'operator' } } }, force: true }];
    await makeFlag(installation, 'CONSOLE', false, rules, { type: 'boolean' });
    await makeFlag(installation, 'SHOWN', 1, [], { forSignedOut: true });
    const olga = await signIn(app, { roles: ['operator'] });
    const mia = await signIn(app);
    const body = { context: { targetingKey: olga.id, id: olga.id, roles: ['operator'] } };
    const seen = async (bearer?: string) => {
      const headers = {
        'x-api-key': key('personal'),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      };
      const { json, headers: answered } = await ask(installation, undefined, { body, headers });
      const one = await ask(installation, 'CONSOLE', { body, headers });
      return [answered.get('etag'), json.flags.length, one.status, one.json['value']];
    };
    const answers = [
      await seen(olga.accessToken),
      await seen(mia.accessToken),
      await seen(),
      await seen(operator.accessToken),
    ];
    expect(answers.map(([, ...rest]) => rest)).toEqual([
      [4, 200, true],
      [4, 200, false],
      [3, 404, undefined],
      [3, 404, undefined],
    ]);
    expect(new Set(answers.map(([etag]) => etag)).size).toBe(3);
    expect((await ask(installation, undefined, { body, key: key('personal') })).json.flags).toHaveLength(3);
    const forged = await ask(installation, 'SHOWN', {
      body,
      headers: { 'x-api-key': key('personal'), authorization: 'Bearer not.a.token' },
    });
    expect([forged.status, forged.json]).toEqual([
      401,
      { key: 'SHOWN', errorCode: 'GENERAL', errorDetails: expect.any(String) as string },
    ]);
  });

  it('FLAG-13 FLAG-2: its stream asks for another evaluation at each change and after a gap, and ends with its key', async () => {
    const installation = await open();
    const { app, operator, key } = installation;
    const { json } = await ask(installation, undefined, { key: key('plain') });
    const { requestUri } = json.eventStreams[0]?.endpoint ?? { requestUri: '' };
    const stream = await openStream(app.url + requestUri);
    await makeFlag(installation, 'ONE', 1);
    const [first] = await stream.until(1);
    expect(first).toMatchObject({ event: 'message', data: '{"type":"refetchEvaluation"}' });
    expect((await (await openStream(app.url + requestUri)).until(1))[0]).toEqual(first);
    const current = await openStream(app.url + requestUri, { 'last-event-id': first?.id ?? '' });
    expect((await app.call(revokeClientKey, { params: { clientKey: key('plain') } }, operator)).status).toBe(
      204,
    );
    await Promise.all([stream.ended, current.ended]);
    expect([stream.events.length, current.events.length]).toEqual([1, 0]);
    expect((await ask(installation, undefined, { key: key('plain') })).status).toBe(401);
  });

  it('FLAG-13 MAINT-6: pages of every origin may ask, also during maintenance', async () => {
    const installation = await open();
    await installation.app.call(
      setMaintenance,
      { body: { mode: 'full', text: '', severity: 'HIGH', expectedEnd: null, version: 1 } },
      installation.operator,
    );
    const origin = 'https://shop.example.org';
    const preflight = await fetch(`${installation.app.url}/ofrep/v1/evaluate/flags`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,if-none-match,x-api-key',
      },
    });
    expect([preflight.status, Object.fromEntries(preflight.headers)]).toEqual([
      204,
      expect.objectContaining({
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization, content-type, if-none-match, x-api-key',
      }) as object,
    ]);
    const headers = { origin, 'x-api-key': installation.key('remote-eval') };
    const good = await ask(installation, undefined, { headers });
    expect(good.json.flags).toContainEqual({
      key: 'MAINTENANCE',
      value: true,
      reason: 'STATIC',
      variant: 'true',
    });
    expect(good.headers.get('access-control-expose-headers')).toContain('etag');
    const bad = await ask(installation, 'MISSING', { headers });
    expect([good, bad].map((each) => each.headers.get('access-control-allow-origin'))).toEqual(['*', '*']);
  });

  it('FLAG-13 API-2: a flood is answered 429 with when to ask again, which a page can read', async () => {
    const installation = await open({ clock: movableClock(), config: { rateLimitScale: 0.005 } });
    const key = installation.key('plain');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask(installation, 'MAINTENANCE', { key })),
    );
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ key: 'MAINTENANCE', errorCode: 'GENERAL' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('access-control-expose-headers')).toBe('retry-after');
  });

  describe('bad input', () => {
    let installation: Installation;
    beforeAll(async () => {
      installation = await open();
      await makeFlag(installation, 'ONE', 1);
    });

    it.each([
      ['no JSON', '{', 400, 'PARSE_ERROR'],
      ['60,000 levels', `{"context":${'['.repeat(60_000)}${']'.repeat(60_000)}}`, 400, 'PARSE_ERROR'],
      ['__proto__ as an attribute', '{"context":{"__proto__":{"country":"DE"}}}', 400, 'PARSE_ERROR'],
      ['a list as the body', '[]', 400, 'INVALID_CONTEXT'],
      ['a list as the context', '{"context":[]}', 400, 'INVALID_CONTEXT'],
      ['a text as the context', '{"context":"x"}', 400, 'INVALID_CONTEXT'],
      ['a list as targeting key', '{"context":{"targetingKey":["a"]}}', 400, 'INVALID_CONTEXT'],
      [
        '1,001 attributes',
        JSON.stringify({
          context: Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${at}`, at])),
        }),
        400,
        'INVALID_CONTEXT',
      ],
      ['over 2 MB', JSON.stringify({ context: { a: 'x'.repeat(2_200_000) } }), 413, 'GENERAL'],
    ])('FLAG-13: %s is refused with a code of OpenFeature', async (_name, body, status, errorCode) => {
      const errorDetails = expect.any(String) as string;
      const single = await ask(installation, 'ONE', { key: installation.key('plain'), body });
      expect([single.status, single.json]).toEqual([status, { key: 'ONE', errorCode, errorDetails }]);
      const bulk = await ask(installation, undefined, { key: installation.key('plain'), body });
      expect([bulk.status, bulk.json]).toEqual([status, { errorCode, errorDetails }]);
    });

    it('FLAG-13: 2 MB of context are evaluated', async () => {
      const body = { context: { a: 'x'.repeat(2_000_000) } };
      expect((await ask(installation, 'ONE', { key: installation.key('plain'), body })).json['value']).toBe(
        1,
      );
    });

    it.each(['MISSING', '__proto__', 'constructor', 'toString', 'a%2Fb', '..%2FONE', '%00', 'ONE%20'])(
      'FLAG-13: %s is no flag',
      async (flag) => {
        const { status, json } = await ask(installation, flag, { key: installation.key('plain') });
        expect([status, json['key'], json['errorCode']]).toEqual([
          404,
          decodeURIComponent(flag),
          'FLAG_NOT_FOUND',
        ]);
      },
    );

    it('FLAG-13: another media type, method or key is refused', async () => {
      const key = installation.key('plain');
      const asText = await ask(installation, 'ONE', { key, headers: { 'content-type': 'text/plain' } });
      expect([asText.status, asText.json['errorCode']]).toEqual([415, 'PARSE_ERROR']);
      const read = await ask(installation, 'ONE', { key, method: 'GET' });
      expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
      for (const sent of [{}, { key: 'sdk-unknown' }, { headers: { authorization: `Basic ${key}` } }]) {
        const { status, json } = await ask(installation, 'ONE', sent);
        expect([status, json['errorCode']]).toEqual([401, 'GENERAL']);
      }
    });
  });
});

// Node has neither; the providers use the browser's.
function actAsBrowser(): Map<string, string> {
  const stored = new Map<string, string>();
  vi.stubGlobal('EventSource', EventSource);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  afterThisTest(() => void vi.unstubAllGlobals());
  return stored;
}

describe("OpenFeature's SDKs", () => {
  const rules = [{ condition: { country: 'DE' }, force: true }];

  it('FLAG-13: the server SDK evaluates each flag by OFREP below a base path', async () => {
    const installation = await open({ config: { basePath: '/portico/deep' } });
    await makeFlag(installation, 'NEW_SEARCH', false, rules, { type: 'boolean' });
    await makeFlag(installation, 'LIMITS', { most: 3 }, [{ force: { most: 9 }, coverage: 1 }]);
    const headers: [string, string][] = [['Authorization', `Bearer ${installation.key('remote-eval')}`]];
    await ServerSdk.setProviderAndWait(
      'ofrep',
      new OFREPProvider({ baseUrl: installation.app.url, headers }),
    );
    afterThisTest(() => ServerSdk.close());
    const client = ServerSdk.getClient('ofrep');
    expect(await client.getBooleanDetails('NEW_SEARCH', false, german)).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
      variant: 'true',
    });
    expect(await client.getBooleanValue('NEW_SEARCH', true, french)).toBe(false);
    expect(await client.getObjectValue('LIMITS', {}, german)).toEqual({ most: 9 });
    expect(await client.getStringDetails('MISSING', 'mine', german)).toMatchObject({
      value: 'mine',
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect((await client.getStringDetails('NEW_SEARCH', 'mine', german)).errorCode).toBe('TYPE_MISMATCH');
  });

  it('FLAG-13: the web SDK reads all flags by OFREP, follows its context, and a change by the stream', async () => {
    const stored = actAsBrowser();
    const installation = await open({ config: { basePath: '/portico' } });
    const { app, operator } = installation;
    const flag = await makeFlag(installation, 'NEW_SEARCH', false, rules, { type: 'boolean' });
    const statuses: number[] = [];
    const provider = new OFREPWebProvider({
      baseUrl: app.url,
      headers: [['X-API-Key', installation.key('plain')]],
      fetchImplementation: async (...call: Parameters<typeof fetch>) => {
        const response = await fetch(...call);
        statuses.push(response.status);
        return response;
      },
    });
    await WebSdk.setContext('ofrep', german);
    // Its types do not follow `exactOptionalPropertyTypes`.
    await WebSdk.setProviderAndWait('ofrep', provider as Provider);
    afterThisTest(() => WebSdk.close());
    const client = WebSdk.getClient('ofrep');
    expect(client.getBooleanDetails('NEW_SEARCH', false)).toMatchObject({ value: true, variant: 'true' });
    // Another country of the same person: what is stored is for the person, and its ETag for the country.
    await WebSdk.setContext('ofrep', french);
    await expect.poll(() => client.getBooleanValue('NEW_SEARCH', true)).toBe(false);
    expect(statuses).toEqual([200, 200]);
    await WebSdk.setContext('ofrep', french);
    await expect.poll(() => statuses).toEqual([200, 200, 304]);
    expect(stored.size).toBe(1);

    const { type, description, tags, version } = flag;
    const body = { type, description, tags, defaultValue: true, rules: [], version };
    await app.call(updateFlag, { params: { flagKey: 'NEW_SEARCH' }, body }, operator);
    await expect.poll(() => client.getBooleanValue('NEW_SEARCH', false)).toBe(true);
  });

  it('FLAG-13 FLAG-1: the GrowthBook providers read by the GrowthBook wire', async () => {
    actAsBrowser();
    const installation = await open();
    await makeFlag(installation, 'NEW_SEARCH', false, rules, { type: 'boolean' });
    const options = { apiHost: installation.app.url, clientKey: installation.key('plain') };
    await ServerSdk.setProviderAndWait('growthbook', new GrowthbookProvider(options, { timeout: 60_000 }));
    afterThisTest(() => ServerSdk.close());
    const server = ServerSdk.getClient('growthbook');
    expect(await server.getBooleanValue('NEW_SEARCH', false, german)).toBe(true);
    expect(await server.getBooleanValue('NEW_SEARCH', true, french)).toBe(false);

    await WebSdk.setContext('growthbook', german);
    await WebSdk.setProviderAndWait('growthbook', new GrowthbookClientProvider(options, { timeout: 60_000 }));
    afterThisTest(() => WebSdk.close());
    const web = WebSdk.getClient('growthbook');
    expect(web.getBooleanValue('NEW_SEARCH', false)).toBe(true);
    await WebSdk.setContext('growthbook', french);
    expect(web.getBooleanValue('NEW_SEARCH', true)).toBe(false);
  });
});
