import { createServer } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { saveFeedback } from '#features/feedback/contract/feedback.ts';
import { planWindow } from '#features/maintenance/contract/windows.ts';
import {
  addWebhook,
  changeWebhook,
  listDeliveries,
  listWebhooks,
  previewWebhook,
  redeliver,
  redeliverAll,
  removeWebhook,
  testWebhook,
  type Webhook,
  type WebhookArea,
  type WebhookDelivery,
  type WebhookShape,
} from '#features/webhooks/contract/webhooks.ts';
import { startApp, type TestApp } from '#server/testing/app.ts';
import { errorEnvelope, newEventId, ownProjectKey, sendEnvelope } from '#server/testing/envelopes.ts';
import { afterThisTest, freshDatabase } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { addToken } from '#server/testing/people.ts';
import { startReceiver, type Receiver } from '#server/testing/webhook-receiver.ts';
import { publishToWebhooks } from './publish.ts';
import { insertDeliveries } from './deliveries.store.ts';

const second = 1_000;
const hour = 3_600_000;
/** As long as any wait after the first, second, … failure may be. */
const waits = [5, 30, 120, 600, 3_600, 14_400, 43_200].map((seconds) => seconds * second * 1.2);

// The SQL of deliveries is proved on both engines by webhooks.store.test.ts and webhooks-killed.test.ts.
describe('webhooks', () => {
  let app: TestApp;
  let clock: MovableClock;
  let receiver: Receiver;
  let operator: { accessToken: string };

  beforeEach(async () => {
    clock = movableClock();
    app = await startApp({ engine: 'sqlite', clock });
    receiver = await startReceiver();
    operator = {
      accessToken: await addToken(app, {
        rights: ['SETTINGS_WRITE', 'MAINTENANCE_WRITE'],
        name: 'Ada',
        lifetimeMs: 90 * 24 * hour,
      }),
    };
  });

  const draft = (path = '/hook') => ({ url: receiver.url + path, description: 'On-call', enabled: true });
  const add = async (
    body: ReturnType<typeof draft> & { shape?: WebhookShape; areas?: WebhookArea[]; key?: string } = draft(),
  ) => (await app.call(addWebhook, { body }, operator)).body;
  const change = (webhook: Webhook, to: Partial<Webhook>) => {
    const { url, description, enabled, version } = { ...webhook, ...to };
    const body = { url, description, enabled, version };
    return app.call(changeWebhook, { params: { webhookId: webhook.id }, body }, operator);
  };
  const send = async ({ id }: Webhook) =>
    (await app.call(testWebhook, { params: { webhookId: id } }, operator)).body;
  const log = async ({ id }: Webhook, at = app) =>
    (await at.call(listDeliveries, { params: { webhookId: id } }, operator)).body.deliveries;
  const find = async (webhook: Webhook, { id }: { id: string }) => {
    const found = (await log(webhook)).find((each) => each.id === id);
    if (found === undefined) throw new Error('It is not in the log.');
    return found;
  };
  const settled = (webhook: Webhook, delivery: WebhookDelivery, tries: number) =>
    expect.poll(async () => (await find(webhook, delivery)).attempts.length).toBe(tries);
  const pass = async (milliseconds: number) => {
    clock.move(milliseconds);
    await wake();
  };
  /** Only the time has moved: the timer would notice within a minute. */
  const wake = () => app.database.change((under) => Promise.resolve(under.publish('webhooks')));
  /** What would have come by now has come when something sent after it elsewhere has. */
  const nothingMore = async (count: number) => {
    const { webhook } = await add(draft('/afterwards'));
    receiver.answer(200);
    const last = await send(webhook);
    await expect.poll(() => receiver.received.at(-1)?.id).toBe(last.id);
    expect(receiver.received).toHaveLength(count + 1);
  };

  it('MAINT-7: are sent so that a client library of the standard accepts them', async () => {
    const { webhook, secret } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const delivery = await send(webhook);
    expect(delivery).toMatchObject({ event: 'webhook.test', state: 'waiting', attempts: [] });
    const { headers, body, method, path, id } = await receiver.arrived(1);
    expect(new Verifier(secret ?? '').verify(body, headers as Record<string, string>)).toEqual({
      type: 'webhook.test',
      timestamp: new Date(delivery.createdAt).toISOString(),
      data: { webhookId: webhook.id },
    });
    expect(() => new Verifier(secret ?? '').verify(`${body} `, headers as Record<string, string>)).toThrow(
      'No matching signature found',
    );
    expect([method, path, id, body]).toEqual(['POST', '/hook', delivery.id, delivery.body]);
    expect(headers).toMatchObject({ 'content-type': 'application/json' });
    expect(headers['user-agent']).toMatch(/^Portico\/\d/);
    await settled(webhook, delivery, 1);
    expect(await find(webhook, delivery)).toMatchObject({
      state: 'delivered',
      nextTryAt: null,
      attempts: [{ status: 200, failure: null }],
    });
    const { webhooks } = (await app.call(listWebhooks, {}, operator)).body;
    expect(webhooks).toMatchObject([
      { id: webhook.id, createdBy: 'Ada', lastDelivery: { ok: true, status: 200 } },
    ]);
  });

  it('MAINT-7: go to a chat or a pager in its own shape, unsigned, with the key of PagerDuty in no answer', async () => {
    const refused = await app.call(addWebhook, { body: { ...draft(), shape: 'pagerduty' } }, operator);
    expect({ status: refused.status, problem: refused.problem }).toMatchObject({
      status: 422,
      problem: { errors: [{ pointer: '/key', code: 'required' }] },
    });
    const slack = await add({ ...draft('/services/T/s3cret'), shape: 'slack' });
    const pager = await add({ ...draft('/pager'), shape: 'pagerduty', key: 'integration-key' });
    expect([slack.secret, pager.secret]).toEqual([null, null]);
    for (const { webhook } of [slack, pager]) await settled(webhook, await send(webhook), 1);
    const bodies = Object.fromEntries(receiver.received.map(({ path, body }) => [path, body]));
    expect(bodies['/services/T/s3cret']).toContain('"text":"Test message"');
    expect(JSON.parse(bodies['/pager'] ?? '')).toMatchObject({ routing_key: 'integration-key' });
    expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual([
      undefined,
      undefined,
    ]);
    const answers = JSON.stringify([
      (await app.call(listWebhooks, {}, operator)).body,
      await log(pager.webhook),
    ]);
    expect(answers).toContain('"shape":"pagerduty"');
    expect(answers).not.toContain('integration-key');
    const audit = JSON.stringify(await app.database.read.selectFrom('audit').selectAll().execute());
    expect(audit).not.toContain('s3cret');
    const examples = await app.call(
      previewWebhook,
      { query: { shape: 'discord', language: 'fr' } },
      operator,
    );
    for (const { body } of examples.body.examples)
      expect(Object.keys(JSON.parse(body) as object)).toEqual(['embeds', 'allowed_mentions']);
  });

  it('MAINT-7: word what really happens, and report about what they are for alone', async () => {
    await add({ ...draft(), shape: 'text' });
    const { webhook: narrow } = await add({ ...draft('/reports'), areas: ['report'] });
    const none = await app.call(addWebhook, { body: { ...draft(), areas: [] } }, operator);
    expect(none.problem).toMatchObject({ errors: [{ pointer: '/areas', code: 'too_small' }] });
    expect((await change(narrow, { description: 'Inbox' })).body.areas).toEqual(['report']);
    const window = {
      title: 'New pumps',
      text: '',
      severity: 'MEDIUM' as const,
      mode: 'full' as const,
      leadMinutes: 60,
      endsByItself: false,
      startsAt: clock.now() + 2 * hour,
      endsAt: clock.now() + 3 * hour,
    };
    await app.call(planWindow, { body: window }, operator);
    await app.call(saveFeedback, { body: { message: 'The map is white.' } }, operator);
    await sendEnvelope(app.url, await ownProjectKey(app), errorEnvelope({}, newEventId()));
    await receiver.arrived(4);
    const at = (wanted: string) =>
      receiver.received.filter(({ path }) => path === wanted).map(({ body }) => body);
    expect(at('/reports')).toEqual([expect.stringContaining('"type":"report.created"')]);
    expect(at('/hook')).toEqual([
      expect.stringMatching(/^Maintenance planned: New pumps\n.+ UTC\nhttp/),
      expect.stringMatching(/^Report received: Report #1\nThe map is white\.\n/),
      expect.stringMatching(/^New error: Portico\nTypeError: Cannot read properties of undefined/),
    ]);
  });

  it('MAINT-7: show the secret only in the answer of its creation, and every write in the audit', async () => {
    const { webhook, secret } = await add({ ...draft(), url: `${receiver.url}/hook?token=s3cret` });
    const { body: changed } = await change(webhook, { description: 'Somebody else' });
    const delivery = await send(changed);
    await settled(changed, delivery, 1);
    const again = { params: { webhookId: webhook.id, deliveryId: delivery.id } };
    expect((await app.call(redeliver, again, operator)).status).toBe(202);
    await settled(changed, delivery, 2);
    const answers = JSON.stringify([(await app.call(listWebhooks, {}, operator)).body, await log(changed)]);
    await app.call(removeWebhook, { params: { webhookId: webhook.id } }, operator);
    const audit = await app.database.read.selectFrom('audit').selectAll().orderBy('at').execute();
    const ours = audit.filter(({ action }) => action.startsWith('webhook.'));
    expect(ours.map(({ action, subject, actor_name: by }) => [action, subject, by])).toEqual(
      ['create', 'update', 'test', 'redeliver', 'delete'].map((verb) => [
        `webhook.${verb}`,
        webhook.id,
        'Ada',
      ]),
    );
    const bare = (secret ?? '').slice('whsec_'.length);
    for (const text of [answers, JSON.stringify(audit), JSON.stringify(app.log)])
      expect(text).not.toContain(bare);
    for (const text of [JSON.stringify(audit), JSON.stringify(app.log)]) expect(text).not.toContain('s3cret');
    expect(await app.database.read.selectFrom('webhook_attempt').selectAll().execute()).toEqual([]);
  });

  it('MAINT-7: are tried again under the same id after an error and after a refused connection', async () => {
    const { webhook } = await add();
    receiver.answer(500);
    const delivery = await send(webhook);
    await settled(webhook, delivery, 1);
    expect(await find(webhook, delivery)).toMatchObject({ state: 'waiting', attempts: [{ status: 500 }] });
    await expect
      .poll(() =>
        app.log.filter(({ msg }) => msg.startsWith('webhook ')).map(({ level, msg }) => [level, msg]),
      )
      .toEqual([[40, 'webhook not delivered']]);
    const { nextTryAt } = await find(webhook, delivery);
    expect((nextTryAt ?? 0) - clock.now()).toBeGreaterThanOrEqual(4 * second);
    expect((nextTryAt ?? 0) - clock.now()).toBeLessThanOrEqual(6 * second);

    await receiver.close();
    await pass(waits[0] ?? 0);
    await settled(webhook, delivery, 2);
    expect((await find(webhook, delivery)).attempts.at(-1)).toMatchObject({
      status: null,
      failure: 'refused',
    });
    await receiver.open();
    receiver.answer(204);
    await pass(waits[1] ?? 0);
    await settled(webhook, delivery, 3);
    expect((await find(webhook, delivery)).state).toBe('delivered');
    expect(receiver.received.map(({ id }) => id)).toEqual([delivery.id, delivery.id]);
    const [first, last] = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect((last ?? 0) - (first ?? 0)).toBe(42);
  });

  it('MAINT-7: take what was on its way to the old address to the new one', async () => {
    const { webhook } = await add(draft('/old'));
    receiver.answer(({ path }) => (path === '/old' ? null : { status: 200 }));
    const delivery = await send(webhook);
    await receiver.arrived(1);
    await change(webhook, draft('/new'));
    await settled(webhook, delivery, 1);
    expect(receiver.received.map(({ id, path }) => [id, path])).toEqual([
      [delivery.id, '/old'],
      [delivery.id, '/new'],
    ]);
  });

  it('MAINT-7: are given up after the eighth try, and sent once more when an operator asks', async () => {
    const { webhook } = await add();
    receiver.answer(503);
    const delivery = await send(webhook);
    for (const [before, wait] of waits.entries()) {
      await settled(webhook, delivery, before + 1);
      expect((await find(webhook, delivery)).state).toBe('waiting');
      await pass(wait);
    }
    await settled(webhook, delivery, 8);
    expect(await find(webhook, delivery)).toMatchObject({ state: 'failed', nextTryAt: null });

    receiver.answer(200);
    const again = { params: { webhookId: webhook.id, deliveryId: delivery.id } };
    expect((await app.call(redeliver, again, operator)).body.state).toBe('waiting');
    await settled(webhook, delivery, 9);
    expect((await find(webhook, delivery)).state).toBe('delivered');
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([delivery.id]));

    receiver.answer(503);
    const both = [await send(webhook), await send(webhook)];
    for (const one of both) await settled(webhook, one, 1);
    receiver.answer(200);
    const all = { params: { webhookId: webhook.id } };
    expect((await app.call(redeliverAll, all, operator)).body).toEqual({ deliveries: 2 });
    for (const one of both) {
      await settled(webhook, one, 2);
      expect((await find(webhook, one)).state).toBe('delivered');
    }
    expect((await app.call(redeliverAll, all, operator)).body).toEqual({ deliveries: 0 });
  });

  it('MAINT-7: wait as long as the receiver asks', async () => {
    const { webhook } = await add();
    receiver.answer(() => ({ status: 429, headers: { 'retry-after': '600' } }));
    const delivery = await send(webhook);
    await settled(webhook, delivery, 1);
    expect((await find(webhook, delivery)).nextTryAt).toBe(clock.now() + 600 * second);
    receiver.answer(200);
    await pass(599 * second);
    await nothingMore(1);
    await pass(second);
    await settled(webhook, delivery, 2);
  });

  it('MAINT-7: arrive in order and one at a time, and let others pass what failed', async () => {
    const { webhook } = await add();
    receiver.answer(() => null);
    const sent = [await send(webhook), await send(webhook), await send(webhook)];
    for (const count of [1, 2, 3]) {
      await receiver.arrived(count);
      expect(receiver.received).toHaveLength(count);
      if (count === 3) receiver.answer(200);
      receiver.release();
    }
    expect(receiver.received.map(({ id }) => id)).toEqual(sent.map(({ id }) => id));
    receiver.answer(({ id }) => ({ status: id === failing.id ? 500 : 200 }));
    const failing = await send(webhook);
    const behind = await send(webhook);
    await settled(webhook, behind, 1);
    expect((await find(webhook, failing)).state).toBe('waiting');
    expect(receiver.overlaps).toBe(0);
  });

  it('MAINT-7: are not held up by another receiver that is slow', async () => {
    const { webhook: slow } = await add(draft('/slow'));
    const { webhook: quick } = await add(draft('/quick'));
    receiver.answer(({ path }) => (path === '/slow' ? null : { status: 200 }));
    const held = await send(slow);
    await receiver.arrived(1);
    for (const count of [2, 3, 4]) {
      const delivery = await send(quick);
      await receiver.arrived(count);
      await settled(quick, delivery, 1);
    }
    // A change of another webhook, or one that keeps the address, breaks off no delivery.
    const { body: renamed } = await change(quick, { description: 'Another name' });
    await change(slow, { description: 'Another name as well' });
    await app.call(removeWebhook, { params: { webhookId: renamed.id } }, operator);
    await wake();
    expect([receiver.waiting, (await find(slow, held)).attempts]).toEqual([1, []]);
    receiver.release();
    await settled(slow, held, 1);
    expect((await find(slow, held)).attempts).toMatchObject([{ status: 200, failure: null }]);
  });

  it('MAINT-7: go nowhere any more once the receiver answers that it is gone', async () => {
    const { webhook } = await add();
    receiver.answer(500);
    const waiting = await send(webhook);
    await settled(webhook, waiting, 1);
    receiver.answer(410);
    const delivery = await send(webhook);
    await settled(webhook, delivery, 1);
    expect(await find(webhook, delivery)).toMatchObject({ state: 'failed', nextTryAt: null });
    expect(await find(webhook, waiting)).toMatchObject({
      state: 'failed',
      attempts: [{ status: 500 }, { status: null, failure: 'disabled' }],
    });
    const { webhooks } = (await app.call(listWebhooks, {}, operator)).body;
    expect(webhooks).toMatchObject([{ enabled: false, lastDelivery: { ok: false, status: 410 } }]);
    const refused = await app.call(testWebhook, { params: { webhookId: webhook.id } }, operator);
    expect(refused.problem?.code).toBe('CONFLICT');
    await pass(waits[0] ?? 0);
    await nothingMore(2);
  });

  /** One that has failed and waits, and one that is on its way. */
  const twoUnderWay = async (webhook: Webhook) => {
    receiver.answer(500);
    const waiting = await send(webhook);
    await settled(webhook, waiting, 1);
    receiver.answer(() => null);
    const held = await send(webhook);
    await receiver.arrived(2);
    return { waiting, held };
  };

  it('MAINT-7: go nowhere any more once they are removed', async () => {
    const { webhook } = await add();
    await twoUnderWay(webhook);
    expect((await app.call(removeWebhook, { params: { webhookId: webhook.id } }, operator)).status).toBe(204);
    await expect.poll(() => receiver.waiting).toBe(0);
    await pass(2 * hour);
    await nothingMore(2);
  });

  it('MAINT-7: go nowhere any more once they are switched off, and later only with what is new', async () => {
    const { webhook } = await add();
    const { waiting, held } = await twoUnderWay(webhook);
    const { body: off } = await change(webhook, { enabled: false });
    await expect.poll(() => receiver.waiting).toBe(0);
    // As it was at the last question.
    expect(off.lastDelivery).toMatchObject({ ok: false, status: 500 });
    expect((await log(off)).map(({ id, state }) => [id, state])).toEqual([
      [held.id, 'failed'],
      [waiting.id, 'failed'],
    ]);
    const published = (window: string) =>
      app.database.change((under) => publishToWebhooks(under, clock, 'maintenance.active', { window }));
    await published('while it is off');
    expect((await change(off, { enabled: true })).status).toBe(200);
    receiver.answer(200);
    await pass(2 * hour);
    await published('what is new');
    await nothingMore(3);
    const [, , third] = receiver.received;
    expect(third).toMatchObject({ path: '/hook', body: expect.stringContaining('what is new') });
    expect(await log(webhook)).toHaveLength(3);
  });

  it('MAINT-7: report why there was no answer', async () => {
    receiver.answer(() => ({ status: 302, headers: { location: '/elsewhere' } }));
    const mute = createServer((socket) => socket.end('This is no HTTP.\r\n\r\n'));
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
    afterThisTest(() => void mute.close());
    const { port } = mute.address() as { port: number };
    const expected: [url: string, status: number | null, failure: string][] = [
      [`${receiver.url}/redirecting`, 302, 'redirect'],
      [`http://127.0.0.1:${port}/`, null, 'network'],
      [`https://127.0.0.1:${port}/`, null, 'tls'],
      // Too long for a name: no server of names is asked, which may not answer in time.
      [`http://${'x'.repeat(64)}.invalid/`, null, 'unresolved'],
    ];
    for (const [url, status, failure] of expected) {
      const { webhook } = await add({ ...draft(), url });
      const delivery = await send(webhook);
      await settled(webhook, delivery, 1);
      expect((await find(webhook, delivery)).attempts).toMatchObject([{ status, failure }]);
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/redirecting']);
  });

  it('MAINT-7: refuse addresses that nothing may be sent to', async () => {
    const refused: [url: string, code: string][] = [
      ['nonsense', 'format'],
      ['//example.org/hook', 'format'],
      ['https://', 'format'],
      ['https://exa mple.org/', 'format'],
      ['ftp://example.org/', 'scheme'],
      ['javascript:alert(1)', 'scheme'],
      ['file:///etc/passwd', 'scheme'],
      ['https://user@example.org/', 'credentials'],
      ['https://user:password@example.org/', 'credentials'],
      ['http://169.254.169.254/latest/meta-data', 'forbidden-address'],
      ['http://0xa9fea9fe/', 'forbidden-address'],
      ['http://[fe80::1]/', 'forbidden-address'],
      ['http://0.0.0.0/', 'forbidden-address'],
    ];
    const { webhook } = await add();
    for (const [url, code] of refused) {
      for (const answer of [
        await app.call(addWebhook, { body: { ...draft(), url } }, operator),
        await change(webhook, { url }),
      ]) {
        const { status, problem } = answer;
        expect([url, status, problem?.errors?.map((error) => [error.pointer, error.code])]).toEqual([
          url,
          422,
          [['/url', code]],
        ]);
      }
    }
  });

  it('MAINT-7: have a log in pages, and are removed from it by the sweep', async () => {
    const { webhook } = await add();
    await settled(webhook, await send(webhook), 1);
    clock.move(30 * 24 * hour + 10 * second);
    const sent = [await send(webhook), await send(webhook)];
    for (const delivery of sent) await settled(webhook, delivery, 1);
    await app.sweep();
    const page = async (query: { cursor?: string }) =>
      app.call(
        listDeliveries,
        { params: { webhookId: webhook.id }, query: { limit: 1, ...query } },
        operator,
      );
    const first = (await page({})).body;
    const last = (await page({ cursor: first.next ?? '' })).body;
    const listed = [first, last].flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    expect([listed, last.next]).toEqual([sent.map(({ id }) => id).toReversed(), null]);
    expect((await page({ cursor: 'x' })).problem?.code).toBe('INVALID_REQUEST');
    const elsewhere = { params: { webhookId: webhook.id, deliveryId: 'msg_nothing' } };
    expect((await app.call(redeliver, elsewhere, operator)).problem?.code).toBe('NOT_FOUND');
  });

  it('RUN-2: a stop waits for what is on its way, and the next start sends what was left', async () => {
    const { webhook } = await add();
    receiver.answer(() => null);
    const [first, next] = [await send(webhook), await send(webhook)];
    await receiver.arrived(1);
    const stopped = app.stop();
    receiver.release();
    receiver.answer(200);
    await stopped;
    app = await startApp({ after: app, clock });
    await receiver.arrived(2);
    await settled(webhook, next, 1);
    expect(receiver.received.map(({ id }) => id)).toEqual([first.id, next.id]);
    expect((await find(webhook, first)).state).toBe('delivered');
  });
});

describe('webhooks of two replicas on one PostgreSQL', () => {
  it('RUN-1: are sent once, one at a time and in order', async () => {
    const place = await freshDatabase('postgres');
    const one = await startApp({ on: place });
    await startApp({ replicaOf: one });
    const receiver = await startReceiver();
    const operator = { accessToken: await addToken(one, { rights: ['SETTINGS_WRITE'] }) };
    for (const path of ['/a', '/b', '/c']) {
      const body = { url: receiver.url + path, description: '', enabled: true };
      await one.call(addWebhook, { body }, operator);
    }
    const ids: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      const delivery = { body: JSON.stringify({ round }), now: Date.now() };
      ids.push(
        ...(await one.database.change((change) => insertDeliveries(change, 'maintenance.changed', delivery))),
      );
    }
    await receiver.arrived(120);
    const waiting = () =>
      one.database.read.selectFrom('webhook_delivery').select('id').where('state', '=', 'waiting').execute();
    await expect.poll(waiting).toEqual([]);
    expect(receiver.received.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(receiver.overlaps).toBe(0);
    for (const path of ['/a', '/b', '/c']) {
      const bodies = receiver.received.filter((each) => each.path === path).map(({ body }) => body);
      expect(bodies).toEqual(Array.from({ length: 40 }, (_none, round) => JSON.stringify({ round })));
    }
  });
});
