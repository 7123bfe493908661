import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { startProcess } from '../../testing/child-process.ts';
import {
  afterThisTest,
  engines,
  freshDatabase,
  openDatabase,
  openFresh,
  type Place,
} from '../../testing/fresh-database.ts';
import { openChangeFeed, type ChangeFeed } from './change-feed.ts';
import type { Database, PublishedChange, Topic } from './database.ts';
import { createLogger } from '../log/logger.ts';

type Following = { database: Database; feed: ChangeFeed; log: string[]; received: PublishedChange[] };

/** A process that follows flags and people. */
const follow = async ({ location }: Place) => followWith(await openDatabase(location));

async function followWith(database: Database): Promise<Following> {
  const log: string[] = [];
  const feed = await openChangeFeed(database, createLogger('debug', { write: (line) => log.push(line) }));
  afterThisTest(() => feed.close());
  const received: PublishedChange[] = [];
  feed.on('flags', (change) => received.push(change));
  feed.on('person', (change) => received.push(change));
  return { database, feed, log, received };
}

function publish(database: Database, topic: Topic, key = ''): Promise<number> {
  return database.change((change) => {
    change.publish(topic, key);
    return Promise.resolve(change.revision);
  });
}

const writer = (place: Place, count: number) =>
  startProcess('testing/database-process.ts', ['write', JSON.stringify(place.location), String(count)]);

describe.each(engines)('the change feed on %s', (engine) => {
  it('RUN-1: publishes a change of its own process as soon as it is committed', async () => {
    const { database, received } = await follow(await freshDatabase(engine));
    const revision = await publish(database, 'person', 'ada');
    expect(received).toEqual([{ topic: 'person', key: 'ada', revision, at: expect.any(Number) }]);
  });

  it('RUN-1: notifies only those who subscribed to the topic', async () => {
    const { database, received } = await follow(await freshDatabase(engine));
    await publish(database, 'maintenance');
    await publish(database, 'flags');
    expect(received.map((change) => change.topic)).toEqual(['flags']);
  });

  it('RUN-1, START-4: publishes within a second what another process has changed, in order, each once', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    afterThisTest(() => void vi.useRealTimers());
    const place = await freshDatabase(engine);
    const { database, received } = await follow(place);
    const own = await publish(database, 'flags');
    const other = writer(place, 3);
    await other.line('ready');
    await other.line(String(own + 3));
    // SQLite is polled by this clock, PostgreSQL notifies by itself. From here on that clock stands.
    if (engine === 'sqlite') vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await expect.poll(() => received.some((change) => change.revision === own + 3)).toBe(true);
    await other.ended;
    // A later change of its own is behind them all: nothing comes again.
    const last = await publish(database, 'person', 'last');
    const people = received.filter((change) => change.topic === 'person').map((change) => change.revision);
    expect(people).toEqual([own + 1, own + 2, own + 3, last]);
    const revisions = received.map((change) => change.revision);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    // Of one topic without keys the last change matters, and each was published at most once.
    const flags = received.filter((change) => change.topic === 'flags').map((change) => change.revision);
    expect(flags).toEqual([...new Set(flags)]);
    expect(flags.at(-1)).toBe(own + 3);
  });

  it('RUN-1: publishes nothing twice while many processes change things at once', async () => {
    const place = await freshDatabase(engine);
    const followers = [await follow(place), ...(engine === 'postgres' ? [await follow(place)] : [])];
    const claims = followers.map(({ feed, received }) => {
      const made: { at: number; received: number }[] = [];
      const claim = () => made.push({ at: feed.publishedAt(), received: received.length });
      feed.on('person', claim);
      return { made, claim };
    });
    const others = [writer(place, 15), writer(place, 15)];
    for (const other of others) await other.line('ready');
    for (let round = 0; round < 15; round += 1) {
      await Promise.all(
        followers.map(({ database }, index) => publish(database, 'person', `own-${index}-${round}`)),
      );
      for (const { claim } of claims) claim();
    }
    for (const other of others) await other.ended;
    const total = 30 + 15 * followers.length;
    for (const { received } of followers) {
      const people = () => received.filter((change) => change.topic === 'person');
      await expect.poll(() => people().length).toBe(total);
      expect(new Set(people().map((change) => change.revision)).size).toBe(total);
    }
    // Who takes up again after that time has missed nothing.
    for (const [index, { received }] of followers.entries()) {
      for (const claim of claims[index]?.made ?? [])
        expect(received.slice(claim.received).filter(({ at }) => at <= claim.at)).toEqual([]);
    }
    for (const { database, received } of followers)
      await publish(database, 'flags').then(() => expect(received.at(-1)?.topic).toBe('flags'));
    for (const { received } of followers)
      expect(received.filter((change) => change.topic === 'person')).toHaveLength(total);
  });

  it('RUN-1: publishes a change once, also when it is read from the table before its own commit is reported', async () => {
    const database = await openFresh(engine);
    const held: (() => void)[] = [];
    const late: Database = {
      ...database,
      onChange: (listener) => database.onChange((...received) => held.push(() => listener(...received))),
    };
    const { received } = await followWith(late);
    const revision = await publish(database, 'person', 'ada');
    await expect.poll(() => received.map((change) => change.revision), { interval: 5 }).toEqual([revision]);
    expect(held).toHaveLength(1);
    for (const deliver of held) deliver();
    expect(received).toHaveLength(1);
  });

  it('RUN-1: knows at once that all is published while no other process changes anything, also without subscribers', async () => {
    const { database, feed } = await follow(await freshDatabase(engine));
    const silent = await database.change(({ at }) => Promise.resolve(at));
    expect(feed.publishedAt()).toBe(silent);
    await publish(database, 'person', 'ada');
    const { at } = await database.read.selectFrom('revision').select('at').executeTakeFirstOrThrow();
    expect(feed.publishedAt()).toBe(at);
  });

  it('RUN-1: goes on notifying the others when one of them fails', async () => {
    const { database, feed, received, log } = await follow(await freshDatabase(engine));
    feed.on('rights', () => {
      throw new Error('one follower is broken');
    });
    feed.on('rights', (change) => received.push(change));
    await publish(database, 'rights', 'ada');
    expect(received).toHaveLength(1);
    expect(log.join('')).toContain('one follower is broken');
  });
});

