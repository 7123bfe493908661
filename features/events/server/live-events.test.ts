import type { ServerEvent } from '#features/events/contract/events.ts';
import { expect, it } from 'vitest';
import { systemClock } from '#server/platform/time/clock.ts';
import type { Database, PublishedChange, Topic } from '#server/platform/database/database.ts';
import { createLogger } from '#server/platform/log/logger.ts';
import type { Caller } from '#server/platform/http/access-check.ts';
import { startTestServer, type TestServer } from '#server/testing/test-server.ts';
import { afterThisTest, freshDatabase, openDatabase } from '#server/testing/fresh-database.ts';
import { openLive } from '#server/testing/live-events.ts';
import type { ReportNews } from '#features/feedback/server/own-reports.ts';
import { type Presence, presenceInMemory } from '#features/presence/server/presence.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { eventsRoutes } from './feature.ts';
import { createLiveEvents, type LiveEvents, type LiveEventsParts } from './live-events.ts';

// What real causes lead to is proven in events.test.ts; here what happens between two of them is chosen.

type Rig = {
  at: TestServer;
  events: LiveEvents;
  presence: Presence;
  /** As the change feed would: published, then acknowledged. */
  publish(topic: Topic, key: string): Promise<void>;
  publishNotice(text: string): void;
  log: string[];
};

async function rig(given: Partial<LiveEventsParts> = {}): Promise<Rig> {
  const { location } = await freshDatabase('sqlite');
  const database: Database = await openDatabase(location);
  const listeners = new Map<Topic, ((change: PublishedChange) => void)[]>();
  let publishedAt = 0;
  let text = '';
  const followers: (() => void)[] = [];
  const log: string[] = [];
  const presence = presenceInMemory();
  const events = createLiveEvents({
    read: database.read,
    feed: {
      on: (topic, listener) => listeners.set(topic, [...(listeners.get(topic) ?? []), listener]),
      publishedAt: () => publishedAt,
      close: () => Promise.resolve(),
    },
    clock: systemClock,
    logger: createLogger('info', { write: (line) => log.push(line) }),
    maintenance: { now: () => ({ ...openStatus, text }), onChange: (listener) => followers.push(listener) },
    presence,
    accountState: () => ({ state: 'active' }),
    isErased: () => Promise.resolve(false),
    sessionsGoingOn: (ids) => Promise.resolve(new Set(ids)),
    readSessionEnd: () => null,
    reportsChangedSince: () => Promise.resolve([]),
    holdsRight: () => Promise.resolve(false),
    ...given,
  });
  afterThisTest(() => events.close());
  const callers = Object.fromEntries(
    Array.from({ length: 100 }, (_each, index): [string, Caller] => [
      `person-${index}`,
      { kind: 'person', id: `person-${index}`, name: '', sessionId: `session-${index}` },
    ]),
  );
  return {
    at: await startTestServer((serve) => eventsRoutes(serve, events), { callers }),
    events,
    presence,
    async publish(topic, key) {
      const change = await database.change(({ revision, at, publish }) => {
        publish(topic, key);
        return Promise.resolve({ topic, key, revision, at });
      });
      for (const listener of listeners.get(topic) ?? []) listener(change);
      publishedAt = change.at;
    },
    publishNotice(words) {
      text = words;
      for (const follower of followers) follower();
    },
    log,
  };
}

const types = (received: readonly ServerEvent[]) => received.map(({ type }) => type);

it('RIGHT-5: what is published while the first messages are read follows them, and none is lost', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const { at, publish, publishNotice } = await rig({
    async accountState() {
      asked.resolve();
      await held.promise;
      return { state: 'active' };
    },
  });
  const opening = openLive(at, 'person-1');
  await asked.promise;
  // Nothing was seen before, so that nothing is read of these: only who listened already has them.
  await publish('rights', 'person-1');
  await publish('rights', '');
  publishNotice('New pumps');
  held.resolve();
  const stream = await opening;
  const received = await stream.until(4);
  expect(types(received)).toEqual(['hello', 'maintenance', 'rights', 'rights']);
  expect(received[1]).toMatchObject({ status: { text: 'New pumps' } });
});

it('SES-8: who is blocked while the first messages are read receives that, and nothing afterwards', async () => {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let state = 'active';
  let looked = 0;
  const { at, publish, events, presence } = await rig({
    accountState: () => ({ state }),
    async sessionsGoingOn(ids) {
      looked += 1;
      asked.resolve();
      await held.promise;
      return new Set(ids);
    },
  });
  const opening = openLive(at, 'person-1');
  await asked.promise;
  state = 'blocked';
  await publish('person', 'person-1');
  held.resolve();
  const stream = await opening;
  await stream.ended;
  expect(types(stream.events())).toEqual(['hello', 'maintenance', 'session-ended']);
  expect([events.connected(), looked, await presence.count()]).toEqual([
    0,
    1,
    { people: 0, tabs: 0, unsaved: 0 },
  ]);
  const { status } = await fetch(`${at.url}/v1/events`, { headers: { authorization: 'Bearer person-1' } });
  expect(status).toBe(403);
});

