import { expect, it } from 'vitest';
import { createBrowser, type Tab } from '../../testing/browser.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { openBroadcast } from './broadcast.ts';
import type { Clock } from '../time/clock.ts';
import type { Readable } from '../state/store.ts';
import { electTabLeader, leaderMessage } from './tab-leader.ts';

function enter(tab: Tab, clock: Clock) {
  return electTabLeader({
    locks: tab.locks,
    broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
    clock,
    presence: tab.presence,
  });
}

async function setUp(tabs: readonly { visible?: boolean }[]) {
  const clock = createManualClock();
  const browser = createBrowser();
  const entered: { tab: Tab; leads: Readable<boolean> }[] = [];
  for (const options of tabs) {
    const tab = browser.openTab(options);
    entered.push({ tab, leads: enter(tab, clock) });
    await settled();
  }
  /** What the tabs send each other, and a way to send to them. */
  const channel = openBroadcast(browser.openTab().openChannel, 'leader', leaderMessage);
  const posted: string[] = [];
  channel.subscribe(({ type }) => posted.push(type));
  return { clock, tabs: entered, channel, posted, leading: () => entered.map(({ leads }) => leads.get()) };
}

it('RIGHT-5, FLAG-8: of ten tabs one leads', async () => {
  const { clock, leading } = await setUp(Array.from({ length: 10 }, () => ({})));
  await clock.pass(120_000);
  expect(leading().filter(Boolean)).toHaveLength(1);
});

it('RIGHT-5, FLAG-8: when the leader closes another tab leads at once', async () => {
  const { tabs, leading } = await setUp([{}, {}, {}]);
  expect(leading()).toEqual([true, false, false]);
  tabs[0]?.tab.close();
  await settled();
  expect(leading().slice(1)).toEqual([true, false]);
});

it('FLAG-8: a visible tab takes over from a hidden leader, and keeps it', async () => {
  const { clock, tabs, leading } = await setUp([{}, { visible: false }, {}]);
  tabs[0]?.tab.hide();
  await settled();
  expect(leading()).toEqual([false, false, true]);
  tabs[0]?.tab.show();
  await clock.pass(60_000);
  expect(leading()).toEqual([false, false, true]);
});

it('FLAG-8: of two visible tabs with a hidden leader exactly one takes over', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}, {}]);
  tabs[0]?.tab.hide();
  await clock.pass(60_000);
  expect(leading()[0]).toBe(false);
  expect(leading().filter(Boolean)).toHaveLength(1);
});

it('FLAG-8: among hidden tabs none takes the lead from another', async () => {
  const { clock, leading } = await setUp([{ visible: false }, { visible: false }]);
  await clock.pass(600_000);
  expect(leading()).toEqual([true, false]);
});

it('FLAG-8: a frozen leader is replaced, and steps down when it thaws', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}]);
  tabs[0]?.tab.freeze();
  await clock.pass(11_000);
  expect(leading()).toEqual([true, false]);
  await clock.pass(3_000);
  expect(leading()[1]).toBe(true);
  tabs[0]?.tab.thaw();
  await settled();
  expect(leading()).toEqual([false, true]);
});

it('FLAG-8: a visible leader that answers keeps the lead, for however long', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}]);
  for (let turn = 0; turn < 20; turn += 1) {
    tabs[1]?.tab.hide();
    await clock.pass(30_000);
    tabs[1]?.tab.show();
    await clock.pass(30_000);
  }
  expect(leading()).toEqual([true, false]);
});

it('FLAG-8: a tab that took over queues again when another tab takes over', async () => {
  const { tabs, leading } = await setUp([{}, {}]);
  const [first, second] = tabs;
  for (const [hidden, shown, expected] of [
    [first, second, [false, true]],
    [second, first, [true, false]],
    [first, second, [false, true]],
  ] as const) {
    hidden?.tab.hide();
    shown?.tab.show();
    await settled();
    expect(leading()).toEqual(expected);
  }
  second?.tab.close();
  await settled();
  expect(leading()[0]).toBe(true);
});

it('FLAG-8: a tab that has taken over does not wait for the lock as well', async () => {
  const { tabs } = await setUp([{}, {}]);
  tabs[0]?.tab.hide();
  await settled();
  const { held, pending } = (await tabs[1]?.tab.locks.query()) ?? {};
  // The previous leader waits.
  expect([held, pending].map((locks) => locks?.length)).toEqual([1, 1]);
});

