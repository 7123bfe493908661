import type { Boot } from '#contract/boot.ts';
import type { MaintenanceStatus, WindowMode } from '#features/maintenance/contract/maintenance.ts';
import { setMapCookie } from '#features/session/contract/session.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createErrorRecord } from '#web/platform/record-error.ts';
import { createServerClock } from '#web/platform/time/server-clock.ts';
import { createSignal, createStore } from '#web/platform/state/store.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { createBrowser, type Browser } from '#web/testing/browser.ts';
import { createFakeServer, json, problemAnswer } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { statusMessage, statusTopic } from '../live-status.ts';
import { createMaintenance } from './maintenance.ts';

const open: Boot['maintenance'] = openStatus;
const closed: Boot['maintenance'] = {
  ...open,
  text: 'An upgrade.',
  mode: 'full',
  expectedEnd: 9_000,
};

type Options = {
  boot?: Boot['maintenance'];
  rights?: string[];
  known?: boolean;
  leads?: boolean;
  browser?: Browser;
  clock?: ReturnType<typeof createManualClock>;
  tab?: ReturnType<Browser['openTab']>;
  /** The flags come from Portico itself. */
  own?: boolean;
  connected?: boolean;
  random?: () => number;
};

function setUp({ boot = open, rights = [], known = true, leads = true, ...given }: Options = {}) {
  const clock = given.clock ?? createManualClock();
  const tab = given.tab ?? (given.browser ?? createBrowser()).openTab();
  const environment = { status: { ...boot, since: null as number | null }, offset: 60_000, refused: false };
  const server = createFakeServer(({ path }) =>
    path === '/v1/maintenance/status'
      ? json({ ...environment.status, serverTime: clock.now() + environment.offset })
      : problemAnswer(503, 'MAINTENANCE'),
  );
  const api = server.api();
  const serverClock = createServerClock(clock.now, {
    serverTime: clock.now() + 60_000,
    sentAt: clock.now(),
    receivedAt: clock.now(),
  });
  const payload = createStore<{ fresh: boolean; changedAt: number; values: Record<string, unknown> }>({
    fresh: false,
    changedAt: 0,
    values: {},
  });
  const pushed = createSignal<MaintenanceStatus>();
  const connected = createStore(given.connected ?? false);
  const streamed = createSignal();
  const refreshes = { flags: 0 };
  const held = createStore((right: string) => rights.includes(right));
  const knownRights = createStore(known);
  const errors = createErrorRecord(clock.now);
  const leader = createStore(leads);
  const broadcast = openBroadcast(tab.openChannel, statusTopic, statusMessage);
  const maintenance = createMaintenance({
    boot,
    api,
    clock,
    serverClock,
    random: given.random ?? (() => 0.5),
    leader,
    presence: tab.presence,
    broadcast,
    memory: tab.memory,
    errors,
    live: { onStatus: pushed.subscribe, connected },
    flags: {
      own: given.own ?? false,
      state: payload,
      value: (key, fallback) => payload.get().values[key] ?? fallback,
      onStreamMessage: streamed.subscribe,
      refresh: () => {
        refreshes.flags += 1;
        return Promise.resolve();
      },
    },
    rights: { can: held, known: knownRights },
  });
  return {
    clock,
    tab,
    environment,
    server,
    api,
    serverClock,
    streamed,
    refreshes,
    held,
    knownRights,
    maintenance,
    gate: () => maintenance.gate.get(),
    state: () => maintenance.state.get(),
    recorded: () => errors.recorded.get().map(({ what }) => what),
    connected,
    push: (status: Boot['maintenance']) =>
      pushed.publish({ ...status, serverTime: clock.now() + environment.offset }),
    flag(on: unknown, text: unknown = '', fresh = true, changedAt = 0) {
      payload.set({ fresh, changedAt, values: { MAINTENANCE: on, MAINTENANCE_TEXT: text } });
    },
  };
}

