import { isGood } from '#features/webhooks/contract/webhooks.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/platform/database/database.ts';
import { engines, openFresh } from '#server/testing/fresh-database.ts';
import { aTest } from '#server/testing/people.ts';
import {
  claimDue,
  dropClaims,
  giveUpWaiting,
  insertDeliveries,
  makeDue,
  nextDue,
  readDeliveries,
  readDelivery,
  releaseDelivery,
  settle,
  sweepDeliveries,
} from './deliveries.store.ts';
import {
  deleteWebhook,
  failingWebhooks,
  insertWebhook,
  readWebhook,
  readWebhooks,
  switchOff,
  updateWebhook,
} from './webhooks.store.ts';

const minute = 60_000;
const now = 1_800_000_000_000;

describe.each(engines)('the claim of a delivery on %s', (engine) => {
  let database: Database;
  let webhookId: string;
  let deliveryId: string;

  beforeEach(async () => {
    database = await openFresh(engine);
    await database.change(async (change) => {
      const draft = { url: 'https://example.org/hook', description: '', enabled: true };
      webhookId = (await insertWebhook(change, draft, { secret: 'whsec_', author: aTest })).id;
      [deliveryId = ''] = await insertDeliveries(change, 'webhook.test', { body: '{}', now });
    });
  });

  const claim = async (at: number) => {
    const [claimed] = await database.transaction((tx) => claimDue(tx, engine, at));
    if (claimed === undefined) throw new Error('Nothing was due.');
    return claimed;
  };
  const read = () => readDelivery(database.read, webhookId, deliveryId);
  const attempt = (status: number) => ({ at: now, took: 1, status, failure: null });
  const delivered = { state: 'delivered', nextTryAt: null } as const;
  const given = { state: 'failed', nextTryAt: null } as const;

  it('MAINT-7: a process whose claim ran out overwrites nothing of the one that claimed after it', async () => {
    const late = await claim(now);
    const current = await claim(now + minute + 1);
    expect(await database.transaction((tx) => settle(tx, late, attempt(500), given))).toBe(false);
    await database.transaction((tx) => releaseDelivery(tx, late));
    expect(await read()).toMatchObject({ state: 'waiting', attempts: [] });
    // The other one's claim holds still.
    await expect(claim(now + minute + 2)).rejects.toThrow('Nothing was due');
    expect(await database.transaction((tx) => settle(tx, current, attempt(200), delivered))).toBe(true);
    expect(await database.transaction((tx) => settle(tx, late, attempt(500), given))).toBe(false);
    expect(await read()).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });
});