it('FLAG-8: two beats of a hidden leader are one reason to take over', async () => {
  const { tabs, channel } = await setUp([{ visible: false }, { visible: false }]);
  const changes: boolean[] = [];
  tabs[1]?.leads.subscribe(() => changes.push(tabs[1]?.leads.get() ?? false));
  tabs[1]?.tab.show();
  channel.post({ type: 'beat', visible: false });
  channel.post({ type: 'beat', visible: false });
  await settled();
  expect(changes).toEqual([true]);
  // The previous leader waits, and this one does not wait for itself.
  expect((await tabs[1]?.tab.locks.query())?.pending).toHaveLength(1);
});

it('FLAG-8: a leader sends no beats after another tab has taken over', async () => {
  const { clock, tabs, posted } = await setUp([{}, {}]);
  tabs[0]?.tab.hide();
  await settled();
  posted.length = 0;
  await clock.pass(10_000);
  expect(posted).toEqual(['beat', 'beat']);
});

it('FLAG-8: a leader that learns of the next one before it loses the lock sends no beats either', async () => {
  const clock = createManualClock();
  const browser = createBrowser();
  const tab = browser.openTab();
  const channel = openBroadcast(browser.openTab().openChannel, 'leader', leaderMessage);
  const posted: string[] = [];
  channel.subscribe(({ type }) => posted.push(type));
  const requests: { reject: (error: DOMException) => void }[] = [];
  const leads = electTabLeader({
    locks: {
      request: (...[, , hold]: unknown[]) =>
        new Promise<never>((_, reject) => {
          if (requests.length === 0) (hold as () => void)();
          requests.push({ reject });
        }),
    },
    broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
    clock,
    presence: tab.presence,
  });
  channel.post({ type: 'beat', visible: true });
  await settled();
  requests[0]?.reject(new DOMException('stolen', 'AbortError'));
  await settled();
  expect([leads.get(), requests.length]).toEqual([false, 2]);
  posted.length = 0;
  await clock.pass(12_000);
  expect(posted).toEqual(['ask']);
});

it('FLAG-8: a tab that is hidden while it waits for a frozen leader does not take over', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}]);
  await clock.pass(6_000);
  tabs[0]?.tab.freeze();
  tabs[1]?.tab.hide();
  await clock.pass(60_000);
  expect(leading()[1]).toBe(false);
});

it('FLAG-8: a hidden tab does not take over from a frozen leader, until it is visible again', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}]);
  await clock.pass(6_000);
  tabs[1]?.tab.hide();
  await clock.pass(6_000);
  tabs[0]?.tab.freeze();
  await clock.pass(60_000);
  expect(leading()[1]).toBe(false);
  tabs[1]?.tab.show();
  await clock.pass(1_499);
  expect(leading()[1]).toBe(false);
  await clock.pass(1);
  expect(leading()[1]).toBe(true);
});

it('FLAG-8: a leader beats every 5 s and when it is asked, and not for the beat of another', async () => {
  const { clock, channel, posted } = await setUp([{}]);
  await clock.pass(10_000);
  expect(posted).toEqual(['beat', 'beat']);
  channel.post({ type: 'beat', visible: true });
  await settled();
  expect(posted).toHaveLength(2);
  channel.post({ type: 'ask', visible: true });
  await settled();
  expect(posted).toEqual(['beat', 'beat', 'beat']);
});

it('FLAG-8: messages of other kinds are ignored', () => {
  expect(leaderMessage.safeParse({ type: 'told', visible: true }).success).toBe(false);
});

it('FLAG-8: without Web Locks every tab works by itself', () => {
  const tab = createBrowser().openTab();
  const leads = electTabLeader({
    locks: undefined,
    broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
    clock: createManualClock(),
    presence: tab.presence,
  });
  expect(leads.get()).toBe(true);
});

it('FLAG-8: where locks are refused a tab works by itself', async () => {
  const tab = createBrowser().openTab();
  const leads = electTabLeader({
    locks: { request: () => Promise.reject(new DOMException('no storage here', 'SecurityError')) },
    broadcast: openBroadcast(tab.openChannel, 'leader', leaderMessage),
    clock: createManualClock(),
    presence: tab.presence,
  });
  await settled();
  expect(leads.get()).toBe(true);
});
