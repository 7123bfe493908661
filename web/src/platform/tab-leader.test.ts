import { expect, it } from 'vitest';
import { createBrowser, type Tab } from '../testing/browser.ts';
import { createManualClock, settled } from '../testing/manual-clock.ts';
import { openBroadcast } from './broadcast.ts';
import type { Clock } from './clock.ts';
import type { Readable } from './store.ts';
import { electTabLeader, readLeaderMessage } from './tab-leader.ts';

function enter(tab: Tab, clock: Clock) {
  return electTabLeader({
    locks: tab.locks,
    broadcast: openBroadcast(tab.openChannel, 'leader', readLeaderMessage),
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
  return { clock, tabs: entered, leading: () => entered.map(({ leads }) => leads.get()) };
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

it('FLAG-8: of two visible tabs beside a hidden leader exactly one takes over', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}, {}]);
  tabs[0]?.tab.hide();
  await clock.pass(60_000);
  expect(leading()[0]).toBe(false);
  expect(leading().filter(Boolean)).toHaveLength(1);
});

it('FLAG-8: among hidden tabs nobody steals', async () => {
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

it('FLAG-8: a visible leader that answers is left alone, however long it goes', async () => {
  const { clock, tabs, leading } = await setUp([{}, {}]);
  for (let turn = 0; turn < 20; turn += 1) {
    tabs[1]?.tab.hide();
    await clock.pass(30_000);
    tabs[1]?.tab.show();
    await clock.pass(30_000);
  }
  expect(leading()).toEqual([true, false]);
});

it('FLAG-8: without Web Locks every tab works by itself', () => {
  const tab = createBrowser().openTab();
  const leads = electTabLeader({
    locks: undefined,
    broadcast: openBroadcast(tab.openChannel, 'leader', readLeaderMessage),
    clock: createManualClock(),
    presence: tab.presence,
  });
  expect(leads.get()).toBe(true);
});

it('FLAG-8: where locks are refused a tab works by itself', async () => {
  const tab = createBrowser().openTab();
  const leads = electTabLeader({
    locks: { request: () => Promise.reject(new DOMException('no storage here', 'SecurityError')) },
    broadcast: openBroadcast(tab.openChannel, 'leader', readLeaderMessage),
    clock: createManualClock(),
    presence: tab.presence,
  });
  await settled();
  expect(leads.get()).toBe(true);
});
