import { describe, expect, it } from 'vitest';
import { createApiToken } from '#features/api-tokens/contract/api-tokens.ts';
import { addProject } from '#features/diagnostics/contract/projects.ts';
import { erasePerson } from '#features/erasure/contract/erasure.ts';
import { uploadFiles } from '#features/files/contract/files.ts';
import { addClientKey, createFlag } from '#features/flags/contract/flags.ts';
import { invitePerson } from '#features/people/contract/people.ts';
import { idempotencyHeader, type Route } from '#contract/route.ts';
import { addWebhook } from '#features/webhooks/contract/webhooks.ts';
import { creationLimits } from './platform/http/creations.ts';
import { endApp, startApp, type TestApp } from './testing/app.ts';
import { contractRoutes, needsBearer } from './testing/contract-routes.ts';
import { dump } from './testing/dump.ts';
import { engines, provedOn } from './testing/fresh-database.ts';
import { movableClock } from './testing/movable-clock.ts';
import { bodyFor, request, type RouteAnswer, type RouteRequest } from './testing/route-request.ts';
import { startSeededApp, type SeededApp } from './testing/seeded-app.ts';
import { signIn } from './testing/signed-in.ts';
import { mapForm, smallMap } from './testing/source-map.ts';
import { startReceiver } from './testing/webhook-receiver.ts';

const routes = await contractRoutes();
const creating = routes.filter(([, { creates }]) => creates === true);
const hour = 3_600_000;
const under = (id: string) => ({ [idempotencyHeader]: id });
const idOf = (name: string) => `${name}-of-one-form`;

type Given = Record<string, unknown>;

/** What a route needs beyond a body that fits; `made` holds the answers so far. */
function given(
  name: string,
  { member, invitedId, errorIds }: SeededApp,
  hook: string,
  made: Given,
): RouteRequest {
  const of = (route: string, path: string) =>
    String(path.split('.').reduce<unknown>((found, part) => (found as Given)[part], made[route]));
  const webhookId = () => of('addWebhook', 'webhook.id');
  const [later, laterStill] = [2, 3].map((hours) => Date.now() + hours * hour);
  switch (name) {
    case 'createApiToken':
      return { body: { rights: ['MAP_VIEW'], expiresAt: later } };
    case 'planWindow':
      return { body: { startsAt: later, endsAt: laterStill, leadMinutes: 10, title: 'New pumps' } };
    case 'invitePerson':
      return { body: { email: 'another@example.org' } };
    case 'issuePasswordLink':
      return { params: { personId: member.id } };
    case 'renewInvitation':
      return { params: { personId: invitedId } };
    case 'addErrorComment':
      return { params: { errorId: errorIds[0] ?? '' } };
    case 'addProjectKey':
      return { params: { projectId: '1' } };
    case 'addWebhook':
      return { body: { url: hook } };
    case 'testWebhook':
    case 'redeliverAll':
      return { params: { webhookId: webhookId() } };
    case 'redeliver':
      return { params: { webhookId: webhookId(), deliveryId: of('testWebhook', 'id') } };
    case 'createSegment':
      return { body: { attribute: 'id' } };
    case 'uploadSourceMap':
      return { query: 'release=1&file=/main.js', ...mapForm(smallMap) };
    default:
      return {};
  }
}

const whole = (route: Route, { body, ...rest }: RouteRequest): RouteRequest => {
  const sample = bodyFor(route) as object | undefined;
  return {
    ...rest,
    ...(sample === undefined ? {} : { body: { ...sample, ...(body as object | undefined) } }),
  };
};

/** All rows but those that senders change by themselves, and the bytes of files, which are there before. */
async function rows(app: TestApp): Promise<object> {
  const {
    webhook_delivery: _sent,
    webhook_attempt: _tries,
    webhook: _state,
    mail: _mail,
    file_chunk: _bytes,
    ...others
  } = await dump(app.database);
  return others;
}

const count = async (app: TestApp, table: 'audit' | 'file') =>
  (await app.database.read.selectFrom(table).select('id').execute()).length;

describe('what creates', () => {
  it('API-3: takes an id of the client, in a header or, for a message, in its body', () => {
    const without = routes.filter(
      ([, route]) =>
        route.method === 'POST' &&
        (route.status === 201 || route.status === 202) &&
        needsBearer(route) &&
        route.creates !== true,
    );
    const named = without.map(([name]) => name);
    expect(named.toSorted()).toEqual(['addNote', 'replyToOwnReport', 'replyToReport', 'saveFeedback']);
    for (const [, route] of without)
      expect(Object.keys((route.body as unknown as { shape: object }).shape)).toContain('eventId');
    expect(creating.length).toBeGreaterThan(15);
  });
});

