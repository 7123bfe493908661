import { expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createStore } from '#web/platform/state/store.ts';
import { createBrowser, type Browser } from '#web/testing/browser.ts';
import { createManualClock } from '#web/testing/manual-clock.ts';
import { tabWorkMessage, type UnsavedPlace } from './tab-work-message.ts';
import { createTabWork } from './tab-work.ts';

let ids = 0;

function openTab(
  browser: Browser,
  counts: { tabs: number; unsaved: number },
  { person = 'mia', places = [] as UnsavedPlace[] } = {},
) {
  const tab = browser.openTab();
  const clock = createManualClock();
  const id = `tab ${(ids += 1)}`;
  const work = createTabWork({
    tab: id,
    broadcast: openBroadcast(tab.openChannel, 'tab-work', tabWorkMessage),
    clock,
    person: createStore<string | null>(person),
    openTabs: { count: () => Promise.resolve(counts) },
    isCounted: () => places.length > 0,
    places: () => places,
    newId: () => `question ${(ids += 1)}`,
  });
  return { tab, clock, id, ask: work.ask };
}

const profile: UnsavedPlace = {
  what: 'Profile',
  work: { name: 'profile', work: { phone: '1' }, what: 'Profile', address: '/profile' },
};
const branding: UnsavedPlace = { what: 'Appearance', work: null };

it('SES-7: every tab of the person reports what is typed in it, and nothing is waited for', async () => {
  const browser = createBrowser();
  const counts = { tabs: 3, unsaved: 2 };
  const asking = openTab(browser, counts, { places: [branding] });
  const other = openTab(browser, counts, { places: [profile] });
  const empty = openTab(browser, counts);
  expect(await asking.ask()).toEqual({
    here: [branding],
    others: [
      { tab: other.id, places: [profile] },
      { tab: empty.id, places: [] },
    ],
    silent: 0,
  });
});

it.each([
  ['is hardly waited for', [], 0, 700],
  ['in which something is typed is waited for longer, and known all the same', [profile], 1, 3_000],
])('SES-7: a frozen tab %s', async (_case, places, unsaved, wait) => {
  const browser = createBrowser();
  const counts = { tabs: 3, unsaved };
  const asking = openTab(browser, counts);
  openTab(browser, counts);
  openTab(browser, counts, { places }).tab.freeze();
  let isFound = false;
  const found = asking.ask().finally(() => (isFound = true));
  await asking.clock.pass(wait - 1);
  expect(isFound).toBe(false);
  await asking.clock.pass(1);
  expect(await found).toMatchObject({ here: [], others: [{ places: [] }], silent: unsaved });
});

it('SES-7: a tab of another person reports nothing of theirs', async () => {
  const browser = createBrowser();
  const counts = { tabs: 2, unsaved: 0 };
  const asking = openTab(browser, counts);
  openTab(browser, counts, { person: 'noor', places: [profile] });
  expect((await asking.ask()).others).toMatchObject([{ places: [] }]);
});

it.each([
  {},
  { type: 'asked' },
  { type: 'asked', question: 'q', person: 7 },
  { type: 'told', question: 'q', tab: 't' },
])('SES-7: %o of another release is ignored', (data) => {
  expect(tabWorkMessage.safeParse(data).success).toBe(false);
});
