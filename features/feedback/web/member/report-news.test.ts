import { expect, it } from 'vitest';
import { openBroadcast } from '#web/platform/tabs/broadcast.ts';
import { createSignal, createStore } from '#web/platform/state/store.ts';
import { createBrowser, type Browser } from '#web/testing/browser.ts';
import { createManualClock, settled } from '#web/testing/manual-clock.ts';
import { createReportNews, newsMessage, type ReportNews } from './report-news.ts';

const clock = createManualClock();

function openTab(browser: Browser, { leads = false, visible = true, random = 0.5 } = {}) {
  const tab = browser.openTab({ visible });
  const person = createStore<string | null>('ada');
  const pushed = createSignal<ReportNews>();
  const gone = createSignal();
  const reportNews = createReportNews({
    clock,
    random: () => random,
    person,
    leader: createStore(leads),
    presence: tab.presence,
    broadcast: openBroadcast(tab.openChannel, 'report-news', newsMessage),
    live: { onReport: pushed.subscribe, onGone: gone.subscribe },
  });
  const published: string[] = [];
  reportNews.onNews(({ number, status, replies }) =>
    published.push(`${number} ${status}${replies === 0 ? '' : ` ${replies} replies`}`),
  );
  return {
    tab,
    person,
    push: pushed.publish,
    lose: gone.publish,
    published,
    changes: () => reportNews.changes.get(),
  };
}

const resolved: ReportNews = { reportId: 'r12', number: 12, status: 'resolved', replies: 0 };
const answered: ReportNews = { ...resolved, status: 'in-progress', replies: 1 };

/** The server's event reaches every tab. */
async function happens(tabs: readonly ReturnType<typeof openTab>[], news: ReportNews): Promise<void> {
  for (const { push } of tabs) push(news);
  await clock.pass(2_000);
}

it('BUG-9: of all tabs the leading one publishes it, where it is visible', async () => {
  const browser = createBrowser();
  const tabs = [openTab(browser, { leads: true }), openTab(browser), openTab(browser, { visible: false })];
  for (const { push } of tabs) push(resolved);
  expect(tabs.map(({ published }) => published)).toEqual([['12 resolved'], [], []]);
  await clock.pass(2_000);
  expect(tabs.map(({ published }) => published)).toEqual([['12 resolved'], [], []]);
  tabs[2]?.tab.show();
  await settled();
  expect(tabs[2]?.published).toEqual([]);
});

it('BUG-9: while the leading one is hidden, a visible one publishes it', async () => {
  const browser = createBrowser();
  const tabs = [
    openTab(browser, { leads: true, visible: false }),
    openTab(browser, { random: 0.2 }),
    openTab(browser, { random: 0.8 }),
  ];
  await happens(tabs, resolved);
  expect(tabs.map(({ published }) => published)).toEqual([[], ['12 resolved'], []]);
});

it('BUG-9: while no tab is visible it waits for the person’s return, and is published with its latest status', async () => {
  const browser = createBrowser();
  const tabs = [openTab(browser, { leads: true, visible: false }), openTab(browser, { visible: false })];
  await happens(tabs, { ...resolved, status: 'in-progress' });
  await happens(tabs, resolved);
  tabs[1]?.tab.show();
  await settled();
  tabs[0]?.tab.show();
  await settled();
  expect(tabs.map(({ published }) => published)).toEqual([[], ['12 resolved']]);
});

it('BUG-9: what the server sends twice is published once; what happens twice is published twice', async () => {
  const tab = openTab(createBrowser(), { leads: true });
  await happens([tab], resolved);
  await happens([tab], resolved);
  await happens([tab], { ...resolved, status: 'in-progress' });
  await happens([tab], resolved);
  expect(tab.published).toEqual(['12 resolved', '12 in-progress', '12 resolved']);
});

it('BUG-9: each reply is published, and those that wait are counted', async () => {
  const tab = openTab(createBrowser(), { leads: true });
  await happens([tab], answered);
  await happens([tab], answered);
  tab.tab.hide();
  await happens([tab], answered);
  await happens([tab], { ...answered, status: 'resolved' });
  tab.tab.show();
  await settled();
  expect(tab.published).toEqual([
    '12 in-progress 1 replies',
    '12 in-progress 1 replies',
    '12 resolved 2 replies',
  ]);
});

it('BUG-9: news for one person is not published to the next', async () => {
  const tab = openTab(createBrowser(), { leads: true, visible: false });
  await happens([tab], resolved);
  tab.person.set('bob');
  tab.tab.show();
  await settled();
  expect(tab.published).toEqual([]);
});

it('BUG-9: what was published to one person is new to the next', async () => {
  const tab = openTab(createBrowser(), { leads: true });
  await happens([tab], resolved);
  tab.person.set(null);
  tab.person.set('ada');
  await happens([tab], resolved);
  expect(tab.published).toEqual(['12 resolved', '12 resolved']);
});

it('BUG-9: lists are asked for again at once, and then once a second at most', async () => {
  const tab = openTab(createBrowser(), { leads: true });
  tab.push(resolved);
  await clock.pass(0);
  expect(tab.changes()).toBe(1);
  tab.push(resolved);
  await clock.pass(999);
  expect(tab.changes()).toBe(1);
  await clock.pass(1);
  expect(tab.changes()).toBe(2);
  await clock.pass(600);
  tab.push(resolved);
  await clock.pass(400);
  expect(tab.changes()).toBe(3);
});

it('BUG-9: a message of another tab about another status does not count', async () => {
  const browser = createBrowser();
  const tab = openTab(browser, { leads: true, visible: false });
  const other = openBroadcast(browser.openTab().openChannel, 'report-news', newsMessage);
  tab.push(resolved);
  other.post({ reportId: 'r12', status: 'triaged' });
  other.post({ reportId: 'r13', status: 'resolved' });
  await settled();
  tab.tab.show();
  expect(tab.published).toEqual(['12 resolved']);
  tab.tab.hide();
  tab.tab.show();
  expect(tab.published).toHaveLength(1);
});

it('BUG-9: a deleted report makes lists ask again, and publishes nothing', async () => {
  const tab = openTab(createBrowser(), { leads: true });
  tab.lose();
  await clock.pass(2_000);
  expect([tab.changes(), tab.published]).toEqual([1, []]);
});
