import type { Notice, UpcomingWindow } from '@portico/contract/maintenance';
import { expect, it } from 'vitest';
import { createStore, type Store } from '../../platform/store.ts';
import type { TabMemory } from '../../platform/tab-memory.ts';
import { createMemory } from '../../testing/browser.ts';
import { createBannerVisibility } from './banner-visibility.ts';

const notice = (
  maintenanceText: string,
  maintenanceTextSeverity: Notice['maintenanceTextSeverity'] = 'HIGH',
) => ({
  maintenanceText,
  maintenanceTextSeverity,
  upcoming: null,
});

type Shown = Notice & { upcoming: UpcomingWindow | null };

function open(current: Store<Shown>, memory: TabMemory) {
  const near = createStore(false);
  return { near, ...createBannerVisibility(current, near, memory) };
}

function setUp(first: Shown) {
  const memory = createMemory();
  const current = createStore(first);
  return { memory, current, ...open(current, memory) };
}

it('MAINT-2: shows where there is a text and it was not closed', () => {
  const { current, visible, close } = setUp(notice(''));
  expect(visible.get()).toBe(false);
  current.set(notice('Soon.'));
  expect(visible.get()).toBe(true);
  close();
  expect(visible.get()).toBe(false);
});

it('MAINT-2: a change of the text or the severity shows it again', () => {
  const { current, visible, close } = setUp(notice('Soon.'));
  close();
  current.set(notice('Soon.', 'INFO'));
  expect(visible.get()).toBe(true);
  close();
  current.set(notice('Now.', 'INFO'));
  expect(visible.get()).toBe(true);
});

it('MAINT-2: closed, it stays so over a reload of the same notice', () => {
  const { memory, close } = setUp(notice('Soon.'));
  close();
  expect(open(createStore<Shown>(notice('Soon.')), memory).visible.get()).toBe(false);
  expect(open(createStore<Shown>(notice('Now.')), memory).visible.get()).toBe(true);
});

it('MAINT-2: the same notice taken back and published again shows again', () => {
  const { memory, current, visible, close } = setUp(notice('Soon.'));
  close();
  current.set(notice(''));
  current.set(notice('Soon.'));
  expect(visible.get()).toBe(true);
  expect(open(createStore<Shown>(notice('Soon.')), memory).visible.get()).toBe(true);
});

it('MAINT-2 MAINT-5: closed before a window, it shows again where that is moved, and once more when it is near', () => {
  const upcoming: UpcomingWindow = {
    title: 'Upgrade',
    text: 'Soon.',
    severity: 'HIGH',
    mode: 'full',
    startsAt: 1_000_000,
    endsAt: 2_000_000,
  };
  const { memory, current, near, visible, close } = setUp({ ...notice('Soon.'), upcoming });
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
  const again = open(createStore<Shown>(current.get()), memory);
  again.near.set(true);
  expect(again.visible.get()).toBe(true);
});