describe('the state', () => {
  it('MAINT-2: is what the page was rendered with until the flag host has answered; a cache never decides', () => {
    const { state, flag, gate } = setUp({ boot: closed });
    expect(state()).toMatchObject({
      on: true,
      maintenanceText: 'An upgrade.',
      maintenanceTextSeverity: 'HIGH',
    });
    flag(false, 'INFO:from an earlier visit', false);
    expect(state()).toMatchObject({ on: true, maintenanceText: 'An upgrade.' });
    expect(gate()).toBe('page');
    flag(false, 'INFO:Soon.');
    expect(state()).toMatchObject({ on: false, maintenanceText: 'Soon.', maintenanceTextSeverity: 'INFO' });
  });

  it.each([['true'], [1], [{}], [null]])('MAINT-1: a flag that is %j closes nothing', (value) => {
    const { flag, gate } = setUp();
    flag(value, 7);
    expect(gate()).toBe('open');
  });

  it('MAINT-3: the expected end comes with the status, and the clock of the server with it', async () => {
    const { environment, state, flag, serverClock, clock } = setUp();
    environment.offset = 90_000;
    await settled();
    Object.assign(environment.status, { mode: 'full', expectedEnd: 5_000 });
    flag(true);
    await clock.pass(0);
    expect(state()).toMatchObject({ on: true, mode: 'full', expectedEnd: 5_000 });
    expect(serverClock.now()).toBe(clock.now() + environment.offset);
  });

  it('MAINT-6: read-only mode is noticed after a message of the stream, a refused call, a return, and within a minute', async () => {
    for (const moves of ['stream', 'refusal', 'time', 'return'] as const) {
      const { environment, streamed, api, clock, tab, gate, refreshes } = setUp();
      await settled();
      expect(gate()).toBe('open');
      environment.status.mode = 'read-only';
      if (moves === 'stream') streamed.publish();
      if (moves === 'refusal') await api.call(setMapCookie, {}).catch(() => {});
      if (moves === 'time') await clock.pass(60_000);
      if (moves === 'return') tab.show();
      await settled();
      expect([moves, gate()]).toEqual([moves, 'read-only']);
      expect(refreshes.flags).toBe(moves === 'refusal' ? 1 : 0);
    }
  });

  it('MAINT-6: when the flags change the leading tab reads the status; the other tabs do if it does not', async () => {
    const clock = createManualClock();
    const browser = createBrowser();
    const first = setUp({ clock, browser });
    const second = setUp({ clock, browser, leads: false });
    first.environment.status.expectedEnd = 5_000;
    first.flag(true);
    second.flag(true);
    await clock.pass(3_000);
    expect([first.server.received.length, second.server.received.length]).toEqual([1, 0]);
    expect(second.state().expectedEnd).toBe(5_000);
    first.tab.close();
    second.flag(false);
    await clock.pass(3_000);
    expect(second.server.received).toHaveLength(1);
  });

  it('MAINT-6: a status that cannot be read changes nothing, and is recorded once', async () => {
    const { server, clock, state, recorded } = setUp({ boot: closed });
    await settled();
    server.answerWith(() => new TypeError('Failed to fetch'));
    await clock.pass(300_000);
    expect(state()).toMatchObject({ mode: 'full', expectedEnd: 9_000 });
    expect(recorded()).toEqual(['maintenance.status']);
    server.answerWith(() => json({ ...closed, since: null, serverTime: 1 }));
    await clock.pass(60_000);
    server.answerWith(() => problemAnswer(500, 'INTERNAL'));
    await clock.pass(60_000);
    // It could be read in between.
    expect(recorded()).toHaveLength(2);
  });

  it('MAINT-3: the same content again is no change', () => {
    const { maintenance, push, state } = setUp({ own: true, connected: true });
    let changes = 0;
    maintenance.state.subscribe(() => (changes += 1));
    push({ ...open, changedAt: 5 });
    expect(changes).toBe(0);
    push({ ...open, text: 'Soon.', changedAt: 6 });
    expect([changes, state().maintenanceText]).toEqual([1, 'Soon.']);
  });
});

