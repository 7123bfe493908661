import { expect, it } from 'vitest';
import { createBrowser, type Browser } from '../../testing/browser.ts';
import { createManualClock, settled } from '../../testing/manual-clock.ts';
import { openBroadcast } from './broadcast.ts';
import { type OpenTabs, tabsMessage, watchOpenTabs } from './open-tabs.ts';
import { createStore } from '../state/store.ts';

const clock = createManualClock();

async function openTab(browser: Browser, { leads = false, locks = true } = {}) {
  const tab = browser.openTab();
  const unsaved = createStore(0);
  const openTabs: OpenTabs = watchOpenTabs({
    locks: locks ? tab.locks : undefined,
    broadcast: openBroadcast(tab.openChannel, 'open-tabs', tabsMessage),
    clock,
    leader: createStore(leads),
    unsaved,
    newId: () => crypto.randomUUID(),
  });
  const known: string[] = [];
  openTabs.onChange(
    () =>
      void openTabs.count().then((counts) => known.push(`${counts.tabs} tabs, ${counts.unsaved} unsaved`)),
  );
  await settled();
  return { tab, unsaved, count: openTabs.count, last: () => known.at(-1), known };
}

it('MAINT-7: the leading tab counts the open tabs, and those with unsaved work', async () => {
  const browser = createBrowser();
  const leading = await openTab(browser, { leads: true });
  expect(await leading.count()).toEqual({ tabs: 1, unsaved: 0 });
  const others = [await openTab(browser), await openTab(browser)];
  expect(leading.last()).toBe('3 tabs, 0 unsaved');
  leading.unsaved.set(1);
  others[0]?.unsaved.set(2);
  await settled();
  expect(leading.last()).toBe('3 tabs, 2 unsaved');
  others[0]?.unsaved.set(1);
  leading.unsaved.set(0);
  await settled();
  expect(leading.last()).toBe('3 tabs, 1 unsaved');
  others[0]?.unsaved.set(0);
  await settled();
  expect(leading.last()).toBe('3 tabs, 0 unsaved');
});

it('MAINT-7: a tab that closes or crashes is gone from the count at once, with its unsaved work', async () => {
  const browser = createBrowser();
  const leading = await openTab(browser, { leads: true });
  const other = await openTab(browser);
  other.unsaved.set(1);
  await settled();
  expect(leading.last()).toBe('2 tabs, 1 unsaved');
  other.tab.close();
  await settled();
  expect(leading.last()).toBe('1 tabs, 0 unsaved');
});

it('MAINT-7: a frozen tab still counts', async () => {
  const browser = createBrowser();
  const leading = await openTab(browser, { leads: true });
  const other = await openTab(browser);
  other.unsaved.set(1);
  await settled();
  other.tab.freeze();
  await clock.pass(60_000);
  expect(leading.last()).toBe('2 tabs, 1 unsaved');
});

it('MAINT-7: a tab that led, and is frozen with the lock of one that closed, is one tab', async () => {
  const browser = createBrowser();
  const led = await openTab(browser, { leads: true });
  const gone = await openTab(browser);
  const leading = await openTab(browser, { leads: true });
  led.tab.freeze();
  gone.tab.close();
  await clock.pass(60_000);
  expect(leading.last()).toBe('2 tabs, 0 unsaved');
});

it('MAINT-7: what is typed and saved in one go leaves nothing behind', async () => {
  const browser = createBrowser();
  const leading = await openTab(browser, { leads: true });
  const other = await openTab(browser);
  for (let time = 0; time < 20; time += 1) other.unsaved.set(1 - other.unsaved.get());
  await settled();
  expect(await leading.count()).toEqual({ tabs: 2, unsaved: 0 });
  other.unsaved.set(1);
  await settled();
  expect(await leading.count()).toEqual({ tabs: 2, unsaved: 1 });
});

it('MAINT-7: without Web Locks a tab is a browser by itself', async () => {
  const browser = createBrowser();
  await openTab(browser, { locks: false });
  const { unsaved, count, last } = await openTab(browser, { locks: false });
  unsaved.set(1);
  await settled();
  expect([await count(), last()]).toEqual([{ tabs: 1, unsaved: 1 }, '1 tabs, 1 unsaved']);
});

it('MAINT-7: where the browser refuses locks a tab is a browser by itself', async () => {
  const tab = createBrowser().openTab();
  const refuse = () => Promise.reject(new DOMException('no storage', 'SecurityError'));
  const { count } = watchOpenTabs({
    locks: { request: refuse, query: refuse },
    broadcast: openBroadcast(tab.openChannel, 'open-tabs', tabsMessage),
    clock,
    leader: createStore(true),
    unsaved: createStore(3),
    newId: () => 'a',
  });
  await settled();
  expect(await count()).toEqual({ tabs: 1, unsaved: 1 });
});