describe.each(engines)('a create under an id of the client, on %s', (engine) => {
  it('API-3: happens once for every route, and each later call has the first answer', async () => {
    const seeded = await startSeededApp(engine);
    const { app, operator } = seeded;
    const receiver = await startReceiver();
    const order = ['addWebhook', 'testWebhook', 'redeliver', 'redeliverAll'];
    const made: Given = {};
    const first: { name: string; route: Route; call: RouteRequest; answer: RouteAnswer }[] = [];
    const send = (name: string, route: Route, call: RouteRequest) =>
      request(app.url, route, { accessToken: operator.accessToken, headers: under(idOf(name)), ...call });

    for (const [name, route] of creating.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b))) {
      const call = whole(route, given(name, seeded, `${receiver.url}/hook`, made));
      const counted = name === 'uploadFiles' ? 'file' : 'audit';
      const before = await count(app, counted);
      const both = await Promise.all([send(name, route, call), send(name, route, call)]);
      expect([name, both.map(({ status }) => status)]).toEqual([name, [route.status, route.status]]);
      expect([name, both[0].text]).toEqual([name, both[1].text]);
      expect([name, await count(app, counted)]).toEqual([name, before + 1]);
      made[name] = both[0].json;
      first.push({ name, route, call, answer: both[0] });
    }

    const stored = await rows(app);
    for (const { name, route, call, answer } of first) {
      const again = await send(name, route, call);
      expect([name, again.status, again.text]).toEqual([name, route.status, answer.text]);
      const others: RouteRequest[] = [
        ...(call.body === undefined ? [] : [{ body: { ...(call.body as object), ...differing(name) } }]),
        ...(call.params === undefined ? [] : [{ params: replaced(call.params) }]),
      ];
      for (const other of others) {
        const { status, code } = await send(name, route, { ...call, ...other });
        expect([name, status, code]).toEqual([name, 422, 'IDEMPOTENCY_KEY_USED']);
      }
    }
    expect(await rows(app)).toEqual(stored);
    await endApp(app);
  });
});

const replaced = (params: Record<string, string>) =>
  Object.fromEntries(Object.keys(params).map((each) => [each, '9']));

/** Another value of a field, as it is changed in a form after it was sent. */
function differing(name: string): object {
  if (name === 'createFlag') return { description: 'other' };
  if (name === 'addWebhook') return { description: 'other' };
  if (name === 'invitePerson') return { firstName: 'Other' };
  if (name === 'planWindow') return { title: 'Other pumps' };
  if (name === 'addRight') return { label: 'Other' };
  if (name === 'addErrorComment') return { text: 'Other' };
  if (name === 'addGroupMapping') return { name: 'other' };
  return { name: 'Other' };
}

