import type { ServerEvent } from '@portico/contract/events';
import { describe, expect, it } from 'vitest';
import { openBroadcast } from '../../platform/broadcast.ts';
import { createApi } from '../../platform/call.ts';
import { holdEventSource } from '../../platform/event-source.ts';
import { readTabsMessage, watchOpenTabs } from '../../platform/open-tabs.ts';
import { createErrorRecord } from '../../platform/record-error.ts';
import { createStore } from '../../platform/store.ts';
import { electTabLeader, readLeaderMessage } from '../../platform/tab-leader.ts';
import { createBrowser } from '../../testing/browser.ts';
import { createFakeServer, nothing, problemAnswer, type Received } from '../../testing/fake-server.ts';
import { createFakeStreams } from '../../testing/fake-streams.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { createLiveEvents, readEventsMessage } from './live-events.ts';

const second = 1_000;

/** A server like the real one: what it has told stays told under its id, and is told again to who comes back. */
function createHouse() {
  const clock = createManualClock();
  const browser = createBrowser();
  const streams = createFakeStreams();
  const house = { log: [] as { id: number; event: ServerEvent }[], at: clock.now() - 3_600 * second };
  let connections = 0;
  const frame = (id: number, event: object) =>
    `event: ${'type' in event ? String(event.type) : ''}\nid: ${id}\ndata: ${JSON.stringify(event)}\n\n`;
  const answer = (request: Received): Response => {
    if (request.method === 'PUT') return nothing();
    const response = streams.answer(request);
    connections += 1;
    const stream = streams.last();
    const seen = Number(request.headers.get('last-event-id') ?? house.at);
    stream.send(frame(seen, { type: 'hello', connectionId: `c${connections}` }));
    for (const { id, event } of house.log) if (id > seen) stream.send(frame(id, event));
    return response;
  };
  return {
    clock,
    browser,
    streams,
    house,
    answer,
    /** It happens, and everybody who is connected is told. */
    happens(event: ServerEvent): void {
      house.at = Math.max(clock.now(), house.at + 1);
      house.log.push({ id: house.at, event });
      for (const stream of streams.open()) stream.send(frame(house.at, event));
    },
    says(event: object): void {
      for (const stream of streams.open()) stream.send(frame(house.at, event));
    },
    beats(): void {
      for (const stream of streams.open()) stream.send(':\n\n');
    },
  };
}

type House = ReturnType<typeof createHouse>;

async function openTab(
  house: House,
  { visible = true, person = 'ada' }: { visible?: boolean; person?: string | null } = {},
) {
  const { clock } = house;
  const tab = house.browser.openTab({ visible });
  const server = createFakeServer(house.answer);
  const who = createStore<string | null>(person);
  const unsaved = createStore(0);
  const errors = createErrorRecord(clock.now);
  const leader = electTabLeader({
    locks: tab.locks,
    broadcast: openBroadcast(tab.openChannel, 'leader', readLeaderMessage),
    clock,
    presence: tab.presence,
  });
  const loading = { fails: false };
  const live = createLiveEvents({
    api: createApi({
      fetch: server.fetch,
      bearer: { token: () => Promise.resolve('t'), renewed: () => Promise.resolve('t') },
      timeOffset: () => null,
    }),
    clock,
    serverClock: { now: () => clock.now() + 500 },
    random: () => 0.5,
    person: who,
    leader,
    presence: tab.presence,
    broadcast: openBroadcast(tab.openChannel, 'events', readEventsMessage),
    openTabs: watchOpenTabs({
      locks: tab.locks,
      broadcast: openBroadcast(tab.openChannel, 'open-tabs', readTabsMessage),
      clock,
      leader,
      unsaved,
      newId: () => crypto.randomUUID(),
    }),
    errors,
    loadSource: () =>
      loading.fails ? Promise.reject(new TypeError('no such file')) : Promise.resolve(holdEventSource),
  });
  const heard: string[] = [];
  live.on('rights', ({ within }) => heard.push(`rights ${within}`));
  live.on('profile', () => heard.push('profile'));
  live.on('report', ({ number, status }) => heard.push(`report ${number} ${status}`));
  live.on('session-ended', ({ reason }) => heard.push(reason));
  await settled();
  return {
    tab,
    server,
    who,
    unsaved,
    live,
    leader,
    heard,
    loading,
    connected: () => live.connected.get(),
    told: () => server.received.filter(({ method }) => method === 'PUT').map(({ body }) => body),
    recorded: () => errors.recorded.get().map(({ what }) => what),
  };
}

const report = (number: number): ServerEvent => ({
  type: 'report',
  reportId: `01890000-0000-7000-8000-00000000000${number}`,
  number,
  status: 'resolved',
});
const rights: ServerEvent = { type: 'rights', within: 0 };