it('BUG-9: no message has an id behind news that are still being read; the later status comes last', async () => {
  const news = (number: number): ReportNews => ({
    type: 'report',
    reportId: 'r',
    number,
    status: 'new',
    replies: 0,
  });
  const asked: { since: number; answer(news: ReportNews[]): void }[] = [];
  const { at, publish, publishNotice } = await rig({
    reportsChangedSince: (_person, since) => new Promise((answer) => asked.push({ since, answer })),
  });
  const [ada, mia] = [await openLive(at, 'person-1'), await openLive(at, 'person-2')];
  await publish('rights', 'person-1');
  await ada.until(3);
  const before = ada.lastId();
  await publish('reports', 'person-1');
  await expect.poll(() => asked.length).toBe(1);
  await publish('reports', 'person-1');
  await publish('rights', 'person-2');
  publishNotice('New pumps');
  await ada.until(4);
  expect(ada.lastId()).toBe(before);
  expect(asked.map(({ since }) => String(since))).toEqual([before]);
  asked[0]?.answer([news(1)]);
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer([news(2)]);
  expect((await ada.until(6)).slice(4)).toEqual([news(1), news(2)]);
  await mia.until(4);
  expect(Number(ada.lastId())).toBeGreaterThan(Number(before));
});

it('RIGHT-5: a stream whose news cannot be read starts again where it was, and the others go on', async () => {
  const { at, publish, log } = await rig({
    reportsChangedSince: () => Promise.reject(new Error('the disk is on fire')),
  });
  const [ada, mia] = [await openLive(at, 'person-1'), await openLive(at, 'person-2')];
  const before = ada.lastId();
  await publish('reports', 'person-1');
  await ada.ended;
  expect([types(ada.events()), ada.lastId()]).toEqual([['hello', 'maintenance'], before]);
  expect(ada.text()).toMatch(/retry: \d+\n\n$/);
  expect(log.join('')).toContain('the disk is on fire');
  await publish('rights', 'person-2');
  expect(types(await mia.until(3)).slice(2)).toEqual(['rights']);
});

it('RIGHT-5: of what is sent together the last message alone carries its time, and whoever misses a part is told to come again', async () => {
  const first = Promise.withResolvers<ReportNews[]>();
  const { at, publish } = await rig({
    reportsChangedSince: (personId) =>
      personId === 'person-1' ? first.promise : Promise.reject(new Error('the disk is on fire')),
  });
  const [ada, mia, eve] = [
    await openLive(at, 'person-1'),
    await openLive(at, 'person-2'),
    await openLive(at, 'person-3'),
  ];
  const before = ada.lastId();
  await publish('reports', 'person-1');
  // While that is being read, what comes next is collected and sent together.
  await publish('list', 'links');
  await publish('rights', 'person-1');
  await publish('reports', 'person-2');
  first.resolve([]);
  expect(types(await ada.until(4)).slice(2)).toEqual(['rights', 'changed']);
  const [ofRights, ofLinks] = [...ada.text().matchAll(/^id: (.+)$/gm)].slice(2).map(([, id]) => id);
  expect(ofRights).toBe(before);
  expect(Number(ofLinks)).toBeGreaterThan(Number(before));
  await mia.ended;
  expect([types(mia.events()), mia.lastId()]).toEqual([['hello', 'maintenance'], before]);
  await eve.until(3);
  expect([types(eve.events()).at(-1), eve.lastId()]).toEqual(['changed', ofLinks]);
});

it('RIGHT-5: who holds a right is asked once, and again after rights change or somebody connects', async () => {
  const held = new Set(['person-1']);
  const asked: string[] = [];
  const { at, publish } = await rig({
    holdsRight(personId) {
      asked.push(personId);
      return personId === 'person-1' ? held.has(personId) : Promise.resolve(held.has(personId));
    },
  });
  const [ada, mia] = [await openLive(at, 'person-1'), await openLive(at, 'person-2')];
  const change = () => publish('list', 'keys right FLAGS_WRITE');
  await change();
  await ada.until(3);
  await change();
  await ada.until(4);
  expect(asked).toEqual(['person-1', 'person-2']);
  held.add('person-2');
  await publish('rights', 'person-2');
  await mia.until(3);
  await change();
  expect(types(await mia.until(4)).slice(2)).toEqual(['rights', 'changed']);
  held.add('person-3');
  const eve = await openLive(at, 'person-3');
  await change();
  expect(types(await eve.until(3)).slice(2)).toEqual(['changed']);
  expect(asked.slice(2)).toEqual(['person-1', 'person-2', 'person-1', 'person-2', 'person-3']);
});

it('RIGHT-5: what cannot be read at the beginning is answered as a failure, and holds no place', async () => {
  const { at, events } = await rig({ sessionsGoingOn: () => Promise.reject(new Error('no database')) });
  for (let count = 0; count < 8; count += 1) {
    const answer = await fetch(`${at.url}/v1/events`, { headers: { authorization: 'Bearer person-1' } });
    expect(answer.status).toBe(500);
  }
  expect(events.connected()).toBe(0);
});

it('RIGHT-5, MAINT-5: five hundred browsers receive what goes to all, and ask for their rights spread over a second', async () => {
  const { at, publish, publishNotice, events, presence } = await rig();
  const streams = await Promise.all(
    Array.from({ length: 500 }, (_each, index) => openLive(at, `person-${index % 100}`)),
  );
  expect(await presence.count()).toEqual({ people: 100, tabs: 500, unsaved: 0 });
  await publish('rights', '');
  await publish('rights', 'person-7');
  await streams[7]?.until(4);
  publishNotice('New pumps');
  await Promise.all(
    streams.map(async (stream, index) => {
      const own = index % 100 === 7 ? [{ type: 'rights', within: 0 }] : [];
      expect((await stream.until(4 + own.length)).slice(2)).toEqual([
        { type: 'rights', within: 1_000 },
        ...own,
        expect.objectContaining({ type: 'maintenance' }),
      ]);
    }),
  );
  for (const stream of streams.slice(100)) stream.close();
  await expect.poll(() => events.connected()).toBe(100);
  expect(await presence.count()).toEqual({ people: 100, tabs: 100, unsaved: 0 });
});
