import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase, type Database } from '../../platform/database.ts';
import { afterThisTest, engines, freshDatabase } from '../../testing/fresh-database.ts';
import {
  claimDue,
  giveBack,
  insertDeliveries,
  insertWebhook,
  readDelivery,
  settle,
} from './webhooks.store.ts';

const minute = 60_000;
const now = 1_800_000_000_000;

describe.each(engines)('the claim of a delivery on %s', (engine) => {
  let database: Database;
  let webhookId: string;
  let deliveryId: string;

  beforeEach(async () => {
    const { location } = await freshDatabase(engine);
    database = await openDatabase(location, systemClock);
    afterThisTest(() => database.close());
    await database.change(async (change) => {
      const draft = { url: 'https://example.org/hook', description: '', enabled: true };
      webhookId = (await insertWebhook(change, draft, { secret: 'whsec_', createdBy: 'Ada' })).id;
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
    await database.transaction((tx) => giveBack(tx, late));
    expect(await read()).toMatchObject({ state: 'waiting', attempts: [] });
    // The other one's claim holds still.
    await expect(claim(now + minute + 2)).rejects.toThrow('Nothing was due');
    expect(await database.transaction((tx) => settle(tx, current, attempt(200), delivered))).toBe(true);
    expect(await database.transaction((tx) => settle(tx, late, attempt(500), given))).toBe(false);
    expect(await read()).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
  });
});
