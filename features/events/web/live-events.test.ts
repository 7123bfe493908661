import type { ServerEvent } from '#features/events/contract/events.ts';
import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createEventSource } from '#web/platform/live/event-source.ts';
import { tabsMessage, watchOpenTabs } from '#web/platform/tabs/open-tabs.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createStore } from '#web/platform/state/store.ts';
import { electTabLeader, leaderMessage } from '#web/platform/tabs/tab-leader.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { createFakeServer, nothing, problemAnswer, type Received } from '#web/testing/fake-server.ts';
import { createFakeStreams } from '#web/testing/fake-streams.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { createLiveEvents, eventsMessage } from './live-events.ts';

const second = 1_000;

/** A server like the real one: each event has an id, and a client that reconnects gets what it missed. */
function createEnvironment() {
  const clock = createManualClock();
  const browser = createBrowser();
  const streams = createFakeStreams();
  const published = { log: [] as { id: number; event: ServerEvent }[], at: clock.now() - 3_600 * second };
  let connections = 0;
  const frame = (id: number, event: object) =>
    `event: ${'type' in event ? String(event.type) : ''}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
  const answer = (request: Received): Response => {
    if (request.method === 'PUT') return nothing();
    const response = streams.answer(request);
    connections += 1;
    const stream = streams.last();
    const seen = Number(request.headers.get('last-event-id') ?? published.at);
    stream.send(frame(seen, { type: 'hello', connectionId: `c${connections}` }));
    for (const { id, event } of published.log) if (id > seen) stream.send(frame(id, event));
    return response;
  };
  return {
    clock,
    browser,
    streams,
    published,
    answer,
    /** A change: every connected client receives it, and later ones on reconnection. */
    happens(event: ServerEvent): void {
      published.at = Math.max(clock.now(), published.at + 1);
      published.log.push({ id: published.at, event });
      for (const stream of streams.open()) stream.send(frame(published.at, event));
    },
    publish(event: object): void {
      for (const stream of streams.open()) stream.send(frame(published.at, event));
    },
    beats(): void {
      for (const stream of streams.open()) stream.send(':\n\n');
    },
  };
}

type Environment = ReturnType<typeof createEnvironment>;

async function openTab(
  environment: Environment,
  {
    visible = true,
    person = 'ada',
    firstId = environment.published.at,
  }: { visible?: boolean; person?: string | null; firstId?: number } = {},
) {
  const { clock } = environment;
  const tab = environment.browser.openTab({ visible });
  const server = createFakeServer(environment.answer);
  const who = createStore<string | null>(person);
  const unsaved = createStore(0);
  const errors = createErrorRecord(clock.now);
  const leader = electTabLeader({
    locks: tab.locks,
    broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
    clock,
    presence: tab.presence,
  });
  const loading = { fails: false };
  const live = createLiveEvents({
    api: server.api(),
    clock,
    firstId: String(firstId),
    random: () => 0.5,
    person: who,
    leader,
    presence: tab.presence,
    broadcast: openBroadcast(tab.openChannel, 'events', eventsMessage),
    openTabs: watchOpenTabs({
      locks: tab.locks,
      broadcast: openBroadcast(tab.openChannel, 'open-tabs', tabsMessage),
      clock,
      leader,
      unsaved,
      newId: () => crypto.randomUUID(),
    }),
    errors,
    loadSource: () =>
      loading.fails ? Promise.reject(new TypeError('no such file')) : Promise.resolve(createEventSource),
  });
  const received: string[] = [];
  live.on('rights', ({ within }) => received.push(`rights ${within}`));
  live.on('profile', () => received.push('profile'));
  live.on('report', ({ number, status }) => received.push(`report ${number} ${status}`));
  await settled();
  return {
    tab,
    server,
    who,
    unsaved,
    live,
    leader,
    received,
    loading,
    connected: () => live.connected.get(),
    reports: () => server.received.filter(({ method }) => method === 'PUT').map(({ body }) => body),
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

const report = (number: number): ServerEvent => ({
  type: 'report',
  reportId: `01890000-0000-7000-8000-00000000000${number}`,
  number,
  status: 'resolved',
  replies: 0,
});
const rights: ServerEvent = { type: 'rights', within: 0 };

describe('one stream for all tabs', () => {
  it('RIGHT-5: the leading tab holds it, and all tabs receive its events', async () => {
    const environment = createEnvironment();
    const tabs = [await openTab(environment), await openTab(environment), await openTab(environment)];
    expect(environment.streams.all).toHaveLength(1);
    expect(tabs.map(({ connected }) => connected())).toEqual([true, true, true]);
    environment.happens(rights);
    environment.happens(report(1));
    await settled();
    for (const { received } of tabs) expect(received).toEqual(['rights 0', 'report 1 resolved']);
  });

  it('RIGHT-5: the stream is not opened before the sign-in', async () => {
    const environment = createEnvironment();
    const { who, connected } = await openTab(environment, { person: null });
    expect([environment.streams.all, connected()]).toEqual([[], false]);
    who.set('ada');
    await settled();
    expect([environment.streams.open().length, connected()]).toEqual([1, true]);
  });

  it('SES-7: signing out closes it at once, and the next person starts from the beginning', async () => {
    const environment = createEnvironment();
    const firstId = environment.published.at;
    const { who, connected } = await openTab(environment);
    environment.happens(rights);
    await settled();
    who.set(null);
    expect([environment.streams.open(), connected()]).toEqual([[], false]);
    await environment.clock.pass(60 * second);
    expect(environment.streams.all).toHaveLength(1);
    who.set('bob');
    await settled();
    expect(environment.streams.last().request.headers.get('last-event-id')).toBe(String(firstId));
  });

  it('RIGHT-5: an event that another tab receives for another person is ignored', async () => {
    const environment = createEnvironment();
    await openTab(environment);
    const other = await openTab(environment, { person: 'bob' });
    environment.happens(rights);
    await settled();
    expect([other.received, other.connected()]).toEqual([[], false]);
  });

  it('RIGHT-5: an event that this release does not know, or that is malformed, is ignored', async () => {
    const environment = createEnvironment();
    const { received, connected, recorded } = await openTab(environment);
    environment.publish({ type: 'weather', sunny: true });
    environment.publish({ type: 'rights', within: 'soon' });
    environment.streams.last().send('data: {\n\ndata: null\n\ndata: 7\n\n');
    environment.happens(rights);
    await settled();
    expect([received, connected(), recorded()]).toEqual([['rights 0'], true, []]);
  });

  it('RIGHT-5: a listener that fails stops neither the others nor the stream', async () => {
    const environment = createEnvironment();
    const { live, connected, recorded } = await openTab(environment);
    const after: string[] = [];
    live.on('rights', () => {
      throw new Error('no');
    });
    const stop = live.on('rights', () => after.push('rights'));
    environment.happens(rights);
    await settled();
    stop();
    environment.happens(rights);
    await settled();
    expect([after, connected(), recorded()[0]]).toEqual([['rights'], true, 'events.rights']);
  });

  it('RIGHT-5: when its script fails to load it is retried, and polls go on until then', async () => {
    const environment = createEnvironment();
    const tab = await openTab(environment, { person: null });
    tab.loading.fails = true;
    tab.who.set('ada');
    await environment.clock.pass(200 * second);
    expect([tab.connected(), tab.recorded()]).toEqual([false, ['events.stream']]);
    tab.loading.fails = false;
    await environment.clock.pass(60 * second);
    expect(tab.connected()).toBe(true);
  });
});

describe('nothing is missed', () => {
  it('RIGHT-5: what changes between the beginning of a page and the first event is asked for again', async () => {
    const environment = createEnvironment();
    const tab = await openTab(environment, { person: null });
    await environment.clock.pass(second);
    environment.happens({ type: 'profile' });
    tab.who.set('ada');
    await settled();
    expect(tab.received).toEqual(['profile']);
  });

  it('RIGHT-5: what had changed before the page was rendered is not asked for again', async () => {
    const environment = createEnvironment();
    environment.happens(rights);
    environment.happens({ type: 'profile' });
    const tab = await openTab(environment);
    expect([tab.connected(), tab.received]).toEqual([true, []]);
  });

  it('RIGHT-5: when the leading tab closes, another goes on where it was', async () => {
    const environment = createEnvironment();
    const first = await openTab(environment);
    const second_ = await openTab(environment);
    environment.happens(report(1));
    await settled();
    first.tab.close();
    environment.streams.last().breakOff();
    environment.happens(report(2));
    await settled();
    expect(second_.received).toEqual(['report 1 resolved', 'report 2 resolved']);
    expect([environment.streams.open().length, second_.connected()]).toEqual([1, true]);
  });

  it('RIGHT-5: when the leading tab is frozen, the visible one takes over and receives what was missed', async () => {
    const environment = createEnvironment();
    const first = await openTab(environment);
    first.tab.hide();
    const other = await openTab(environment, { visible: false });
    await environment.clock.pass(10 * second);
    first.tab.freeze();
    environment.happens(rights);
    other.tab.show();
    await environment.clock.pass(20 * second);
    expect([other.leader.get(), other.connected(), other.received]).toEqual([true, true, ['rights 0']]);
    first.tab.thaw();
    await settled();
    expect([environment.streams.open().length, first.connected()]).toEqual([1, true]);
    environment.happens(rights);
    await settled();
    expect(other.received).toEqual(['rights 0', 'rights 0']);
  });

  it('RIGHT-5: after sleep, and after a restart of the server, it goes on where it was', async () => {
    const environment = createEnvironment();
    const tab = await openTab(environment);
    environment.clock.sleep(8 * 3_600 * second);
    // The server has dropped the stream long before.
    environment.happens({ type: 'profile' });
    tab.received.length = 0;
    tab.tab.show();
    await settled();
    expect([tab.received, tab.connected()]).toEqual([['profile'], true]);

    tab.server.answerWith(() => new TypeError('Failed to fetch'));
    for (const stream of environment.streams.open()) stream.end();
    await environment.clock.pass(30 * second);
    expect(tab.connected()).toBe(false);
    environment.happens(report(1));
    tab.server.answerWith(environment.answer);
    await environment.clock.pass(40 * second);
    expect([tab.received, tab.connected()]).toEqual([['profile', 'report 1 resolved'], true]);
  });
});

describe('whether the stream is open', () => {
  it('RIGHT-5: all tabs know when it breaks and when it is back', async () => {
    const environment = createEnvironment();
    const tabs = [await openTab(environment), await openTab(environment)];
    const [leading] = tabs;
    leading?.server.answerWith(() => problemAnswer(502, 'X'));
    environment.streams.last().end();
    await settled();
    expect(tabs.map(({ connected }) => connected())).toEqual([false, false]);
    leading?.server.answerWith(environment.answer);
    await environment.clock.pass(10 * second);
    expect(tabs.map(({ connected }) => connected())).toEqual([true, true]);
  });

  it('RIGHT-5: without a report of the leading tab, other tabs consider the stream closed', async () => {
    const environment = createEnvironment();
    const leading = await openTab(environment);
    leading.tab.hide();
    const other = await openTab(environment, { visible: false });
    for (let passed = 0; passed < 600; passed += 25) {
      environment.beats();
      await environment.clock.pass(25 * second);
    }
    expect(other.connected()).toBe(true);
    leading.tab.freeze();
    await environment.clock.pass(69 * second);
    expect(other.connected()).toBe(true);
    await environment.clock.pass(21 * second);
    expect(other.connected()).toBe(false);
  });
});

describe('presence', () => {
  it('MAINT-7: is reported when the stream opens, and again only when it has changed', async () => {
    const environment = createEnvironment();
    const leading = await openTab(environment);
    expect(environment.streams.last().request.path).toBe('/v1/events?tabs=1&unsaved=0');
    await environment.clock.pass(second);
    expect(leading.reports()).toEqual([]);
    const other = await openTab(environment);
    other.unsaved.set(1);
    await environment.clock.pass(second);
    expect(leading.reports()).toEqual([{ tabs: 2, unsaved: 1 }]);
    expect(leading.server.calls().at(-1)).toBe('PUT /v1/presence/c1');
    other.unsaved.set(0);
    await settled();
    other.unsaved.set(1);
    await environment.clock.pass(40 * second);
    expect([leading.reports().length, other.reports().length]).toEqual([1, 0]);
    other.tab.close();
    await environment.clock.pass(second);
    expect(leading.reports().at(-1)).toEqual({ tabs: 1, unsaved: 0 });
  });

  it('MAINT-7: what could not be reported is retried, and reported again with a new stream', async () => {
    const environment = createEnvironment();
    const { server, unsaved, reports } = await openTab(environment);
    server.answerWith((request) =>
      request.method === 'PUT' ? problemAnswer(503, 'UNAVAILABLE') : environment.answer(request),
    );
    unsaved.set(1);
    await environment.clock.pass(16 * second);
    expect(reports()).toHaveLength(3);
    server.answerWith(environment.answer);
    environment.streams.last().end();
    await environment.clock.pass(30 * second);
    expect(environment.streams.last().request.path).toBe('/v1/events?tabs=1&unsaved=1');
    expect(reports()).toHaveLength(3);
  });

  it('MAINT-7: a connection that the server does not know is not reported again', async () => {
    const environment = createEnvironment();
    const { server, unsaved, reports } = await openTab(environment);
    server.answerWith(() => problemAnswer(404, 'NOT_FOUND'));
    unsaved.set(1);
    await environment.clock.pass(30 * second);
    expect(reports()).toHaveLength(1);
  });
});
