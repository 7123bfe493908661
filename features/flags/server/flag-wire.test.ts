import { builtInRoles } from '#features/permissions/contract/permissions.ts';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { getEmbed } from '#features/embed/contract/embed.ts';
import {
  createFlag,
  deleteFlag,
  listClientKeys,
  switchFlag,
  updateFlag,
  type ClientKeyKind,
} from '#features/flags/contract/flags.ts';
import { setMaintenance } from '#features/maintenance/contract/settings.ts';
import { getPerson, setRoles } from '#features/people/contract/people.ts';
import { describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '#server/testing/app.ts';
import type { Engine } from '#server/testing/fresh-database.ts';
import { fetchWith } from '#server/testing/client.ts';
import { flagClient, openStream } from '#server/testing/flag-client.ts';
import { addPerson, addToken } from '#server/testing/people.ts';
import { signIn } from '#server/testing/signed-in.ts';
import { newFlag } from './testing/new-flag.ts';

type Installation = { app: TestApp; operator: { accessToken: string }; key: (kind: ClientKeyKind) => string };

async function open(options: { engine: Engine } | { replicaOf: TestApp }): Promise<Installation> {
  const app = await startApp(options);
  const operator = {
    accessToken: await addToken(app, { rights: builtInRoles.operator }),
  };
  const { clientKeys } = (await app.call(listClientKeys, {}, operator)).body;
  return { app, operator, key: (kind) => clientKeys.find((one) => one.kind === kind)?.key ?? '' };
}

async function makeFlag(
  { app, operator }: Installation,
  key: string,
  change: {
    defaultValue?: unknown;
    rules?: Record<string, unknown>[];
    enabled?: boolean;
    forSignedOut?: boolean;
    type?: 'boolean' | 'string';
  } = {},
) {
  return (await app.call(createFlag, { body: newFlag(key, { defaultValue: false, ...change }) }, operator))
    .body;
}

const forOperators = [{ condition: { roles: { $elemMatch: { $eq: 'operator' } } }, force: true }];

// It is answered from memory; how that follows both engines is proved by live-flags.test.ts, and below for replicas.
describe('the flag wire', () => {
  it('FLAG-1 FLAG-2: a real SDK reads, evaluates, and follows a change by the stream', async () => {
    const installation = await open({ engine: 'sqlite' });
    const flag = await makeFlag(installation, 'NEW_SEARCH', {
      rules: [{ condition: { country: 'DE' }, force: true }],
    });
    const german = await flagClient(installation.app.url, installation.key('plain'), {
      attributes: { id: '1', country: 'DE' },
    });
    expect([
      german.isOn('NEW_SEARCH'),
      german.isOn('MAINTENANCE'),
      german.getFeatureValue('MAINTENANCE_TEXT', 'none'),
    ]).toEqual([true, false, '']);

    await installation.app.call(
      updateFlag,
      {
        params: { flagKey: flag.key },
        body: {
          type: 'boolean',
          description: '',
          defaultValue: false,
          rules: [],
          tags: [],
          version: flag.version,
        },
      },
      installation.operator,
    );
    await expect.poll(() => german.isOff('NEW_SEARCH')).toBe(true);
  });

  it.each(['identity', 'gzip', 'br'])(
    'FLAG-1 API-2: the prepared answer in %s equals the answer of the route, also where nothing has changed',
    async (coding) => {
      const installation = await open({ engine: 'sqlite' });
      const ask = async (method: string, more: Record<string, string> = {}) => {
        const address = `${installation.app.url}/api/features/${installation.key('plain')}?t_=1`;
        const response = await fetch(address, { method, headers: { 'accept-encoding': coding, ...more } });
        const headers = Object.fromEntries(response.headers);
        // What is between this client and the server, which asks for another connection with HEAD.
        for (const each of ['date', 'connection', 'keep-alive']) delete headers[each];
        return { status: response.status, headers, body: await response.text() };
      };
      // Only the route itself answers HEAD.
      const [prepared, declared] = [await ask('GET'), await ask('HEAD')];
      expect(prepared.headers).toEqual(declared.headers);
      expect(prepared.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        etag: expect.any(String),
      });
      expect(JSON.parse(prepared.body)).toMatchObject({ status: 200 });
      const held = { 'if-none-match': String(prepared.headers['etag']) };
      const unchanged = await ask('GET', held);
      const { 'content-length': _none, ...rest } = (await ask('HEAD', held)).headers;
      expect(unchanged).toEqual({ status: 304, headers: rest, body: '' });
    },
  );

  it('FLAG-1 FLAG-9: remote evaluation gives a real SDK values and no rules, and follows', async () => {
    const installation = await open({ engine: 'sqlite' });
    const flag = await makeFlag(installation, 'NEW_SEARCH', {
      rules: [{ condition: { country: 'DE' }, force: true }],
    });
    const client = await flagClient(installation.app.url, installation.key('remote-eval'), {
      remoteEval: true,
      attributes: { id: '1', country: 'DE' },
    });
    expect(client.isOn('NEW_SEARCH')).toBe(true);
    expect(JSON.stringify(client.getFeatures())).not.toContain('country');
    await installation.app.call(
      switchFlag,
      { params: { flagKey: flag.key }, body: { enabled: false, version: flag.version } },
      installation.operator,
    );
    await expect.poll(() => client.isOff('NEW_SEARCH')).toBe(true);
  });

  it('FLAG-1: personal is evaluated for the person of the bearer, never for what a client claims', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'CONSOLE', { forSignedOut: true, rules: forOperators });
    const olga = await signIn(installation.app, { roles: ['operator'] });
    // Another person can manage people too, so that she may lose it.
    await addPerson(installation.app, { roles: ['operator'] });
    const address = `${installation.app.url}/api/features/${installation.key('personal')}?t_=1&attributes=${encodeURIComponent('{"roles":["operator"]}')}`;
    const read = async (headers: Record<string, string> = {}) => {
      const response = await fetch(address, { headers });
      return {
        status: response.status,
        etag: response.headers.get('etag') ?? '',
        body: await response.text(),
      };
    };
    const valueIn = (body: string) =>
      (JSON.parse(body) as { features: { CONSOLE: { defaultValue: boolean } } }).features.CONSOLE;
    expect(valueIn((await read()).body)).toEqual({ defaultValue: false });
    const mine = await read({ authorization: `Bearer ${olga.accessToken}` });
    expect(valueIn(mine.body)).toEqual({ defaultValue: true });
    expect(
      (await read({ authorization: `Bearer ${olga.accessToken}`, 'if-none-match': mine.etag })).status,
    ).toBe(304);

    const { version } = (
      await installation.app.call(getPerson, { params: { personId: olga.id } }, installation.operator)
    ).body;
    const lowered = await installation.app.call(
      setRoles,
      { params: { personId: olga.id }, body: { roles: ['support'], version } },
      installation.operator,
    );
    expect(lowered.problem).toBeNull();
    const later = await read({ authorization: `Bearer ${olga.accessToken}`, 'if-none-match': mine.etag });
    expect(valueIn(later.body)).toEqual({ defaultValue: false });
    // An SDK ignores a payload whose version it has.
    const date = (body: string) => (JSON.parse(body) as { dateUpdated: string }).dateUpdated;
    const theirs = await read();
    expect(new Set([date(mine.body), date(later.body)]).size).toBe(2);
    expect(date(theirs.body)).toBe(date(later.body));
    expect(valueIn(theirs.body)).toEqual(valueIn(later.body));
    expect(date(mine.body)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    const stream = await openStream(
      `${installation.app.url}/sub/${installation.key('personal')}?version=${date(later.body)}`,
    );
    await makeFlag(installation, 'NEXT');
    expect((await stream.until(1)).map(({ event }) => event)).toEqual(['features-updated']);
    expect(stream.events).toHaveLength(1);

    const forged = await read({ authorization: 'Bearer not.a.token' });
    expect([forged.status, JSON.parse(forged.body)]).toEqual([
      401,
      { status: 401, error: expect.any(String) as string },
    ]);
  });

  it('FLAG-2: on connect the stream sends the current state, unless the client has seen it', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'ONE');
    const address = (kind: ClientKeyKind) => `${installation.app.url}/sub/${installation.key(kind)}`;
    const [first] = await (await openStream(address('plain'))).until(1);
    expect(first?.event).toBe('features');
    const payload = JSON.parse(first?.data ?? '') as {
      features: Record<string, unknown>;
      dateUpdated: string;
    };
    expect(Object.keys(payload.features)).toContain('ONE');
    expect(new Date(payload.dateUpdated).getTime()).toBe(Number(first?.id));

    const [updated] = await (await openStream(address('remote-eval'))).until(1);
    expect(updated).toEqual({ event: 'features-updated', id: first?.id, data: '' });

    const seen = await openStream(address('plain'), { 'last-event-id': first?.id ?? '' });
    const seenByQuery = await openStream(`${address('personal')}?version=${payload.dateUpdated}`);
    await expect
      .poll(() => seen.text().includes('retry: 10000') && seenByQuery.text().includes('retry: 10000'))
      .toBe(true);
    await makeFlag(installation, 'TWO');
    const afterwards = await seen.until(1);
    expect(Object.keys((JSON.parse(afterwards[0]?.data ?? '') as { features: object }).features)).toContain(
      'TWO',
    );
    expect((await seenByQuery.until(1)).map(({ event }) => event)).toEqual(['features-updated']);
    expect(seenByQuery.text()).toMatch(/^event: features-updated\nid: \d+\ndata:\n\n/m);
  });

  it('FLAG-2: a client that slept gets what it missed when it reconnects', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'ONE');
    const before = await openStream(`${installation.app.url}/sub/${installation.key('plain')}`);
    const [last] = await before.until(1);
    before.close();
    await before.ended;
    await makeFlag(installation, 'TWO');
    const after = await openStream(`${installation.app.url}/sub/${installation.key('plain')}`, {
      'last-event-id': last?.id ?? '',
    });
    const [missed] = await after.until(1);
    expect(missed?.data).toContain('TWO');
  });

  it('FLAG-1: what no client can see makes no new version', async () => {
    const installation = await open({ engine: 'sqlite' });
    const off = await makeFlag(installation, 'OFF', { enabled: false });
    const stream = await openStream(`${installation.app.url}/sub/${installation.key('plain')}`);
    const [first] = await stream.until(1);
    await installation.app.call(
      updateFlag,
      {
        params: { flagKey: 'OFF' },
        body: {
          type: 'boolean',
          description: 'only words',
          defaultValue: true,
          rules: [],
          tags: ['x'],
          version: off.version,
        },
      },
      installation.operator,
    );
    await installation.app.call(
      deleteFlag,
      { params: { flagKey: 'OFF' }, query: { version: off.version + 1 } },
      installation.operator,
    );
    await makeFlag(installation, 'SEEN');
    const events = await stream.until(2);
    expect(events).toHaveLength(2);
    expect(events[1]?.data).toContain('SEEN');
    expect(Number(events[1]?.id)).toBeGreaterThan(Number(first?.id));
  });

  it('MAINT-6: read only and a text in one language, which are in no flag, are published to the pages of Portico alone', async () => {
    const installation = await open({ engine: 'sqlite' });
    const own = await openStream(`${installation.app.url}/sub/${installation.key('personal')}`);
    const others = await openStream(`${installation.app.url}/sub/${installation.key('plain')}`);
    await Promise.all([own.until(1), others.until(1)]);
    const set = (mode: 'read-only' | 'off', version: number, texts = {}) =>
      installation.app.call(
        setMaintenance,
        { body: { mode, text: 'Slow', texts, severity: 'HIGH', expectedEnd: null, version } },
        installation.operator,
      );
    expect((await set('off', 1)).problem).toBeNull();
    await Promise.all([own.until(2), others.until(2)]);
    expect((await set('read-only', 2)).problem).toBeNull();
    await own.until(3);
    expect((await set('read-only', 3, { de: 'Langsam' })).problem).toBeNull();
    await own.until(4);
    await makeFlag(installation, 'NEXT');
    expect((await others.until(3))[2]?.data).toContain('NEXT');
    expect(others.events).toHaveLength(3);
  });

  it('FLAG-1: one version in each coding, with strong tags and 304', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'ONE', { rules: [{ condition: { country: 'DE' }, force: true }] });
    const path = `/api/features/${installation.key('plain')}?t_=${Date.now()}`;
    const plain = await get(installation.app, path, { 'accept-encoding': 'identity' });
    const br = await get(installation.app, path, { 'accept-encoding': 'gzip, br' });
    const gz = await get(installation.app, path, { 'accept-encoding': 'br;q=0, gzip' });
    expect([
      plain.headers['content-encoding'],
      br.headers['content-encoding'],
      gz.headers['content-encoding'],
    ]).toEqual([undefined, 'br', 'gzip']);
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gz.body)).toEqual(plain.body);
    expect(new Set([plain, br, gz].map(({ headers }) => headers['etag'])).size).toBe(3);
    expect(plain.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'x-sse-support': 'enabled',
      'access-control-expose-headers': expect.stringContaining('x-sse-support') as string,
      vary: 'Accept-Encoding',
    });
    const again = await get(installation.app, path, { 'if-none-match': String(br.headers['etag']) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    await makeFlag(installation, 'TWO');
    expect((await get(installation.app, path, { 'if-none-match': String(br.headers['etag']) })).status).toBe(
      200,
    );
  });

  it('FLAG-9: who is not signed in receives the marked flags alone, with their values, and those of maintenance', async () => {
    const installation = await open({ engine: 'sqlite' });
    const { app, operator } = installation;
    await makeFlag(installation, 'SECRET_PROJECT', { defaultValue: true });
    // What a marked flag depends on stays unnamed.
    const rules = [{ parentConditions: [{ id: 'SECRET_PROJECT', condition: { value: true } }], force: true }];
    const shown = await makeFlag(installation, 'NEW_SIGN_IN', { rules });
    const address = `${app.url}/api/features/${installation.key('personal')}`;
    async function keys(caller?: { accessToken: string }): Promise<string[]> {
      const headers: Record<string, string> =
        caller === undefined ? {} : { authorization: `Bearer ${caller.accessToken}` };
      const { features } = (await (await fetch(address, { headers })).json()) as { features: object };
      return Object.keys(features).toSorted();
    }
    const mia = await signIn(app);
    const maintenance = ['MAINTENANCE', 'MAINTENANCE_TEXT'];
    const all = [...maintenance, 'NEW_SIGN_IN', 'SECRET_PROJECT'];
    expect([await keys(), await keys(operator), await keys(mia)]).toEqual([maintenance, maintenance, all]);
    const embedded = async () => (await app.call(getEmbed, {})).body.flags;
    expect(Object.keys(await embedded()).toSorted()).toEqual(maintenance);

    const { type, description, defaultValue, tags, version } = shown;
    const body = { type, description, defaultValue, tags, rules, version, forSignedOut: true };
    const marked = await app.call(updateFlag, { params: { flagKey: shown.key }, body }, operator);
    expect(marked.body).toMatchObject({ forSignedOut: true, version: 2 });
    expect([await keys(), await keys(mia)]).toEqual([[...maintenance, 'NEW_SIGN_IN'], all]);
    expect(await embedded()).toEqual({ MAINTENANCE: false, MAINTENANCE_TEXT: '', NEW_SIGN_IN: true });

    // A client that does not know the mark leaves it as it is.
    const { forSignedOut: _mark, ...older } = { ...body, version: 2, description: 'A new sign-in' };
    const kept = await app.call(updateFlag, { params: { flagKey: shown.key }, body: older }, operator);
    expect(kept.body.forSignedOut).toBe(true);
    await app.call(
      switchFlag,
      { params: { flagKey: shown.key }, body: { enabled: false, version: 3 } },
      operator,
    );
    expect(await keys()).toEqual(maintenance);
  });

  it('FLAG-9: the names of local flags are in no page of a stranger', async () => {
    const app = await startApp({ engine: 'sqlite', config: { localFlags: ['SECRET_PROJECT'] } });
    const mia = await signIn(app);
    const pages = ['/', '/idp/sign-in/x', '/auth/failed', '/set-up', '/v1/embed'];
    for (const path of pages)
      expect(await (await fetch(app.url + path)).text()).not.toContain('SECRET_PROJECT');
    const page = await fetchWith(mia.browser.cookies, new URL(`${app.url}/`), {
      headers: { accept: 'text/html' },
    });
    expect(await page.text()).toContain('SECRET_PROJECT');
    const own = { cookies: mia.browser.cookies, headers: { 'x-portico': '1' } };
    expect((await app.call(getEmbed, {}, own)).body.flags).toMatchObject({ SECRET_PROJECT: true });
  });

  it('FLAG-1: personal comes in each coding too, for the person alone', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'ONE');
    const path = `/api/features/${installation.key('personal')}`;
    const plain = await get(installation.app, path, { 'accept-encoding': 'identity' });
    const br = await get(installation.app, path, { 'accept-encoding': 'br' });
    const gz = await get(installation.app, path, { 'accept-encoding': 'gzip' });
    expect(brotliDecompressSync(br.body)).toEqual(plain.body);
    expect(gunzipSync(gz.body)).toEqual(plain.body);
    expect(br.headers).toMatchObject({
      vary: 'Authorization, Accept-Encoding',
      'cache-control': 'private, no-cache',
      'content-encoding': 'br',
    });
    expect((await get(installation.app, path, { 'if-none-match': String(br.headers['etag']) })).status).toBe(
      304,
    );
  });

  it('FLAG-1: of many changes at once each version is another content, and the last one has them all', async () => {
    const installation = await open({ engine: 'sqlite' });
    const stream = await openStream(`${installation.app.url}/sub/${installation.key('plain')}`);
    const keys = Array.from({ length: 25 }, (_, index) => `BURST_${index}`);
    await Promise.all(keys.map((key) => makeFlag(installation, key)));
    await expect.poll(() => keys.every((key) => stream.events.at(-1)?.data.includes(key))).toBe(true);
    const ids = stream.events.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(new Set(stream.events.map(({ data }) => data)).size).toBe(stream.events.length);
    expect(
      await (await fetch(`${installation.app.url}/api/features/${installation.key('plain')}`)).text(),
    ).toBe(stream.events.at(-1)?.data);
  });

  it('FLAG-9: of an experiment a client learns its own variation, and a real SDK reports it', async () => {
    const installation = await open({ engine: 'sqlite' });
    const names = ['green', 'blue', 'red'];
    await makeFlag(installation, 'COLOUR', {
      type: 'string',
      defaultValue: 'none',
      rules: [
        {
          key: 'colours',
          name: 'Colours',
          phase: '2',
          variations: names,
          weights: [0.3, 0.3, 0.4],
          ranges: [
            [0, 0.3],
            [0.3, 0.6],
            [0.6, 1],
          ],
          seed: 'secret-seed',
          namespace: ['secret-space', 0, 1],
          hashVersion: 2,
          meta: names.map((name) => ({ key: `key-${name}`, name: `Name ${name}` })),
        },
      ],
    });
    const reported: unknown[][] = [];
    const client = await flagClient(installation.app.url, installation.key('remote-eval'), {
      remoteEval: true,
      attributes: { id: 'p1' },
      trackingCallback: (experiment, result) => void reported.push([experiment, result]),
    });
    const value = client.getFeatureValue('COLOUR', '');
    const others = names.filter((name) => name !== value);
    expect(others).toHaveLength(2);
    const index = names.indexOf(value);
    const meta = { key: `key-${value}`, name: `Name ${value}` };
    expect(reported).toMatchObject([
      [
        { key: 'colours', name: 'Colours', variations: names.map((name) => (name === value ? name : {})) },
        { ...meta, variationId: index, value, inExperiment: true, hashAttribute: 'id', hashValue: 'p1' },
      ],
    ]);
    const text = JSON.stringify(client.getFeatures());
    for (const hidden of [...others, 'secret', '0.3', 'weights', 'ranges', 'seed', 'namespace'])
      expect(text).not.toContain(hidden);
  });

  it('FLAG-9: a variation is chosen by hand only by those whom the rule is meant for', async () => {
    const installation = await open({ engine: 'sqlite' });
    await makeFlag(installation, 'PRICE', {
      type: 'string',
      defaultValue: 'usual',
      rules: [{ key: 'prices', variations: ['staff', 'partner'], condition: { team: 'staff' } }],
    });
    const priceFor = async (body: object) => {
      const response = await fetch(`${installation.app.url}/api/eval/${installation.key('remote-eval')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { features } = (await response.json()) as { features: { PRICE: { defaultValue: string } } };
      return features.PRICE.defaultValue;
    };
    for (const byHand of [{ forcedVariations: { prices: 1 } }, { url: 'https://a.example/?prices=1' }]) {
      expect(await priceFor({ attributes: { id: 'p1' }, ...byHand })).toBe('usual');
      expect(await priceFor({ attributes: { id: 'p1', team: 'staff' }, ...byHand })).toBe('partner');
    }
  });

  it('FLAG-3: whatever is sent to a remote evaluation, the other requests go on', async () => {
    const installation = await open({ engine: 'sqlite' });
    const on = (condition: object) => ({ condition, force: true });
    await makeFlag(installation, 'PARENT', { type: 'string', defaultValue: 'a' });
    await makeFlag(installation, 'FLAG', {
      rules: [
        on({ email: { $regex: '.+@example\\.com$' } }),
        on({ version: { $vgte: '1.0.0' } }),
        on({ tags: { $all: ['a', 'b', 'c'] } }),
        on({ list: { $elemMatch: { $elemMatch: { name: { $regexi: 'z$' } } } } }),
        { parentConditions: [{ id: 'PARENT', condition: { value: { $regex: 'x.*y$' } } }], force: true },
        { coverage: 0.1, hashAttribute: 'tags', force: true },
        on({ country: 'de' }),
      ],
    });
    const evaluate = async (body: string) => {
      const response = await fetch(`${installation.app.url}/api/eval/${installation.key('remote-eval')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const answer = (await response.json()) as { features?: { FLAG: { defaultValue: boolean } } };
      return answer.features?.FLAG.defaultValue ?? response.status;
    };
    const many = Array.from({ length: 40_000 }, (_, index) => index);
    const german = (attributes: object, more: object = {}) =>
      JSON.stringify({ attributes: { country: 'de', ...attributes }, ...more });
    const bodies: [string, boolean | number][] = [
      [german({ email: many }), true],
      [german({ email: 'x'.repeat(2_000_000) }), true],
      [german({ version: `${'+'.repeat(80_000)}\n` }), true],
      [german({ tags: Array.from({ length: 90_000 }, () => 'd') }), true],
      // More than an evaluation may take: what is asked afterwards is unknown, and does not match.
      [german({ list: Array.from({ length: 1_000 }, () => [{ name: 'x'.repeat(1_900) }]) }), false],
      [german({}, { url: 'x'.repeat(8_193) }), true],
      [german({}, { url: `?${'&'.repeat(2_000_000)}` }), true],
      [german({}, { forcedFeatures: [['PARENT', 'x'.repeat(2_000_000)]] }), true],
      [german({}, { forcedFeatures: [['PARENT', many]] }), true],
      [`{"attributes":{"a":[${'{},'.repeat(600_000)}1]}}`, 400],
      [`{"attributes":{"a":{${many.map((one) => `"${one}":1`).join(',')}}}}`, 400],
      [`{"attributes":{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}}`, 400],
    ];
    const taken: number[] = [];
    for (const [body, answer] of bodies) {
      await evaluate(body);
      const before = process.cpuUsage();
      expect([body.slice(0, 60), await evaluate(body)]).toEqual([body.slice(0, 60), answer]);
      const { user, system } = process.cpuUsage(before);
      taken.push((user + system) / 1_000);
    }
    // Milliseconds of CPU time, which a busy machine does not lengthen: no evaluation may block the others for
    // longer. They include the client that writes these bodies in the same process.
    expect(Math.max(...taken)).toBeLessThan(500);
  });

  it('FLAG-1: bad input on the wire is refused in its own form', async () => {
    const installation = await open({ engine: 'sqlite' });
    const evaluate = (key: string, body: string) =>
      fetch(`${installation.app.url}/api/eval/${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    const remote = installation.key('remote-eval');
    const cases: [Promise<Response>, number][] = [
      [fetch(`${installation.app.url}/api/features/sdk-unknown`), 400],
      [fetch(`${installation.app.url}/sub/sdk-unknown`), 400],
      [fetch(`${installation.app.url}/api/features/${remote}`), 400],
      [evaluate(installation.key('plain'), '{}'), 400],
      [evaluate(remote, '{"attributes":'), 400],
      // What else a body may not be: evaluation-request.test.ts.
      [evaluate(remote, '{"attributes":7}'), 400],
      [evaluate(remote, `{"attributes":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`), 400],
      [evaluate(remote, JSON.stringify({ url: 'x'.repeat(2_100_000) })), 413],
    ];
    for (const [answer, status] of cases) {
      const response = await answer;
      expect(response.status).toBe(status);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({ status, error: expect.any(String) as string });
    }
    expect(
      (await fetch(`${installation.app.url}/api/features/sdk-unknown`)).headers.get('x-unrecoverable'),
    ).toBe('1');
    const preflight = await fetch(`${installation.app.url}/api/eval/${remote}`, {
      method: 'OPTIONS',
      headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'POST, OPTIONS',
    ]);
    expect((await evaluate(remote, '{}')).status).toBe(200);
  });
});

describe('the flag wire of two replicas', () => {
  it('RUN-1 FLAG-2: a change on one reaches the streams of the other', async () => {
    const one = await open({ engine: 'postgres' });
    const other = await open({ replicaOf: one.app });
    expect(other.key('plain')).toBe(one.key('plain'));
    const stream = await openStream(`${other.app.url}/sub/${one.key('plain')}`);
    await stream.until(1);
    await makeFlag(one, 'FAR_AWAY');
    const events = await stream.until(2);
    expect(events[1]?.data).toContain('FAR_AWAY');
  });
});

/** What comes over the wire itself: `fetch` would undo the coding. */
function get(
  app: TestApp,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, string | string[] | undefined>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request(new URL(path, app.url), { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}
