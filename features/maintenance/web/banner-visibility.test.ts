import type { Notice, UpcomingWindow } from '#features/maintenance/contract/maintenance.ts';
import { expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createStore, type Store } from '#web/platform/state/store.ts';
import { createBrowser, createMemory } from '#web/testing/browser.ts';
import { settled } from '#web/testing/manual-clock.ts';
import { createBannerVisibility, closedMessage } from './banner-visibility.ts';

const notice = (
  maintenanceText: string,
  maintenanceTextSeverity: Notice['maintenanceTextSeverity'] = 'HIGH',
) => ({
  maintenanceText,
  maintenanceTextSeverity,
  upcoming: null,
});

type Shown = Notice & { upcoming: UpcomingWindow | null };

/** One browser: its tabs share what was closed. */
function setUp() {
  const memory = createMemory();
  const browser = createBrowser();
  function openTab(first: Shown) {
    const tab = browser.openTab();
    const current = createStore(first);
    const near = createStore(false);
    const banner = createBannerVisibility({
      shown: current,
      near,
      memory,
      broadcast: openBroadcast(tab.openChannel, 'notice', closedMessage),
      presence: tab.presence,
    });
    return { tab, current, near, ...banner };
  }
  return { openTab };
}

const setAll = (tabs: readonly { current: Store<Shown> }[], next: Shown) =>
  tabs.forEach(({ current }) => current.set(next));

it('MAINT-2: shows where there is a text and it was not closed', () => {
  const { current, visible, close } = setUp().openTab(notice(''));
  expect(visible.get()).toBe(false);
  current.set(notice('Soon.'));
  expect(visible.get()).toBe(true);
  close();
  expect(visible.get()).toBe(false);
});

it('MAINT-2: a change of the text or the severity shows it again', () => {
  const { current, visible, close } = setUp().openTab(notice('Soon.'));
  close();
  current.set(notice('Soon.', 'INFO'));
  expect(visible.get()).toBe(true);
  close();
  current.set(notice('Now.', 'INFO'));
  expect(visible.get()).toBe(true);
});

it('MAINT-2: closed, it stays so over a reload and in new tabs, for the same notice', () => {
  const { openTab } = setUp();
  openTab(notice('Soon.')).close();
  expect(openTab(notice('Soon.')).visible.get()).toBe(false);
  expect(openTab(notice('Now.')).visible.get()).toBe(true);
});

it('MAINT-2: closed in one tab it closes in the others at once, and a change shows it in all of them', async () => {
  const { openTab } = setUp();
  const tabs = [openTab(notice('Soon.')), openTab(notice('Soon.')), openTab(notice('Soon.'))];
  const visible = () => tabs.map((one) => one.visible.get());
  tabs[1]?.close();
  await settled();
  expect(visible()).toEqual([false, false, false]);
  setAll(tabs, notice('Later.'));
  await settled();
  expect(visible()).toEqual([true, true, true]);
  // Changed back to the closed text: still a change.
  tabs[0]?.close();
  setAll(tabs, notice('Soon.'));
  await settled();
  expect(visible()).toEqual([true, true, true]);
});

it('MAINT-2: a tab that slept while another closed it looks when the person returns to it', async () => {
  const { openTab } = setUp();
  const [one, other] = [openTab(notice('Soon.')), openTab(notice('Soon.'))];
  other.tab.close();
  one.close();
  await settled();
  expect(other.visible.get()).toBe(true);
  other.tab.show();
  expect(other.visible.get()).toBe(false);
});

it('MAINT-2: the same notice removed and published again shows again', () => {
  const { openTab } = setUp();
  const { current, visible, close } = openTab(notice('Soon.'));
  close();
  current.set(notice(''));
  current.set(notice('Soon.'));
  expect(visible.get()).toBe(true);
  expect(openTab(notice('Soon.')).visible.get()).toBe(true);
});

it('MAINT-2 MAINT-5: closed before a window, it shows again where that is moved, and once more when it is near', () => {
  const upcoming: UpcomingWindow = {
    title: 'Upgrade',
    text: 'Soon.',
    texts: {},
    severity: 'HIGH',
    mode: 'full',
    startsAt: 1_000_000,
    endsAt: 2_000_000,
  };
  const { openTab } = setUp();
  const { current, near, visible, close } = openTab({ ...notice('Soon.'), upcoming });
  close();
  current.set({ ...notice('Soon.'), upcoming: { ...upcoming } });
  expect(visible.get()).toBe(false);
  current.set({ ...notice('Soon.'), upcoming: { ...upcoming, startsAt: 1_100_000 } });
  expect(visible.get()).toBe(true);
  close();
  near.set(true);
  expect(visible.get()).toBe(true);
  close();
  expect(visible.get()).toBe(false);
  const again = openTab(current.get());
  again.near.set(true);
  expect(again.visible.get()).toBe(true);
});