describe('one stream for all tabs', () => {
  it('RIGHT-5: the leading tab holds it, and all tabs hear', async () => {
    const house = createHouse();
    const tabs = [await openTab(house), await openTab(house), await openTab(house)];
    expect(house.streams.all).toHaveLength(1);
    expect(tabs.map(({ connected }) => connected())).toEqual([true, true, true]);
    house.happens(rights);
    house.happens(report(1));
    await settled();
    for (const { heard } of tabs) expect(heard).toEqual(['rights 0', 'report 1 resolved']);
  });

  it('RIGHT-5: nobody who is not signed in asks for it', async () => {
    const house = createHouse();
    const { who, connected } = await openTab(house, { person: null });
    expect([house.streams.all, connected()]).toEqual([[], false]);
    who.set('ada');
    await settled();
    expect([house.streams.open().length, connected()]).toEqual([1, true]);
  });

  it('SES-7: signing out closes it at once, and the next person begins anew', async () => {
    const house = createHouse();
    const { who, connected } = await openTab(house);
    house.happens(rights);
    await settled();
    who.set(null);
    expect([house.streams.open(), connected()]).toEqual([[], false]);
    await house.clock.pass(60 * second);
    expect(house.streams.all).toHaveLength(1);
    who.set('bob');
    await settled();
    expect(house.streams.last().request.headers.has('last-event-id')).toBe(false);
  });

  it('RIGHT-5: what another tab hears for somebody else is not heard', async () => {
    const house = createHouse();
    await openTab(house);
    const other = await openTab(house, { person: 'bob' });
    house.happens(rights);
    await settled();
    expect([other.heard, other.connected()]).toEqual([[], false]);
  });

  it('RIGHT-5: what this release does not know, or what makes no sense, is passed over', async () => {
    const house = createHouse();
    const { heard, connected, recorded } = await openTab(house);
    house.says({ type: 'weather', sunny: true });
    house.says({ type: 'rights', within: 'soon' });
    house.streams.last().send('data: {\n\ndata: null\n\ndata: 7\n\n');
    house.happens(rights);
    await settled();
    expect([heard, connected(), recorded()]).toEqual([['rights 0'], true, []]);
  });

  it('RIGHT-5: a listener that fails stops neither the others nor the stream', async () => {
    const house = createHouse();
    const { live, connected, recorded } = await openTab(house);
    const after: string[] = [];
    live.on('rights', () => {
      throw new Error('no');
    });
    const stop = live.on('rights', () => after.push('rights'));
    house.happens(rights);
    await settled();
    stop();
    house.happens(rights);
    await settled();
    expect([after, connected(), recorded()[0]]).toEqual([['rights'], true, 'events.rights']);
  });

  it('RIGHT-5: where its script cannot be had it is tried again, and polls go on meanwhile', async () => {
    const house = createHouse();
    const tab = await openTab(house, { person: null });
    tab.loading.fails = true;
    tab.who.set('ada');
    await house.clock.pass(200 * second);
    expect([tab.connected(), tab.recorded()]).toEqual([false, ['events.stream']]);
    tab.loading.fails = false;
    await house.clock.pass(60 * second);
    expect(tab.connected()).toBe(true);
  });
});

