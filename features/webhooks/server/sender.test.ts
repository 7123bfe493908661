import type { WebhookShape } from '#features/webhooks/contract/webhooks.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import type { Database, PublishedChange } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { afterThisTest, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock, type MovableClock } from '#server/testing/movable-clock.ts';
import { aTest } from '#server/testing/people.ts';
import { startSender, afterTry, readRetryAfter } from './sender.ts';
import { insertDeliveries, readDeliveries } from './deliveries.store.ts';
import { insertWebhook, readWebhooks } from './webhooks.store.ts';

describe('when the sender of webhooks looks for what is due', () => {
  let database: Database;
  let clock: MovableClock;
  /** How often it was asked what is due. */
  let asked: number;
  let fails: boolean;
  let log: string[];
  let publish: (key: string) => void;
  let sender: { close(): Promise<void> };

  beforeEach(async () => {
    database = await openFresh('sqlite');
    clock = movableClock();
    [asked, fails, log] = [0, false, []];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    afterThisTest(() => void vi.useRealTimers());
  });

  function start() {
    const read = new Proxy(database.read, {
      get(target, name) {
        if (name === 'selectFrom') {
          asked += 1;
          if (fails) throw new Error('the database is away');
        }
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    });
    const feed: ChangeFeed = {
      on: (_topic, listener) => void (publish = (key) => listener({ key } as PublishedChange)),
      publishedAt: () => 0,
      close: () => Promise.resolve(),
    };
    const logger = createLogger('info', { write: (line) => log.push(line) });
    sender = startSender({
      database: { ...database, read },
      feed,
      clock,
      logger,
      userAgent: 'x',
      publicUrl: 'https://portico.test',
    });
    afterThisTest(() => sender.close());
  }

  /** So many milliseconds go by, and what they set off has come to its end. */
  async function pass(milliseconds: number): Promise<number> {
    const before = asked;
    await vi.advanceTimersByTimeAsync(milliseconds);
    for (let round = 0; round < 3; round += 1) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((done) => setImmediate(done));
      // A write ends once it is on disk; this one is after those under way.
      await database.transaction(() => Promise.resolve());
    }
    return asked - before;
  }

  const addDue = (inMilliseconds: number, shape: WebhookShape = 'standard') =>
    database.change(async (change) => {
      const draft = { url: 'https://hooks.example.org/', description: '', enabled: true, shape };
      await insertWebhook(change, draft, { secret: 'whsec_', author: aTest });
      const delivery = { body: '{}', now: clock.now() + inMilliseconds };
      await insertDeliveries(change, 'webhook.test', delivery);
    });

  it('MAINT-7: a message that cannot be written fails once, which is no failure of its receiver', async () => {
    await addDue(0, 'text');
    start();
    await pass(0);
    const [webhook] = await readWebhooks(database.read);
    const { deliveries } = await readDeliveries(database.read, webhook!.id, { before: null, limit: 1 });
    expect(deliveries).toMatchObject([
      { state: 'failed', nextTryAt: null, attempts: [{ status: null, failure: 'not-composed' }] },
    ]);
    expect(webhook?.lastDelivery).toBeNull();
  });

  it('MAINT-7: not at all while nothing waits, until a change is published', async () => {
    start();
    expect(await pass(0)).toBe(1);
    expect(await pass(3_600_000)).toBe(0);
    publish('');
    expect(await pass(0)).toBe(1);
    // However many changes come at once, it looks once.
    publish('');
    publish('');
    publish('');
    expect(await pass(0)).toBe(1);
  });

  it('MAINT-7: at its time, but at most after a minute, since clocks are set', async () => {
    await addDue(3_600_000);
    start();
    await pass(0);
    expect(await pass(59_999)).toBe(0);
    expect(await pass(1)).toBeGreaterThan(0);
    clock.move(3_599_000);
    expect(await pass(60_000)).toBeGreaterThan(0);
    // A second is left by now.
    expect(await pass(999)).toBe(0);
    expect(await pass(1)).toBeGreaterThan(0);
  });

  it('MAINT-7: not again and again where it is all but due', async () => {
    await addDue(1);
    start();
    await pass(0);
    expect(await pass(249)).toBe(0);
    expect(await pass(1)).toBeGreaterThan(0);
  });

  it('MAINT-7: once more after five seconds where the database is away, and logs it', async () => {
    fails = true;
    start();
    expect(await pass(0)).toBe(1);
    expect(
      log.filter((line) => line.includes('waiting deliveries of webhooks could not be read')),
    ).toHaveLength(1);
    expect(await pass(4_999)).toBe(0);
    fails = false;
    expect(await pass(1)).toBe(1);
    expect(await pass(60_000)).toBe(0);
    fails = true;
    publish('some-webhook');
    await pass(0);
    expect(
      log.filter((line) => line.includes('waiting deliveries of webhooks could not be read')),
    ).toHaveLength(2);
  });

  it('RUN-2: never after it was closed', async () => {
    await addDue(1_000);
    start();
    await pass(0);
    await sender.close();
    publish('');
    expect(await pass(3_600_000)).toBe(0);
  });
});

const failed = { ok: false, status: 500, retryAfter: null };

describe('what follows a try', () => {
  it('MAINT-7: is a wait that grows and is spread, and an end after the eighth', () => {
    const waits = (random: number) =>
      Array.from({ length: 8 }, (_none, tries) => afterTry(failed, tries, 0, random).nextTryAt);
    expect(waits(0.5)).toEqual([5e3, 3e4, 12e4, 6e5, 36e5, 144e5, 432e5, null]);
    expect(waits(0).slice(0, 2)).toEqual([4e3, 24e3]);
    expect(waits(1).slice(0, 2)).toEqual([6e3, 36e3]);
    expect(afterTry(failed, 7, 0, 0.5).state).toBe('failed');
    expect(afterTry({ ...failed, status: 410 }, 0, 0, 0.5).state).toBe('failed');
    expect(afterTry({ ok: true, status: 204, retryAfter: 9 }, 3, 0, 0.5).state).toBe('delivered');
  });

  it('MAINT-7: is never sooner than the receiver asks, within twelve hours', () => {
    const next = (status: number, retryAfter: number | null) =>
      afterTry({ ok: false, status, retryAfter }, 0, 1_000, 0.5).nextTryAt;
    expect(next(429, 60_000)).toBe(61_000);
    expect(next(503, 60_000)).toBe(61_000);
    expect(next(503, 1_000)).toBe(6_000);
    expect(next(429, 1e12)).toBe(43_201_000);
    expect(next(500, 60_000)).toBe(6_000);
  });

  it('MAINT-7: reads both forms of Retry-After', () => {
    const now = Date.parse('2026-11-03T10:00:00Z');
    expect(readRetryAfter('120', now)).toBe(120_000);
    expect(readRetryAfter('Tue, 03 Nov 2026 10:01:00 GMT', now)).toBe(60_000);
    expect(readRetryAfter('Tue, 03 Nov 2026 09:00:00 GMT', now)).toBe(0);
    for (const odd of [undefined, '', 'soon', '-1'])
      expect([odd, readRetryAfter(odd, now) ?? 0]).toEqual([odd, 0]);
  });
});