describe('the change feed on sqlite', () => {
  it('RUN-1: reads once more for what it was woken for during a read', async () => {
    const place = await freshDatabase('sqlite');
    const database = await openDatabase(place.location);
    const other = await openDatabase(place.location);
    // Holds back the answer to a read that has been made, so that what comes now is not in it.
    let read = Promise.withResolvers<void>();
    let answer = Promise.withResolvers<void>();
    answer.resolve();
    const slow: Database = {
      ...database,
      read: database.read.withPlugin({
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          read.resolve();
          await answer.promise;
          return result;
        },
      }),
    };
    vi.useFakeTimers({ toFake: ['setInterval'] });
    afterThisTest(() => void vi.useRealTimers());
    // Its clock is what wakes it here, and that stands unless it is moved.
    const wake = () => vi.advanceTimersByTime(1_000);
    const { received } = await followWith(slow);
    await publish(other, 'person', 'before');
    wake();
    await expect.poll(() => received.map(({ key }) => key)).toEqual(['before']);

    read = Promise.withResolvers();
    answer = Promise.withResolvers();
    await publish(other, 'person', 'first');
    wake();
    await read.promise;
    await publish(other, 'person', 'second');
    wake();
    answer.resolve();
    await expect.poll(() => received.map(({ key }) => key)).toEqual(['before', 'first', 'second']);
  });
});

describe('the change feed on postgres', () => {
  it('RUN-10: listens at the direct address, and names what is missing where no notification comes', async () => {
    const place = await freshDatabase('postgres');
    const other = await freshDatabase('postgres');
    if (place.location.engine !== 'postgres' || other.location.engine !== 'postgres') throw new Error('none');
    const { url } = place.location;
    const right = await follow({ ...place, location: { ...place.location, directUrl: url } });
    const wrong = await follow({ ...place, location: { ...place.location, directUrl: other.location.url } });
    await expect.poll(() => wrong.log.join('')).toContain('Notifications do not reach DATABASE_DIRECT_URL');
    expect(right.log.join('')).not.toContain('Notifications');
  });

  it('RUN-1: connects again when its connection is broken, and has missed nothing', async () => {
    // What it asks from time to time would take the place of the statement by which its connection is found.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    afterThisTest(() => void vi.useRealTimers());
    const place = await freshDatabase('postgres');
    const { received, log } = await follow(place);
    if (place.location.engine !== 'postgres') throw new Error('not PostgreSQL');
    const admin = new pg.Client({ connectionString: place.location.url });
    await admin.connect();
    afterThisTest(() => admin.end());
    const listeners = async () => {
      const { rows } = await admin.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and query = 'listen portico'",
      );
      return rows.map((row) => row.pid);
    };
    await expect.poll(listeners).toHaveLength(1);
    const [before] = await listeners();
    await admin.query('select pg_terminate_backend($1)', [before]);
    const other = writer(place, 1);
    await other.ended;
    await expect.poll(() => received.map((change) => change.topic)).toEqual(['flags', 'person']);
    await expect.poll(listeners).toHaveLength(1);
    expect((await listeners())[0]).not.toBe(before);
    expect(log.join('')).toContain('lost its connection');
    // And the new connection is awake too.
    const again = writer(place, 1);
    await again.ended;
    await expect.poll(() => received.length).toBe(4);
  });
});