describe.each(engines)('the id of a creation, on %s', (engine) => {
  const once = provedOn(engine);
  const token = { name: 'a script', rights: ['PEOPLE_READ'] };

  it('API-3: belongs to its caller and its route', async () => {
    const app = await startApp({ engine });
    const [one, other] = [
      await signIn(app, { roles: ['operator'] }),
      await signIn(app, { roles: ['operator'] }),
    ];
    const headers = under(idOf('shared'));
    const flag = bodyFor(createFlag) as { key: string };
    const body = { name: 'Kiosk', kind: 'plain' } as const;
    const keys = [
      (await one.call(addClientKey, { body }, { headers })).body.key,
      (await other.call(addClientKey, { body }, { headers })).body.key,
    ];
    expect(new Set(keys).size).toBe(2);
    expect((await one.call(addProject, { body: { name: 'Kiosk' } }, { headers })).status).toBe(201);
    // The natural key is taken, and this is not the caller who took it.
    await one.call(createFlag, { body: flag as never }, { headers });
    expect((await other.call(createFlag, { body: flag as never }, { headers })).problem?.code).toBe(
      'CONFLICT',
    );
  });

  it.each(once)('API-3: is read with or without quotes (RFC 9651), and refused if guessable', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const add = (id: string) =>
      operator.call(addProject, { body: { name: 'Kiosk' } }, { headers: under(id) });
    const plain = await add('0b7bd6a0-5f3e-4a4f-9a55-6f0cb2b6d1d1');
    expect((await add('"0b7bd6a0-5f3e-4a4f-9a55-6f0cb2b6d1d1"')).body).toEqual(plain.body);
    for (const bad of ['1', 'x'.repeat(129), 'a b'.repeat(9), '"0b7bd6a0-5f3e-4a4f', '']) {
      const { status, problem } = await add(bad);
      expect([bad, status, problem?.errors?.[0]?.pointer]).toEqual([bad, 400, '/Idempotency-Key']);
    }
  });

  it('API-3: is not used up by a call that was refused', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const headers = under(idOf('refused'));
    const create = (expiresAt: number) =>
      operator.call(createApiToken, { body: { ...token, expiresAt } }, { headers });
    expect((await create(1)).status).toBe(422);
    expect((await create(Date.now() + hour)).status).toBe(201);
  });

  it.each(once)('API-3: is bound to the files of a form', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const upload = (text: string) => {
      const part =
        'Content-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain';
      const raw = `--s${text}\r\n${part}\r\n\r\n${text}\r\n--s${text}--\r\n`;
      const contentType = `multipart/form-data; boundary=s${text}`;
      const { accessToken } = operator;
      return request(app.url, uploadFiles, { raw, contentType, accessToken, headers: under(idOf('files')) });
    };
    const first = await upload('one');
    expect((await upload('one')).text).toBe(first.text);
    expect((await upload('two')).code).toBe('IDEMPOTENCY_KEY_USED');
    expect(await count(app, 'file')).toBe(1);
  });

  it.each(once)('API-3: leaves each call without an id a creation of its own', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const body = { name: 'Kiosk', kind: 'plain' } as const;
    const first = await operator.call(addClientKey, { body });
    const second = await operator.call(addClientKey, { body });
    expect(second.body.key).not.toBe(first.body.key);
  });

  it.each(once)('API-3 SES-9: repeats secrets that are stored nowhere', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const id = idOf('secrets');
    const headers = under(id);
    const hook = { url: 'https://example.org/hook', description: '', enabled: false };
    const invited = { email: 'secret.person@example.org', firstName: '', lastName: '', roles: [] };
    const body = { ...token, expiresAt: Date.now() + hour };
    const ask = async () => [
      (await operator.call(createApiToken, { body }, { headers })).body.secret,
      (await operator.call(addWebhook, { body: hook }, { headers })).body.secret ?? '',
      (await operator.call(invitePerson, { body: invited }, { headers })).body.invitation?.link ?? '',
    ];
    const secrets = await ask();
    expect(await ask()).toEqual(secrets);
    const { webhook: _signsWithIt, ...others } = await dump(app.database);
    const text = JSON.stringify(others);
    for (const secret of [id, ...secrets.map((each) => each.split('#').at(-1) ?? '')]) {
      expect(secret.length).toBeGreaterThan(15);
      expect(text).not.toContain(secret);
    }
  });

  it('API-3: is forgotten after a day, and the oldest of more than a hundred', async () => {
    const clock = movableClock();
    const app = await startApp({ engine, clock });
    const operator = await signIn(app, { roles: ['operator'] });
    const add = async (id: string) =>
      (await operator.call(addProject, { body: { name: 'Kiosk' } }, { headers: under(idOf(id)) })).body.id;
    const known = () => app.database.read.selectFrom('creation').select('key_hash').execute();
    const first = await add('first');
    for (let each = 0; each < creationLimits.ofOneCaller - 1; each += 1) {
      await app.database.change(async ({ tx, at }) => {
        const row = { caller: `person ${operator.id}`, content: '', answer: '', created_at: at };
        await tx
          .insertInto('creation')
          .values({ ...row, key_hash: `other ${each}` })
          .execute();
      });
    }
    expect(await add('first')).toBe(first);
    await add('second');
    expect(await known()).toHaveLength(creationLimits.ofOneCaller);
    expect(await add('first')).not.toBe(first);

    clock.move(creationLimits.lifetimeMs + 1_000);
    await app.sweep();
    expect(await known()).toEqual([]);
  });

  it('API-3 BUG-10: is forgotten when a person is erased, whom the answer may name', async () => {
    const app = await startApp({ engine });
    const operator = await signIn(app, { roles: ['operator'] });
    const email = 'unmistakable@example.org';
    const body = { email, firstName: '', lastName: '', roles: [] };
    const invited = await operator.call(invitePerson, { body }, { headers: under(idOf('erased')) });
    const params = { personId: invited.body.person.id };
    const erased = await operator.call(erasePerson, {
      params,
      body: { confirmation: email, reports: 'keep' },
    });
    expect(erased.status).toBeLessThan(300);
    expect(await app.database.read.selectFrom('creation').selectAll().execute()).toEqual([]);
  });
});

describe('the id of a creation on two replicas', () => {
  it('API-3 RUN-1: creates once, at the same moment', async () => {
    const one = await startApp({ engine: 'postgres' });
    const other = await startApp({ replicaOf: one });
    const operator = await signIn(one, { roles: ['operator'] });
    const body = { name: 'a script', rights: ['PEOPLE_READ'], expiresAt: Date.now() + hour };
    const options = { headers: under(idOf('replicas')), accessToken: operator.accessToken };
    const calls = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? one : other).call(createApiToken, { body }, options),
    );
    const secrets = (await Promise.all(calls)).map((answer) => answer.body.secret);
    expect(new Set(secrets).size).toBe(1);
    expect(await one.database.read.selectFrom('api_token').select('id').execute()).toHaveLength(1);
  });
});
