import type { Notice } from '@portico/contract/maintenance';
import { expect, it } from 'vitest';
import { createStore } from '../../platform/store.ts';
import { createMemory } from '../../testing/browser.ts';
import { createBannerVisibility } from './banner-visibility.ts';

const notice = (
  maintenanceText: string,
  maintenanceTextSeverity: Notice['maintenanceTextSeverity'] = 'HIGH',
) => ({
  maintenanceText,
  maintenanceTextSeverity,
});

function setUp(first: Notice) {
  const memory = createMemory();
  const current = createStore(first);
  const { visible, close } = createBannerVisibility(current, memory);
  return { memory, current, visible, close };
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
  expect(createBannerVisibility(createStore(notice('Soon.')), memory).visible.get()).toBe(false);
  expect(createBannerVisibility(createStore(notice('Now.')), memory).visible.get()).toBe(true);
});

it('MAINT-2: the same notice taken back and published again shows again', () => {
  const { memory, current, visible, close } = setUp(notice('Soon.'));
  close();
  current.set(notice(''));
  current.set(notice('Soon.'));
  expect(visible.get()).toBe(true);
  expect(createBannerVisibility(createStore(notice('Soon.')), memory).visible.get()).toBe(true);
});