describe('with flags and status from Portico', () => {
  const full = { ...open, mode: 'full', text: 'Closed.', changedAt: 5 } as const;

  it('MAINT-5: a pushed status closes and opens at once, without a request and before the flags are fetched', async () => {
    const { push, gate, state, server, flag, clock } = setUp({ own: true, connected: true });
    push(full);
    expect([gate(), state().maintenanceText]).toEqual(['page', 'Closed.']);
    flag(true, 'HIGH:Closed.', true, 5);
    flag(true, 'HIGH:Closed.', true, 6);
    push({ ...open, changedAt: 7 });
    expect([gate(), state().maintenanceText]).toEqual(['open', '']);
    await clock.pass(30_000);
    expect(server.received).toEqual([]);
  });

  it('MAINT-5: the latest change decides, whatever comes late, twice or out of order', () => {
    const change = fc.record({
      mode: fc.constantFrom('off', 'read-only', 'full'),
      text: fc.constantFrom('', 'One.', 'Two.'),
      /**
       * Other flags that change before maintenance does again, which makes their payload newer and nothing
       * else.
       */
      others: fc.integer({ min: 0, max: 3 }),
    });
    const delivery = fc.record({ which: fc.nat(), by: fc.constantFrom('status', 'flags'), late: fc.nat(3) });
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.array(delivery),
        (changes, deliveries) => {
          const { push, flag, gate, state } = setUp({ own: true, connected: true });
          let newest = -1;
          for (const { which, by, late } of deliveries) {
            const index = which % changes.length;
            const { mode, text, others } = changes[index] as (typeof changes)[number];
            const changedAt = 10 * (index + 1);
            if (by === 'status') push({ ...open, mode, text, changedAt });
            else
              flag(
                mode === 'full',
                text === '' ? '' : `HIGH:${text}`,
                true,
                changedAt + Math.min(late, others),
              );
            newest = Math.max(newest, index);
            const shown = changes[newest] as (typeof changes)[number];
            expect([gate() === 'page', state().maintenanceText]).toEqual([shown.mode === 'full', shown.text]);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('MAINT-5: an answer that was on its way when something newer was pushed undoes nothing', async () => {
    const { push, gate, environment, maintenance, clock } = setUp({ own: true, connected: true });
    const asked = maintenance.refresh();
    push({ ...full, changedAt: clock.now() });
    await asked;
    expect(gate()).toBe('page');
    // Asked later, and the server's time is long before the change: its clock was set back.
    environment.offset = -3_600_000;
    await maintenance.refresh();
    expect(gate()).toBe('open');
  });

  it('MAINT-5: without the events the leading tab asks every 15 s, with them once a minute', async () => {
    const { clock, server, connected } = setUp({ own: true });
    await clock.pass(90_000);
    expect(server.received).toHaveLength(6);
    connected.set(true);
    await clock.pass(180_000);
    expect(server.received).toHaveLength(9);
  });

  it('MAINT-3: what is pushed to the leading tab is passed on to tabs that have no events', async () => {
    const clock = createManualClock();
    const browser = createBrowser();
    const first = setUp({ clock, browser, own: true, connected: true });
    const second = setUp({ clock, browser, own: true, leads: false });
    first.push(full);
    await settled();
    expect(second.gate()).toBe('page');
    expect(second.server.received).toEqual([]);
  });

  it('MAINT-3: ten thousand people return over the time that the server asks for, each to a screen at once', async () => {
    const clock = createManualClock();
    const times: number[] = [];
    const start = clock.now();
    for (let one = 0; one < 100; one += 1) {
      const { push, maintenance, gate } = setUp({
        own: true,
        connected: true,
        clock,
        random: () => one / 100,
      });
      push(full);
      push({ ...open, changedAt: 6, returnWithin: 20_000 });
      expect([gate(), maintenance.returning.get()]).toEqual(['open', true]);
      maintenance.onReopened(() => times.push(clock.now() - start));
    }
    await clock.pass(25_000);
    const inSecond = Array.from({ length: 20 }, (_, second) =>
      times.filter((at) => Math.floor(at / 1000) === second),
    );
    expect(inSecond.map(({ length }) => length)).toEqual(inSecond.map(() => 5));
  });
});

describe('when the status is requested', () => {
  const full = { ...open, mode: 'full', text: 'Closed.', changedAt: 5 } as const;

  it.each([
    [0, 14_250],
    [1, 15_000],
  ])('MAINT-5: browsers whose events fail together spread their requests (%d)', async (random, after) => {
    const { clock, server } = setUp({ own: true, random: () => random });
    await clock.pass(after - 1);
    expect(server.received).toHaveLength(0);
    await clock.pass(1);
    expect(server.received).toHaveLength(1);
  });

  it('MAINT-5: a short gap in the events leads to no request', async () => {
    const { clock, server, connected } = setUp({ own: true, connected: true });
    connected.set(false);
    await clock.pass(1_000);
    connected.set(true);
    await clock.pass(50_000);
    expect(server.received).toEqual([]);
  });

  it.each(['works', 'fails'])(
    'MAINT-5: while the events fail again, a request that %s is repeated in time',
    async (how) => {
      const { clock, server, connected, environment } = setUp({ own: true });
      await clock.pass(10_000);
      connected.set(true);
      connected.set(false);
      const begin = clock.now() + 7_500;
      const asked: number[] = [];
      server.answerWith(() => {
        asked.push(clock.now() - begin);
        return how === 'fails'
          ? new TypeError('Failed to fetch')
          : json({ ...environment.status, serverTime: 1 });
      });
      await clock.pass(7_500 + 16_000);
      expect(asked).toEqual([0, 15_000]);
    },
  );

  it('MAINT-6: a message of the flags leads to no request while the events arrive', async () => {
    const { streamed, server } = setUp({ own: true, connected: true });
    streamed.publish();
    await settled();
    expect(server.received).toEqual([]);
  });

  it('MAINT-6: a call that is refused for another reason leads to no request', async () => {
    const { api, server, environment, refreshes } = setUp();
    server.answerWith(({ path }) =>
      path === '/v1/maintenance/status'
        ? json({ ...environment.status, serverTime: 1 })
        : problemAnswer(403, 'RIGHT_MISSING'),
    );
    await api.call(setMapCookie, {}).catch(() => {});
    await settled();
    expect([server.received.length, refreshes.flags]).toEqual([1, 0]);
  });

  it('MAINT-6: a refusal that the known status explains leads to a request every 15 s, any other to one at once', async () => {
    const { api, clock, server, environment, maintenance, gate, refreshes } = setUp({
      own: true,
      connected: true,
    });
    const requests = () => server.calls().filter((call) => call === 'GET /v1/maintenance/status').length;
    const refused = async () => {
      await api.call(setMapCookie, {}).catch(() => {});
      await settled();
    };
    await maintenance.refresh();
    await refused();
    expect(requests()).toBe(2);
    environment.status.mode = 'read-only';
    await refused();
    expect([requests(), gate()]).toEqual([3, 'read-only']);
    await refused();
    await clock.pass(14_999);
    await refused();
    expect(requests()).toBe(3);
    await clock.pass(1);
    await refused();
    expect(requests()).toBe(4);
    // The flags come from the same server, whose status is complete.
    expect(refreshes.flags).toBe(0);
  });

  it('MAINT-6: the flags of another host alone explain a refusal too', async () => {
    const { api, clock, server, flag } = setUp({ connected: true });
    flag(true);
    await clock.pass(2_000);
    const before = server.received.length;
    await api.call(setMapCookie, {}).catch(() => {});
    await settled();
    // The refused call itself.
    expect([before, server.received.length]).toEqual([1, 2]);
  });

  it.each([
    ['on', () => [true, 'HIGH:Closed.'], 1],
    ['with another text', () => [false, 'INFO:Soon.'], 1],
    ['as they were, for another flag', () => [false, ''], 0],
  ] as const)(
    'MAINT-6: flags of Portico that come %s lead to one request at most',
    async (_case, to, asked) => {
      const { flag, server, clock } = setUp({ own: true });
      const [on, text] = to();
      flag(on, text, true, 5);
      await clock.pass(0);
      expect(server.received).toHaveLength(asked);
    },
  );

  it('MAINT-6: a tab waits two seconds for the leader after a change that the status does not explain', async () => {
    const { push, flag, clock, server } = setUp({ own: true, leads: false });
    push(full);
    await clock.pass(1_900);
    flag(false, '', true, 6);
    await clock.pass(1_000);
    expect(server.received).toEqual([]);
    await clock.pass(1_000);
    expect(server.received).toHaveLength(1);
  });

  it('MAINT-5: of two changes at the same time the one that arrives last holds', () => {
    const { push, flag, gate } = setUp({ own: true, connected: true });
    push(full);
    push({ ...open, changedAt: 5 });
    expect(gate()).toBe('open');
    flag(true, 'HIGH:Closed.', true, 6);
    expect(gate()).toBe('page');
    flag(false, '', true, 6);
    expect(gate()).toBe('open');
  });

  it('MAINT-5: a status with more about an old change does not undo what the flags have brought since', () => {
    const { push, flag, gate } = setUp({ own: true, connected: true });
    push({ ...open, changedAt: 5 });
    flag(true, 'HIGH:Closed.', true, 9);
    push({ ...open, returnWithin: 3_000, changedAt: 5 });
    expect(gate()).toBe('page');
  });
});

describe('a window that is near', () => {
  const window = {
    title: 'Upgrade',
    text: 'An upgrade.',
    texts: {},
    severity: 'HIGH',
    mode: 'full',
  } as const;
  const planned = (startsAt: number, changedAt: number, mode: WindowMode = 'full') => ({
    ...open,
    upcoming: { ...window, mode, startsAt, endsAt: startsAt + 1 },
    changedAt,
  });

  it("MAINT-5: is announced 5 minutes and 1 minute before, by the server's time; postponed or called off it is not", async () => {
    const { clock, push, maintenance, serverClock } = setUp({ own: true, connected: true });
    const minutes = () => maintenance.approach.get()?.minutes ?? null;
    const startsAt = serverClock.now() + 600_000;
    push(planned(startsAt, 1));
    await clock.pass(299_999);
    expect(minutes()).toBeNull();
    await clock.pass(1);
    expect(minutes()).toBe(5);
    await clock.pass(240_000);
    expect(minutes()).toBe(1);
    push(planned(startsAt + 600_000, 2));
    expect(minutes()).toBeNull();
    push(planned(startsAt, 3, 'announce'));
    expect(minutes()).toBeNull();
    push(planned(startsAt, 4));
    expect(minutes()).toBe(1);
    push({ ...open, changedAt: 5 });
    expect(minutes()).toBeNull();
  });

  it('MAINT-5: begins within a second also where nothing is pushed', async () => {
    const { clock, environment, push, gate, serverClock } = setUp({ own: true });
    const startsAt = serverClock.now() + 7_000;
    push(planned(startsAt, 1));
    environment.status = { ...open, since: null, upcoming: null, mode: 'full', changedAt: startsAt };
    await clock.pass(7_000);
    expect(gate()).toBe('open');
    await clock.pass(1_000);
    expect(gate()).toBe('page');
  });

  it.each([{ leads: false }, { connected: true }])(
    'MAINT-5: a tab sends no request at the start if another tab does, or if the status is pushed (%j)',
    async (options) => {
      const { clock, push, server, serverClock } = setUp({ own: true, ...options });
      const startsAt = serverClock.now() + 7_000;
      push(planned(startsAt, 1));
      await clock.pass(10_000);
      expect(server.received).toEqual([]);
    },
  );

  it('MAINT-5: no request is sent at the original start of a window that was postponed', async () => {
    const { clock, push, server, serverClock } = setUp({ own: true });
    const startsAt = serverClock.now() + 7_000;
    push(planned(startsAt, 1));
    push(planned(startsAt + 600_000, 2));
    await clock.pass(10_000);
    expect(server.received).toEqual([]);
  });

  it('MAINT-5: is announced once, whatever else of the status changes', () => {
    const { push, maintenance, serverClock } = setUp({ own: true, connected: true });
    const startsAt = serverClock.now() + 60_000;
    push(planned(startsAt, 1));
    let notified = 0;
    maintenance.approach.subscribe(() => (notified += 1));
    push({ ...planned(startsAt, 2), text: 'Soon.' });
    expect([maintenance.approach.get()?.minutes, notified]).toEqual([1, 0]);
  });

  it('MAINT-5: is announced at once in a tab that wakes up', async () => {
    const { clock, tab, push, maintenance, serverClock } = setUp({ own: true, connected: true });
    const startsAt = serverClock.now() + 3_600_000;
    push(planned(startsAt, 1));
    clock.sleep(3_400_000);
    tab.show();
    expect(maintenance.approach.get()?.minutes).toBe(5);
  });
});

describe('the gate', () => {
  it('MAINT-4: a person with MAINTENANCE_BYPASS sees the page too, can pass through it, and go back', () => {
    const { gate, flag, maintenance } = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    flag(true);
    expect([gate(), maintenance.mayPass.get()]).toEqual(['page', true]);
    maintenance.pass();
    expect(gate()).toBe('passed');
    maintenance.unpass();
    expect(gate()).toBe('page');
  });

  it('MAINT-4: a person without MAINTENANCE_BYPASS cannot pass, and one who loses it sees the page again', () => {
    const { gate, flag, maintenance, held } = setUp({ rights: ['FLAGS_READ'] });
    flag(true);
    maintenance.pass();
    expect([gate(), maintenance.mayPass.get()]).toEqual(['page', false]);
    held.set(() => true);
    expect(gate()).toBe('page');
    maintenance.pass();
    held.set(() => false);
    expect(gate()).toBe('page');
  });

  it('MAINT-4: the person who starts maintenance does not see the page, unless they may not pass or it did not start', async () => {
    const starting = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    starting.maintenance.stay();
    starting.flag(true);
    expect(starting.gate()).toBe('passed');
    starting.flag(false);
    starting.flag(true);
    expect(starting.gate()).toBe('page');

    const refused = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    refused.maintenance.stay()();
    refused.flag(true);
    expect(refused.gate()).toBe('page');

    const later = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    later.maintenance.stay();
    await later.clock.pass(120_000);
    later.flag(true);
    expect(later.gate()).toBe('page');

    const without = setUp({ rights: ['MAINTENANCE_WRITE'] });
    without.maintenance.stay();
    without.flag(true);
    without.held.set(() => true);
    expect(without.gate()).toBe('page');
  });

  it('MAINT-4: having passed holds over a reload without a flash, but not for the next maintenance', () => {
    const rights = ['MAINTENANCE_BYPASS'];
    const first = setUp({ rights });
    first.flag(true);
    first.maintenance.pass();
    const again = setUp({ boot: closed, tab: first.tab, known: false });
    expect(again.gate()).toBe('passed');
    again.knownRights.set(true);
    expect(again.gate()).toBe('page');
    again.held.set((right) => rights.includes(right));
    expect(again.gate()).toBe('passed');
    again.flag(false);
    again.flag(true);
    expect(again.gate()).toBe('page');
  });

  it('MAINT-3: data is loaded again some time after the page has gone, not when a person passes through it', async () => {
    const { clock, flag, maintenance } = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    let notified = 0;
    maintenance.onReopened(() => (notified += 1));
    flag(true);
    maintenance.pass();
    await clock.pass(3_000);
    expect(notified).toBe(0);
    maintenance.unpass();
    flag(false);
    await clock.pass(999);
    expect(notified).toBe(0);
    await clock.pass(1);
    expect(notified).toBe(1);
  });

  it('MAINT-4: a person who has not passed sees the page, also while the rights are loading', () => {
    const { gate } = setUp({ boot: closed, rights: ['MAINTENANCE_BYPASS'], known: false });
    expect(gate()).toBe('page');
  });

  it('MAINT-3: where no page was shown nothing is loaded again', async () => {
    const { clock, push, gate, maintenance } = setUp({ own: true, connected: true });
    let notified = 0;
    maintenance.onReopened(() => (notified += 1));
    push({ ...open, mode: 'read-only', changedAt: 1 });
    expect([gate(), maintenance.returning.get()]).toEqual(['read-only', false]);
    await clock.pass(30_000);
    expect(notified).toBe(0);
  });

  it('MAINT-3: a person who has passed works at once, and goes on when it is over', async () => {
    const { clock, flag, maintenance } = setUp({ rights: ['MAINTENANCE_BYPASS'] });
    let notified = 0;
    maintenance.onReopened(() => (notified += 1));
    flag(true);
    maintenance.pass();
    expect(maintenance.returning.get()).toBe(false);
    flag(false);
    await clock.pass(30_000);
    expect(notified).toBe(0);
  });

  it('MAINT-3: a page that comes again before data is loaded stays until that one goes', async () => {
    const { clock, push, maintenance } = setUp({ own: true, connected: true });
    let notified = 0;
    maintenance.onReopened(() => (notified += 1));
    push({ ...closed, changedAt: 1 });
    push({ ...open, changedAt: 2 });
    await clock.pass(500);
    push({ ...closed, changedAt: 3 });
    await clock.pass(30_000);
    expect([notified, maintenance.returning.get()]).toEqual([0, true]);
    push({ ...open, changedAt: 4 });
    await clock.pass(1_000);
    expect([notified, maintenance.returning.get()]).toEqual([1, false]);
  });
});