describe('nothing is missed', () => {
  it('RIGHT-5: what changes between the beginning of a page and the first event is asked for again', async () => {
    const house = createHouse();
    const tab = await openTab(house, { person: null });
    await house.clock.pass(60 * second);
    house.house.at = house.clock.now() - second;
    tab.who.set('ada');
    await settled();
    expect(tab.heard).toEqual(['rights 2000', 'profile']);
  });

  it('RIGHT-5: a page that begins when nothing changes asks for nothing twice', async () => {
    const { heard } = await openTab(createHouse());
    expect(heard).toEqual([]);
  });

  it('RIGHT-5: when the leading tab closes, another goes on where it was', async () => {
    const house = createHouse();
    const first = await openTab(house);
    const second_ = await openTab(house);
    house.happens(report(1));
    await settled();
    first.tab.close();
    house.streams.last().breakOff();
    house.happens(report(2));
    await settled();
    expect(second_.heard).toEqual(['report 1 resolved', 'report 2 resolved']);
    expect([house.streams.open().length, second_.connected()]).toEqual([1, true]);
  });

  it('RIGHT-5: when the leading tab is frozen, the one that is looked at takes over and hears what was lost', async () => {
    const house = createHouse();
    const first = await openTab(house);
    first.tab.hide();
    const other = await openTab(house, { visible: false });
    await house.clock.pass(10 * second);
    first.tab.freeze();
    house.happens(rights);
    other.tab.show();
    await house.clock.pass(20 * second);
    expect([other.leader.get(), other.connected(), other.heard]).toEqual([true, true, ['rights 0']]);
    first.tab.thaw();
    await settled();
    expect([house.streams.open().length, first.connected()]).toEqual([1, true]);
    house.happens(rights);
    await settled();
    expect(other.heard).toEqual(['rights 0', 'rights 0']);
  });

  it('RIGHT-5: after sleep, and after a restart of the server, it goes on where it was', async () => {
    const house = createHouse();
    const tab = await openTab(house);
    house.clock.sleep(8 * 3_600 * second);
    // The server has dropped the stream long since.
    house.happens({ type: 'profile' });
    tab.heard.length = 0;
    tab.tab.show();
    await settled();
    expect([tab.heard, tab.connected()]).toEqual([['profile'], true]);

    tab.server.answerWith(() => new TypeError('Failed to fetch'));
    for (const stream of house.streams.open()) stream.end();
    await house.clock.pass(30 * second);
    expect(tab.connected()).toBe(false);
    house.happens(report(1));
    tab.server.answerWith(house.answer);
    await house.clock.pass(40 * second);
    expect([tab.heard, tab.connected()]).toEqual([['profile', 'report 1 resolved'], true]);
  });

  it('SES-8: the last message ends the session in all tabs', async () => {
    const house = createHouse();
    const tabs = [await openTab(house), await openTab(house)];
    house.happens({ type: 'session-ended', reason: 'blocked' });
    await settled();
    expect(tabs.map(({ heard }) => heard)).toEqual([['blocked'], ['blocked']]);
  });
});

describe('whether it lives', () => {
  it('RIGHT-5: all tabs know when it breaks and when it is back', async () => {
    const house = createHouse();
    const tabs = [await openTab(house), await openTab(house)];
    const [leading] = tabs;
    leading?.server.answerWith(() => problemAnswer(502, 'X'));
    house.streams.last().end();
    await settled();
    expect(tabs.map(({ connected }) => connected())).toEqual([false, false]);
    leading?.server.answerWith(house.answer);
    await house.clock.pass(10 * second);
    expect(tabs.map(({ connected }) => connected())).toEqual([true, true]);
  });

  it('RIGHT-5: other tabs do not believe it for ever', async () => {
    const house = createHouse();
    const leading = await openTab(house);
    leading.tab.hide();
    const other = await openTab(house, { visible: false });
    for (let passed = 0; passed < 600; passed += 25) {
      house.beats();
      await house.clock.pass(25 * second);
    }
    expect(other.connected()).toBe(true);
    leading.tab.freeze();
    await house.clock.pass(69 * second);
    expect(other.connected()).toBe(true);
    await house.clock.pass(21 * second);
    expect(other.connected()).toBe(false);
  });
});

describe('presence', () => {
  it('MAINT-7: goes with the opening, and again only when it has changed', async () => {
    const house = createHouse();
    const leading = await openTab(house);
    expect(house.streams.last().request.path).toBe('/v1/events?tabs=1&unsaved=0');
    await house.clock.pass(second);
    expect(leading.told()).toEqual([]);
    const other = await openTab(house);
    other.unsaved.set(1);
    await house.clock.pass(second);
    expect(leading.told()).toEqual([{ tabs: 2, unsaved: 1 }]);
    expect(leading.server.calls().at(-1)).toBe('PUT /v1/presence/c1');
    other.unsaved.set(0);
    await settled();
    other.unsaved.set(1);
    await house.clock.pass(40 * second);
    expect([leading.told().length, other.told().length]).toEqual([1, 0]);
    other.tab.close();
    await house.clock.pass(second);
    expect(leading.told().at(-1)).toEqual({ tabs: 1, unsaved: 0 });
  });

  it('MAINT-7: what could not be told is told again, and with a new stream anew', async () => {
    const house = createHouse();
    const { server, unsaved, told } = await openTab(house);
    server.answerWith((request) =>
      request.method === 'PUT' ? problemAnswer(503, 'UNAVAILABLE') : house.answer(request),
    );
    unsaved.set(1);
    await house.clock.pass(16 * second);
    expect(told()).toHaveLength(3);
    server.answerWith(house.answer);
    house.streams.last().end();
    await house.clock.pass(30 * second);
    expect(house.streams.last().request.path).toBe('/v1/events?tabs=1&unsaved=1');
    expect(told()).toHaveLength(3);
  });

  it('MAINT-7: a connection that the server does not know is not told of again', async () => {
    const house = createHouse();
    const { server, unsaved, told } = await openTab(house);
    server.answerWith(() => problemAnswer(404, 'NOT_FOUND'));
    unsaved.set(1);
    await house.clock.pass(30 * second);
    expect(told()).toHaveLength(1);
  });
});