describe.each(engines)('the deliveries of webhooks on %s', (engine) => {
  let database: Database;

  beforeEach(async () => {
    database = await openFresh(engine);
  });

  const add = (path: string, enabled = true) =>
    database.change((change) =>
      insertWebhook(
        change,
        { url: `https://example.org/${path}`, description: path, enabled },
        { secret: `whsec_${path}`, author: aTest },
      ),
    );
  const deliver = (at: number, webhookId?: string) =>
    database.change((change) =>
      insertDeliveries(change, 'webhook.test', { body: JSON.stringify({ at }), now: at }, webhookId),
    );
  const claim = (at: number) => database.transaction((tx) => claimDue(tx, engine, at));
  const due = (at: number) => nextDue(database.read, at);
  const attempt = (status: number | null, at = now) => ({ at, took: 3, status, failure: null });
  const settleAll = async (at: number, nextTryAt: number | null) => {
    for (const claimed of await claim(at)) {
      const outcome =
        nextTryAt === null
          ? ({ state: 'delivered', nextTryAt } as const)
          : ({ state: 'waiting', nextTryAt } as const);
      await database.transaction((tx) =>
        settle(tx, claimed, attempt(nextTryAt === null ? 200 : 500), outcome),
      );
    }
  };
  const log = async (webhookId: string) =>
    (await readDeliveries(database.read, webhookId, { before: null, limit: 100 })).deliveries;
  /** The deliveries in the database, whether published or not. */
  const rows = () => database.read.selectFrom('webhook_delivery').selectAll().orderBy('created_at').execute();

  it('MAINT-7: are written for every webhook that is switched on, or for the one that is named, and in an order', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const off = await add('off', false);
    expect(await deliver(now)).toHaveLength(2);
    const [named = ''] = await deliver(now, two.id);
    expect(await deliver(now, off.id)).toEqual([]);
    expect([await log(one.id), await log(two.id), await log(off.id)].map(({ length }) => length)).toEqual([
      1, 2, 0,
    ]);
    expect((await log(two.id))[0]).toEqual({
      id: named,
      event: 'webhook.test',
      createdAt: expect.any(Number),
      state: 'waiting',
      nextTryAt: now,
      attempts: [],
      body: JSON.stringify({ at: now }),
    });
    // Two of one transaction have the same time, and still an order.
    const both = await database.change(async (change) => {
      const delivery = { body: '{}', now };
      return [
        await insertDeliveries(change, 'maintenance.active', delivery, one.id),
        await insertDeliveries(change, 'maintenance.ended', delivery, one.id),
      ].flat();
    });
    const [last, first] = await log(one.id);
    expect([first?.id, last?.id]).toEqual(both);
    expect(last?.createdAt).toBe((first?.createdAt ?? 0) + 1);
    await expect(readDelivery(database.read, one.id, named)).rejects.toThrow('There is no such delivery.');
  });

  it('MAINT-7: are listed in pages, the latest first, each once and none of another webhook', async () => {
    const [one, two] = [await add('one'), await add('two')];
    expect(await readDeliveries(database.read, one.id, { before: null, limit: 2 })).toEqual({
      deliveries: [],
      next: null,
    });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.unshift(...(await deliver(now, one.id)));
    await deliver(now, two.id);
    const page = async (before: number | null, limit: number) => {
      const { deliveries, next } = await readDeliveries(database.read, one.id, { before, limit });
      return { ids: deliveries.map(({ id }) => id), next };
    };
    const first = await page(null, 2);
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect(await page(first.next, 2)).toEqual({ ids: ids.slice(2), next: null });
    expect(await page(null, 4)).toEqual({ ids, next: null });
  });

  it('MAINT-7: twenty webhooks are as many as there may be', async () => {
    for (let count = 0; count < 20; count += 1) await add(String(count));
    await expect(add('one more')).rejects.toThrow('There are 20 webhooks already. Remove one first.');
    expect(await readWebhooks(database.read)).toHaveLength(20);
  });

  it('MAINT-7: are claimed one for each webhook, first tries in their order and before what failed', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const [failing = ''] = await deliver(now, one.id);
    await settleAll(now, now + 5);
    const [first = ''] = await deliver(now + 2, one.id);
    const [second = ''] = await deliver(now + 1, one.id);
    await deliver(now + 100, two.id);
    expect(await claim(now)).toEqual([]);
    const [claimed] = await claim(now + 10);
    expect(claimed).toEqual({
      id: first,
      webhookId: one.id,
      url: 'https://example.org/one',
      secret: 'whsec_one',
      shape: 'standard',
      language: 'en',
      body: JSON.stringify({ at: now + 2 }),
      tries: 0,
      claimedUntil: now + 10 + minute,
    });
    expect((await claim(now + 100)).map(({ webhookId }) => webhookId)).toEqual([two.id]);
    // While the claim of the first one holds, to the millisecond, none of the same webhook is taken.
    expect(await claim(now + 9 + minute)).toEqual([]);
    expect((await claim(now + 10 + minute)).map(({ id }) => id)).toEqual([first]);
    await database.transaction((tx) =>
      settle(tx, { ...claimed!, claimedUntil: now + 10 + 2 * minute }, attempt(200), {
        state: 'delivered',
        nextTryAt: null,
      }),
    );
    const later = now + 10 + minute;
    expect((await claim(later)).map(({ id }) => id)).toEqual([second]);
    await database.transaction((tx) => dropClaims(tx));
    await database.change((change) =>
      updateWebhook(change, two.id, {
        url: 'https://example.org/new',
        description: '',
        enabled: false,
        version: 1,
      }),
    );
    const order: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const [next] = await claim(later);
      order.push(next?.id ?? '');
      if (next)
        await database.transaction((tx) =>
          settle(tx, next, attempt(200), { state: 'delivered', nextTryAt: null }),
        );
    }
    expect(order).toEqual([second, failing]);
    expect((await log(one.id)).map(({ id, attempts }) => [id, attempts.length])).toEqual([
      [second, 1],
      [first, 1],
      [failing, 2],
    ]);
  });

  it('MAINT-7: a claim that lies further ahead than any was written by a clock that was put back, and holds nothing', async () => {
    await add('one');
    await deliver(now);
    const [ahead] = await claim(now + 10 * minute);
    expect(ahead?.claimedUntil).toBe(now + 11 * minute);
    expect(await due(now)).toBe(now);
    expect(await claim(now + 9 * minute)).toEqual([]);
    expect(await claim(now + 9 * minute - 1)).toHaveLength(1);
  });

  it('MAINT-7: are due when the first of them is, of a webhook that is switched on and has none under way', async () => {
    expect(await due(now)).toBeNull();
    const [one, two] = [await add('one'), await add('two')];
    expect(await due(now)).toBeNull();
    await deliver(now + 50, two.id);
    await deliver(now + 40, two.id);
    expect(await due(now)).toBe(now + 40);
    await deliver(now + 20, one.id);
    expect(await due(now)).toBe(now + 20);
    const [claimed] = await claim(now + 30);
    expect(claimed?.webhookId).toBe(one.id);
    expect(await due(now + 30)).toBe(now + 40);
    await database.change((change) => deleteWebhook(change, two.id));
    expect(await due(now + 30)).toBe(now + 30 + minute);
    await database.transaction((tx) => releaseDelivery(tx, claimed!));
    expect(await due(now + 30)).toBe(now + 20);
    await settleAll(now + 30, null);
    expect(await due(now + 30)).toBeNull();
  });

  it('MAINT-7: tried again by hand begin with the first try, and one that is being tried stays as it is', async () => {
    const { id } = await add('one');
    const [delivery = ''] = await deliver(now);
    await settleAll(now, now + 5);
    await settleAll(now + 5, null);
    const again = (at: number) => database.change((change) => makeDue(change, delivery, at));
    await again(now + 7);
    expect(await rows()).toMatchObject([{ state: 'waiting', tries: 0, next_try_at: now + 7 }]);
    const [claimed] = await claim(now + 7);
    await again(now + 9);
    expect(await rows()).toMatchObject([{ next_try_at: now + 7, claimed_until: claimed?.claimedUntil }]);
    await database.transaction((tx) =>
      settle(tx, claimed!, attempt(500), { state: 'waiting', nextTryAt: now + 30 }),
    );
    expect(await rows()).toMatchObject([{ tries: 1, next_try_at: now + 30, claimed_until: null }]);
    // Three tries at the same time are stored as three, in their order.
    expect(
      (await readDelivery(database.read, id, delivery)).attempts.map(({ at, status }) => [at, status]),
    ).toEqual([
      [now, 500],
      [now + 1, 200],
      [now + 2, 500],
    ]);
  });

  it('MAINT-7: are given up where their webhook is switched off, and all of them where the database was put back', async () => {
    const [one, two] = [await add('one'), await add('two')];
    await deliver(now, one.id);
    await settleAll(now, null);
    const [waiting = ''] = await deliver(now + 1, one.id);
    const [claimed] = await claim(now + 1);
    const [elsewhere = ''] = await deliver(now, two.id);
    await database.change((change) => switchOff(change, one.id));
    const off = await readWebhook(database.read, one.id);
    // A delivery that was given up is not counted as a try: it has no answer of the receiver.
    expect(off).toMatchObject({
      enabled: false,
      version: 2,
      lastDelivery: { at: now, ok: true, status: 200 },
    });
    expect((await log(one.id)).map(({ state }) => state)).toEqual(['failed', 'delivered']);
    expect(await readDelivery(database.read, one.id, waiting)).toMatchObject({
      state: 'failed',
      nextTryAt: null,
      attempts: [{ status: null, failure: 'disabled', took: 0 }],
    });
    expect(
      await database.transaction((tx) =>
        settle(tx, claimed!, attempt(200), { state: 'delivered', nextTryAt: null }),
      ),
    ).toBe(false);
    expect(await readDelivery(database.read, two.id, elsewhere)).toMatchObject({ state: 'waiting' });

    await deliver(now + 2, two.id);
    expect(await database.transaction((tx) => giveUpWaiting(tx, now + 3))).toBe(2);
    expect(await database.transaction((tx) => giveUpWaiting(tx, now + 3))).toBe(0);
    expect((await log(two.id)).map(({ state, attempts }) => [state, attempts])).toEqual(
      [1, 2].map(() => ['failed', [{ at: now + 3, took: 0, status: null, failure: 'restored' }]]),
    );
    expect((await readWebhook(database.read, two.id)).lastDelivery).toBeNull();
    expect(await due(now + 10)).toBeNull();
  });

  it('MAINT-7: what became of the last try is shown, of the youngest delivery that was tried', async () => {
    const { id } = await add('one');
    const last = async () => (await readWebhooks(database.read)).map(({ lastDelivery }) => lastDelivery);
    expect(await last()).toEqual([null]);
    await deliver(now);
    expect(await last()).toEqual([null]);
    const [first] = await claim(now);
    await database.transaction((tx) =>
      settle(tx, first!, attempt(503), { state: 'waiting', nextTryAt: now + 1 }),
    );
    expect(await last()).toEqual([{ at: now, ok: false, status: 503 }]);
    await settleAll(now + 1, null);
    expect(await last()).toEqual([{ at: now + 1, ok: true, status: 200 }]);
    await deliver(now + 2);
    expect(await last()).toEqual([{ at: now + 1, ok: true, status: 200 }]);
    expect(await failingWebhooks(database.read)).toEqual([]);
    const refused = { ...attempt(null, now + 2), failure: 'refused' };
    const [second] = await claim(now + 2);
    await database.transaction((tx) => settle(tx, second!, refused, { state: 'failed', nextTryAt: null }));
    expect(await last()).toEqual([{ at: now + 2, ok: false, status: null }]);
    expect((await readWebhook(database.read, id)).lastDelivery).toEqual((await last())[0]);
    expect(await failingWebhooks(database.read)).toMatchObject([
      { failures: 1, since: now + 2, status: null, nextTryAt: null },
    ]);
    // A restored backup begins again: what failed before counts no more.
    await deliver(now + 3);
    await database.transaction((tx) => giveUpWaiting(tx, now + 4));
    expect(await failingWebhooks(database.read)).toEqual([]);
  });

  it('MAINT-7: old ones go, and those beyond a thousand, a bounded number at a time; what waits stays', async () => {
    const [one, two] = [await add('one'), await add('two')];
    const day = 86_400_000;
    const put = (webhookId: string, name: string, at: number, state = 'delivered') => ({
      id: name,
      webhook_id: webhookId,
      event: 'webhook.test',
      body: '{}',
      created_at: at,
      state,
      tries: 1,
      next_try_at: state === 'waiting' ? at : null,
      claimed_until: null,
    });
    await database.transaction((tx) =>
      tx
        .insertInto('webhook_delivery')
        .values([
          put(one.id, 'old-1', now - 30 * day - 1),
          put(one.id, 'old-2', now - 30 * day - 2, 'failed'),
          put(one.id, 'old-waits', now - 30 * day - 3, 'waiting'),
          put(one.id, 'a month', now - 30 * day),
          ...Array.from({ length: 1_003 }, (_none, index) => put(two.id, `msg_${index}`, now + index)),
        ])
        .execute(),
    );
    const sweep = (most: number) => database.transaction((tx) => sweepDeliveries(tx, now, most));
    const names = async (prefix: string) =>
      (await rows()).map(({ id }) => id).filter((id) => id.startsWith(prefix));
    expect(await sweep(1)).toBe(1);
    expect(await names('old')).toHaveLength(2);
    expect(await names('msg')).toHaveLength(1_003);
    expect(await sweep(3)).toBe(3);
    expect(await names('old')).toEqual(['old-waits']);
    expect(await names('msg')).toHaveLength(1_001);
    expect(await sweep(3)).toBe(1);
    expect((await names('msg')).at(0)).toBe('msg_3');
    expect(await sweep(3)).toBe(0);
    expect(await names('a month')).toHaveLength(1);
  });

  it('MAINT-7: every write of a webhook is published, by its id, and what does not change it is not', async () => {
    const published: string[] = [];
    database.onChange((changes) => published.push(...changes.map(({ topic, key }) => `${topic} ${key}`)));
    const { id } = await add('one');
    const draft = { url: 'https://example.org/two', description: 'Two', enabled: true };
    const before = await database.change((change) => updateWebhook(change, id, { ...draft, version: 1 }));
    const after = await readWebhook(database.read, id);
    expect([before.version, after]).toEqual([1, expect.objectContaining({ ...draft, version: 2 })]);
    const stale = database.change((change) => updateWebhook(change, id, { ...draft, version: 1 }));
    await expect(stale).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    const [delivery = ''] = await deliver(now);
    await database.change((change) => makeDue(change, delivery, now));
    await database.change((change) => switchOff(change, id));
    await deliver(now);
    expect((await database.change((change) => deleteWebhook(change, id))).version).toBe(3);
    expect(await rows()).toEqual([]);
    expect(published).toEqual([
      `webhooks ${id}`,
      `webhooks ${id}`,
      'webhooks ',
      'webhooks ',
      `webhooks ${id}`,
      `webhooks ${id}`,
    ]);
  });
});

it.each([
  [200, null, true],
  [299, null, true],
  [199, null, false],
  [300, null, false],
  [null, null, false],
  [200, 'cut-off', false],
])('MAINT-7: status %s with the failure %s is good: %s', (status, failure, good) => {
  expect(isGood({ status, failure })).toBe(good);
});
