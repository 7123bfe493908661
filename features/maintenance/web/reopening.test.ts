import type { MaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { describe, expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createApi } from '#web/platform/calls/call.ts';
import { createServerClock } from '#web/platform/time/server-clock.ts';
import { electTabLeader, leaderMessage } from '#web/platform/tabs/tab-leader.ts';
import { createBrowser } from '#web/testing/browser.ts';
import { openStatus } from '#features/maintenance/contract/testing/open-status.ts';
import { createFakeEventSource } from '#web/testing/event-source.ts';
import { createFakeServer, json } from '#web/testing/fake-server.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { watchReopening } from './reopening.ts';
import { statusMessage, statusTopic } from './live-status.ts';

const second = 1000;
const closed = { ...openStatus, mode: 'full', text: 'An upgrade.' } as const;

/** Several tabs of one browser on the maintenance page of one server. */
function createEnvironment() {
  const clock = createManualClock();
  const browser = createBrowser();
  let current: Omit<MaintenanceStatus, 'serverTime'> = closed;
  let down = false;
  const server = createFakeServer(() =>
    down ? new TypeError('Failed to fetch') : json({ ...current, serverTime: clock.now() + 5000 }),
  );
  return {
    clock,
    asked: () => server.received.length,
    set(status: Partial<MaintenanceStatus>) {
      current = { ...current, ...status };
    },
    goDown(is: boolean) {
      down = is;
    },
    openTab(options?: { visible: boolean }) {
      const tab = browser.openTab(options);
      const streams: ReturnType<typeof createFakeEventSource>[] = [];
      const reopening = watchReopening(
        {
          api: createApi({
            fetch: server.fetch,
            bearer: { token: () => Promise.reject(new Error()), renewed: () => Promise.reject(new Error()) },
            timeOffset: () => null,
          }),
          clock,
          serverClock: createServerClock(clock.now, { serverTime: 0, sentAt: 0, receivedAt: 0 }),
          random: () => 0.5,
          leader: electTabLeader({
            locks: tab.locks,
            broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
            clock,
            presence: tab.presence,
          }),
          presence: tab.presence,
          broadcast: openBroadcast(tab.openChannel, statusTopic, statusMessage),
          openStream: () => {
            const stream = createFakeEventSource('');
            streams.push(stream);
            return stream as unknown as EventSource;
          },
        },
        closed,
      );
      return {
        streams,
        stream: () => streams.at(-1) as (typeof streams)[number],
        mode: () => reopening.status.get().mode,
        text: () => reopening.status.get().text,
        reachable: () => reopening.reachable.get(),
      };
    },
  };
}

describe('the maintenance page notices by itself that it is over', () => {
  it('MAINT-3: at once when the flag stream reports a change', async () => {
    const environment = createEnvironment();
    const page = environment.openTab();
    await settled();
    page.stream().opens();
    await settled();
    expect(page.mode()).toBe('full');
    environment.set({ mode: 'off' });
    page.stream().sends('features-updated');
    await settled();
    expect(page.mode()).toBe('off');
  });

  it('MAINT-3: within 10 s without a stream, within a minute when the stream stays silent', async () => {
    const environment = createEnvironment();
    const page = environment.openTab();
    await settled();
    environment.set({ text: 'Still on it.' });
    await environment.clock.pass(11 * second);
    expect(page.text()).toBe('Still on it.');

    page.stream().opens();
    await settled();
    const before = environment.asked();
    environment.set({ mode: 'off' });
    await environment.clock.pass(40 * second);
    expect(environment.asked()).toBe(before);
    await environment.clock.pass(23 * second);
    expect(page.mode()).toBe('off');
  });

  it('MAINT-3: when the stream is there again after it was cut', async () => {
    const environment = createEnvironment();
    const page = environment.openTab();
    await settled();
    page.stream().opens();
    await settled();
    environment.goDown(true);
    page.stream().fails(0);
    await settled();
    environment.goDown(false);
    environment.set({ mode: 'off' });
    page.stream().opens();
    await settled();
    expect(page.mode()).toBe('off');
  });

  it('MAINT-3: looks a second time where the change was published before the server knew of it', async () => {
    const environment = createEnvironment();
    const page = environment.openTab();
    await settled();
    page.stream().opens();
    page.stream().sends('features-updated');
    await settled();
    environment.set({ mode: 'off' });
    await environment.clock.pass(3 * second);
    expect(page.mode()).toBe('off');
  });

  it('MAINT-3: reports when the server does not answer, and goes on trying', async () => {
    const environment = createEnvironment();
    const page = environment.openTab();
    await settled();
    environment.goDown(true);
    await environment.clock.pass(11 * second);
    expect(page.reachable()).toBe(false);
    environment.goDown(false);
    environment.set({ mode: 'off' });
    await environment.clock.pass(11 * second);
    expect(page.reachable()).toBe(true);
    expect(page.mode()).toBe('off');
  });

  it('MAINT-3: of ten tabs one holds the stream and asks, and all follow', async () => {
    const environment = createEnvironment();
    const pages = Array.from({ length: 10 }, (_, index) => environment.openTab({ visible: index === 0 }));
    await settled();
    expect(pages.map(({ streams }) => streams.length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    pages[0]?.stream().opens();
    pages[0]?.stream().sends('features-updated');
    await settled();
    await environment.clock.pass(130 * second);
    const before = environment.asked();
    await environment.clock.pass(120 * second);
    expect(environment.asked() - before).toBeLessThanOrEqual(2);

    environment.set({ mode: 'off' });
    pages[0]?.stream().sends('features-updated');
    await settled();
    expect(pages.map(({ mode }) => mode())).toEqual(pages.map(() => 'off'));
  });
});
