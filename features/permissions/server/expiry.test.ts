import { describe, expect, it, vi } from 'vitest';
import type { ChangeFeed } from '#server/platform/database/change-feed.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import { afterThisTest, openFresh } from '#server/testing/fresh-database.ts';
import { movableClock } from '#server/testing/movable-clock.ts';
import { addPerson, giveRight } from '#server/testing/people.ts';
import { followExpiry } from './expiry.ts';

const start = 1_800_000_000_000;
/** The database works in real time; what it is waited for is not. */
const look = (milliseconds = 250) => vi.advanceTimersByTime(milliseconds);

/** One person whose grants end as the test sets them; the feed publishes only what the test does. */
async function followed() {
  const clock = movableClock(start);
  const database = await openFresh('sqlite', clock);
  const personId = await addPerson({ database });
  const published: string[] = [];
  database.onChange((all) =>
    published.push(...all.filter(({ topic }) => topic === 'rights').map(({ key }) => key)),
  );
  const changes = vi.spyOn(database, 'change');
  const reads = vi.spyOn(database.read, 'selectFrom');
  const listeners = new Map<string, () => void>();
  const feed: ChangeFeed = {
    on: (topic, listener) =>
      void listeners.set(topic, () => listener({ topic, key: '', revision: 1, at: clock.now() })),
    publishedAt: () => 0,
    close: () => Promise.resolve(),
  };
  const log: string[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  afterThisTest(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  return {
    clock,
    published,
    changes,
    reads,
    log,
    personId,
    async end(right: string, expiresAt: number | null) {
      await database.change((change) => giveRight(change, personId, right, 'grant', expiresAt));
      published.length = 0;
      changes.mockClear();
      reads.mockClear();
    },
    publish: (topic: 'rights' | 'right-rules') => listeners.get(topic)?.(),
    async follow() {
      const following = await followExpiry({
        database,
        feed,
        clock,
        logger: createLogger('debug', { write: (line) => log.push(line) }),
      });
      afterThisTest(() => following.close());
      reads.mockClear();
      return following;
    },
    settled: () => database.transaction(() => Promise.resolve()),
  };
}

describe('grants and denials that end', () => {
  it('RIGHT-3: the person is notified at the next look after the end, once, and nothing is asked before or after', async () => {
    const { end, follow, clock, published, personId, changes, reads, settled } = await followed();
    await end('MAP_VIEW', start + 1_000);
    await end('PEOPLE_READ', null);
    await follow();
    clock.move(999);
    for (let n = 0; n < 5; n += 1) look();
    await settled();
    expect([published, changes.mock.calls.length, reads.mock.calls.length]).toEqual([[], 0, 0]);

    clock.move(1);
    look();
    await expect.poll(() => published).toEqual([personId]);
    // Whether more of them end is asked once more; then there is nothing to wait for.
    await expect
      .poll(async () => {
        look();
        await settled();
        return reads.mock.calls.length;
      })
      .toBeGreaterThan(0);
    await settled();
    reads.mockClear();
    clock.move(1_000_000);
    for (let n = 0; n < 5; n += 1) look();
    await settled();
    expect([published, changes.mock.calls.length, reads.mock.calls.length]).toEqual([[personId], 1, 0]);
  });

  it('RIGHT-3: one that ended while no server ran is published at the start', async () => {
    const { end, follow, clock, published, personId } = await followed();
    await end('MAP_VIEW', start + 1_000);
    clock.move(5_000);
    await follow();
    look();
    await expect.poll(() => published).toEqual([personId]);
  });

  it.each(['rights', 'right-rules'] as const)(
    'RIGHT-3: an end that is new is learned of by the change feed (%s)',
    async (topic) => {
      const { end, follow, publish, clock, published, personId, reads, changes, settled } = await followed();
      await follow();
      await end('MAP_VIEW', start + 1_000);
      clock.move(2_000);
      look();
      await settled();
      expect([published, reads.mock.calls.length, changes.mock.calls.length]).toEqual([[], 0, 0]);
      publish(topic);
      look();
      await expect.poll(() => published).toEqual([personId]);
      expect(reads).toHaveBeenCalled();
    },
  );

  it('RIGHT-3: while the database does not answer it is retried every second, with one line in the log; then all are notified', async () => {
    const { end, follow, clock, published, personId, changes, log } = await followed();
    await end('MAP_VIEW', start + 1_000);
    await follow();
    clock.move(1_000);
    changes.mockRejectedValue(new Error('does not answer'));
    const tried = (times: number) =>
      expect
        .poll(() => {
          look(0);
          return changes.mock.calls.length;
        })
        .toBe(times);
    look();
    await expect.poll(() => log.length).toBe(1);
    expect(JSON.parse(log[0] ?? '')).toMatchObject({ level: 50 });
    // Not within a second.
    for (let n = 0; n < 3; n += 1) look();
    await tried(1);
    look();
    await tried(2);
    look(1_000);
    await tried(3);
    expect(log).toHaveLength(1);

    changes.mockRestore();
    look(1_000);
    await expect.poll(() => published).toEqual([personId]);
  });

  it('RIGHT-3: what is under way is not begun again, and is waited for at the end', async () => {
    const { end, follow, clock, changes } = await followed();
    await end('MAP_VIEW', start + 1_000);
    const following = await follow();
    clock.move(1_000);
    const held = Promise.withResolvers<void>();
    changes.mockReturnValue(held.promise);
    for (let n = 0; n < 5; n += 1) look();
    await expect.poll(() => changes.mock.calls.length).toBe(1);
    for (let n = 0; n < 5; n += 1) look();
    let closed = false;
    const closing = following.close().then(() => (closed = true));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    held.resolve();
    await closing;
    for (let n = 0; n < 5; n += 1) look();
    expect(changes).toHaveBeenCalledOnce();
  });
});
