import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SentReport } from '#features/feedback/contract/feedback.ts';
import type { ReportStatus } from '#features/feedback/contract/own-reports.ts';
import type { FullReport } from '#features/feedback/contract/inbox.ts';
import { expectAccessibleAt, expectNoViolations } from '#e2e/accessible.ts';
import {
  bearerOf,
  callerWith,
  comeBack,
  expect,
  restingBox,
  settled,
  test as base,
  tokenOf,
  watchShifts,
} from '#e2e/fixtures.ts';
import type { Installation } from '#e2e/installation.ts';

const test = base.extend<{ reports: ReturnType<typeof reportsOf> }>({
  reports: ({ installation }, provide) => provide(reportsOf(installation)),
});

/** What a sender without an account and another operator do. */
function reportsOf(installation: Installation) {
  const call = callerWith(tokenOf(installation), installation);
  const read = (reportId: string) => call<FullReport>('GET', `/v1/reports/${reportId}`);
  return {
    send: (report: SentReport) => call<{ id: string; number: number }>('POST', '/v1/feedback', report),
    read,
    async snooze(reportId: string) {
      const { version } = await read(reportId);
      await call('PUT', `/v1/reports/${reportId}`, { snoozedUntil: Date.now() + 86_400_000, version });
    },
    async setStatus(reportId: string, status: ReportStatus) {
      const { version } = await read(reportId);
      await call('PUT', `/v1/reports/${reportId}/status`, { status, version });
    },
    async answer(reportId: string, text: string, note: string) {
      const eventId = () => randomUUID().replaceAll('-', '');
      await call('POST', `/v1/reports/${reportId}/replies`, { text, eventId: eventId() });
      await call('POST', `/v1/reports/${reportId}/notes`, { text: note, eventId: eventId() });
    },
    remove: (reportId: string) => call('DELETE', `/v1/reports/${reportId}`),
  };
}

/** Sends a report as the person who is signed in there. */
const sendAs = async (page: Page, report: SentReport) =>
  callerWith(await bearerOf(page), { url: new URL(page.url()).origin })<{ id: string; number: number }>(
    'POST',
    '/v1/feedback',
    report,
  );

/** A word that no other report has. */
const ownWord = () => `word${Math.random().toString(36).slice(2, 10)}`;

const png = readFileSync(new URL('../../../dev/demo-pictures/notice-on-top.png', import.meta.url));
/** Pixels; where a PNG file has it. */
const pictureWidth = png.readUInt32BE(16);
const picture = (filename: string) => ({
  data: png.toString('base64'),
  filename,
  contentType: 'image/png',
});

const rows = (page: Page) => page.getByRole('list', { name: 'Reports' }).getByRole('link');
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Parts of the inbox' }).getByRole('link');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search reports' });
const heading = (page: Page, number: number) =>
  page.getByRole('heading', { level: 2, name: `Report #${number}`, exact: true });
const statusOf = (page: Page, status: string) =>
  page.getByRole('button', { name: `Status: ${status}`, exact: true });
const viewer = (page: Page) => page.getByRole('dialog');
const scaleOf = (page: Page) => viewer(page).getByRole('status', { name: 'Zoom' });

async function openInbox(page: Page, query = ''): Promise<void> {
  await page.goto(`/reports${query}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeAttached();
}

test('BUG-8 CON-1: reports are searched, narrowed and put in order, and the address holds the filters', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const first = await reports.send({ message: `${word} the first`, name: 'Ann Example' });
  await reports.send({ message: `${word} the second`, email: 'ben@example.org' });
  await reports.send({ message: `the third`, url: `https://app.example.org/${word}` });
  await reports.setStatus(first.id, 'resolved');
  const page = await signIn('operator', { at: '/reports' });

  await search(page).pressSequentially(word);
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(new RegExp(`search=${word}$`));
  await expect(search(page)).toHaveValue(word);
  await expect(rows(page).nth(0)).toContainText('the third');
  await expect(rows(page).nth(0)).toContainText('No name given');
  await expect(rows(page).nth(1)).toContainText('ben@example.org');
  await expect(tabs(page)).toHaveText(['Open 2', 'Mine 0', 'Snoozed 0', 'Done 1', 'Spam 0']);
  await tabs(page).nth(3).click();
  await expect(rows(page)).toHaveText([/Ann Example/]);
  await tabs(page).nth(0).click();

  await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
  await expect(rows(page).first()).toContainText('the second');
  await page.getByRole('button', { name: 'Filter, 0 in use' }).click();
  const status = page.getByRole('combobox', { name: 'Status' });
  await expect(status).toBeFocused();
  await expect(status.getByRole('option')).toHaveText([
    'Any status',
    'New (2)',
    'Triaged (0)',
    'In progress (0)',
  ]);
  await status.selectOption('New (2)');
  await page.getByRole('combobox', { name: 'Pictures' }).selectOption('Without pictures');
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/order=oldest/);
  await expect(page).toHaveURL(/status=new/);

  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('the second');
  await expect(page.getByText('2 reports', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(word);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Without pictures Remove this filter' }).click();
  await expect(page).not.toHaveURL(/pictures/);
  await page.getByRole('combobox', { name: 'Order' }).selectOption('Newest first');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitemradio', { name: word }).click();
  await expect(page).toHaveURL(/order=oldest/);
  await expect(page).toHaveURL(/pictures=without/);
  await expect(page.getByRole('button', { name: `View: ${word}` })).toBeVisible();

  await search(page).fill(`${word} first`);
  await expect(page.getByRole('heading', { name: 'No matching reports' })).toBeVisible();
  await page.getByRole('button', { name: 'Done (1)' }).click();
  await expect(rows(page)).toHaveText([/Ann Example/]);
  await search(page).fill(`${word} lost`);
  await page.getByRole('button', { name: 'Show all reports' }).click();
  await expect(search(page)).toHaveValue('');
  await expect(rows(page).first()).toBeVisible();
});

test('BUG-8: a report shows who sent it, from where and with what, and as text, whatever it is', async ({
  reports,
  signIn,
}) => {
  const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>\nsecond line ';
  const message = attack.padEnd(4096, 'x').slice(0, 4095) + '!';
  const page = await signIn('operator', { at: '/reports' });
  const sent = await sendAs(page, {
    message,
    name: '<b>Ann</b>',
    url: 'https://app.example.org/map?x=1#here',
    source: 'widget',
    tags: { area: 'map' },
    eventId: Math.random().toString(16).slice(2).padEnd(32, '0').slice(0, 32),
    context: {
      browser: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
      viewport: '1280 × 720 @1.5',
      language: 'de-AT',
      timeZone: 'Europe/Vienna',
      release: '1.2.3',
    },
  });
  await openInbox(page, `?report=${sent.id}`);
  const facts = page.getByRole('region', { name: `Report #${sent.number}` });
  const text = facts.locator('.report-message');
  expect(await text.textContent()).toBe(message);
  expect(await text.locator('*').count()).toBe(0);
  await expect(page).toHaveTitle('Reports · Portico');
  const link = facts.getByRole('link', { name: 'https://app.example.org/map?x=1#here' });
  await expect(link).toHaveAttribute('href', 'https://app.example.org/map?x=1#here');
  await expect(link).toHaveAttribute('rel', 'noreferrer');
  // Technical details are folded.
  await expect(facts.getByText('Firefox 150 on Windows')).toBeHidden();
  await facts.getByText('Technical details').click();
  await expect(facts.getByText('Firefox 150 on Windows')).toBeVisible();
  await expect(facts.getByText('1280 × 720 pixels, each 1.5 × 1.5 on the screen')).toBeVisible();
  await expect(facts.getByText('Austrian German (de-AT)')).toBeVisible();
  await expect(facts.getByText('the button “Report a Bug”')).toBeVisible();
  await expect(facts.getByText((await reports.read(sent.id)).eventId)).toBeVisible();
  await expect(facts.getByText('area map')).toBeVisible();
  await facts.getByRole('link', { name: '<b>Ann</b>' }).click();
  await expect(page).toHaveURL(/\/people\//);
});

test('BUG-8 LOOK-2: by keyboard alone from the search to a change of status, a snooze, and back', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const sent = [];
  for (const which of ['first', 'second', 'third'])
    sent.push(await reports.send({ message: `${word} ${which}` }));
  const [, second, third] = sent as [{ id: string; number: number }, (typeof sent)[0], (typeof sent)[0]];
  const page = await signIn('operator', { at: '/reports' });
  await expect(rows(page).first()).toBeVisible();

  await page.keyboard.press('/');
  await expect(search(page)).toBeFocused();
  await page.keyboard.type(word);
  await expect(rows(page)).toHaveCount(3);

  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(0)).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows(page).nth(0)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows(page).nth(2)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(rows(page).nth(1)).toBeFocused();
  // The Tab key stops at one row of the list only.
  await expect
    .poll(() => rows(page).evaluateAll((all) => all.map((row) => row.tabIndex)))
    .toEqual([-1, 0, -1]);
  await page.keyboard.press('Enter');
  await expect(heading(page, second?.number ?? 0)).toBeFocused();
  await expect(statusOf(page, 'New')).toBeVisible();

  await page.keyboard.press('2');
  await expect(statusOf(page, 'Triaged')).toBeVisible();
  await expect(rows(page).nth(1)).toContainText('Triaged');
  await page.keyboard.press('s');
  await expect(page.getByRole('menuitemradio', { name: 'New' })).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('menuitemradio', { name: 'Resolved' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(statusOf(page, 'Resolved')).toBeFocused();
  const talk = page.getByRole('list', { name: 'Conversation' });
  await expect(talk).toContainText('set it to Resolved');
  // What no longer fits has left the list; the open report stays.
  await expect(rows(page)).toHaveCount(2);

  // The next report opens from the list too.
  await rows(page).nth(1).focus();
  await page.keyboard.press('k');
  await expect(heading(page, third?.number ?? 0)).toBeFocused();
  await expect(page.locator('.report-snooze')).toBeVisible();
  await page.keyboard.press('h');
  await page.getByRole('combobox', { name: 'Choose, or type a number of days' }).fill('5');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`Report #${third?.number}: snoozed until`)).toBeVisible();
  await expect(talk).toContainText('snoozed it until');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(rows(page).nth(0)).toBeFocused();
  await expect(page).not.toHaveURL(/report=/);
  await expect(page.getByRole('heading', { name: 'Choose a report' })).toBeVisible();

  await tabs(page).nth(2).click();
  await expect(rows(page)).toHaveText([/third.*Until/]);
  await rows(page).first().click();
  await page.locator('.report-snooze').click();
  await page.getByRole('option', { name: 'Open it now' }).click();
  await expect(page.getByText(`Report #${third?.number}: open again`)).toBeVisible();
  await expect(tabs(page)).toHaveText(['Open 2', 'Mine 0', 'Snoozed 0', 'Done 1', 'Spam 0']);
});

test('BUG-8 BUG-9: an operator assigns, labels, notes and answers; the reporter reads it live and replies, which the operator sees live', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const own = await signIn(mia);
  const word = ownWord();
  const sent = await sendAs(own, {
    message: `${word} stays empty`,
    name: 'Mia Walker',
    email: mia.email,
  });
  const page = await signIn('operator', { at: `/reports?search=${word}&report=${sent.id}` });
  await expect(heading(page, sent.number)).toBeVisible();
  const talk = page.getByRole('list', { name: 'Conversation' });

  await page.keyboard.press('a');
  await expect(page.getByRole('combobox', { name: 'Find by name' })).toBeFocused();
  await expect(page.getByRole('option', { name: '(me)' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'assigned to' })).toBeVisible();
  await expect(tabs(page)).toHaveText(['Open 1', 'Mine 1', 'Snoozed 0', 'Done 0', 'Spam 0']);
  // The palette begins with what the open report can do.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('group', { name: 'Reports' }).getByRole('option').first()).toHaveText(/^Reply/);
  await page.keyboard.type('labels');
  await expect(page.getByRole('option', { name: /^Labels/ })).toHaveAttribute('data-at', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Find or add a label' })).toBeFocused();
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await expect(rows(page).first().getByText(word, { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.keyboard.type('She lacks a right.');
  await page.keyboard.press('Control+Enter');
  await expect(talk.getByRole('article')).toHaveText(/Internal note.*She lacks a right\./);

  // A draft survives a reload, and does not become a second message.
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await page.keyboard.type('It is there now.');
  await expect(page.getByText('Mia Walker sees this in My reports.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Reply' })).toHaveValue('It is there now.');
  const told = own
    .getByRole('status')
    .filter({ hasText: `Your report #${sent.number} has a reply and is now resolved` });
  // Both at once: each notification is shown for seconds only, unless it has the focus.
  await Promise.all([
    page.getByRole('button', { name: 'Send and resolve' }).click(),
    expect(
      page.getByRole('status').filter({ hasText: `Reply sent. Report #${sent.number}: Resolved` }),
    ).toBeVisible(),
    told.getByRole('button', { name: 'Show' }).focus(),
  ]);
  await expect(tabs(page)).toHaveText(['Open 0', 'Mine 0', 'Snoozed 0', 'Done 1', 'Spam 0']);

  await told.getByRole('button', { name: 'Show' }).click();
  const read = own.getByRole('list', { name: 'Conversation' });
  await expect(read).toContainText('It is there now.');
  await expect(read.getByText('New', { exact: true })).toBeVisible();
  await expect(read).toContainText('It is resolved.');
  await expect(own.getByText('She lacks a right.')).toHaveCount(0);
  await own.getByRole('textbox', { name: 'Your reply' }).fill('Not for my colleague.');
  await own.keyboard.press('Control+Enter');
  await expect(read.getByRole('article').last()).toContainText('Not for my colleague.');
  await expect(own.getByRole('textbox', { name: 'Your reply' })).toHaveValue('');

  await expect(talk.getByRole('article').last()).toContainText('Not for my colleague.');
  await expect(tabs(page)).toHaveText(['Open 1', 'Mine 1', 'Snoozed 0', 'Done 0', 'Spam 0']);
  await expect(rows(page).first()).toContainText('Needs a reply');
});

test('BUG-8: several reports are selected, changed at once, and changed back', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const sent: { id: string; number: number }[] = [];
  for (const which of ['first', 'second', 'third', 'fourth'])
    sent.push(await reports.send({ message: `${word} ${which}` }));
  const page = await signIn('operator', { at: `/reports?search=${word}` });
  const box = (place: number) =>
    page.getByRole('checkbox', { name: `Select report #${sent[place]?.number}` });
  const undo = page.getByRole('button', { name: 'Undo' });
  await box(3).check();
  await box(1).click({ modifiers: ['Shift'] });
  const tools = page.getByRole('toolbar', { name: 'Change the selected reports' });
  await expect(tools).toContainText('3 selected');
  await expectNoViolations(page, 'selected reports');

  // Another operator changes one of them first: that report stays as it is, and is counted.
  await page.route('**/v1/report-changes', async (route) => {
    await reports.setStatus(sent[2]?.id ?? '', 'triaged');
    await route.continue();
  });
  await tools.getByRole('button', { name: 'Status' }).click();
  await expect(page.getByText('Sets the status of 3 reports.')).toBeVisible();
  await page.getByRole('menuitemradio', { name: 'Closed' }).click();
  await expect(
    page.getByRole('alert').filter({ hasText: '2 reports: Closed' }).getByText('1 was changed'),
  ).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await expect(rows(page)).toHaveText([/third.*Triaged/, /first.*New/]);
  await undo.click();
  await expect(page.getByRole('status').filter({ hasText: 'Undone: 2 reports' })).toBeVisible();
  await expect(rows(page)).toHaveText([/fourth.*New/, /third.*Triaged/, /second.*New/, /first.*New/]);

  // By keyboard: the row, and the row above with Shift.
  await rows(page).nth(1).focus();
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('Shift+X');
  await expect(tools).toContainText('2 selected');

  await page.keyboard.press('?');
  await page.getByRole('switch', { name: 'Use single letters, digits and signs' }).press('Space');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await rows(page).first().focus();
  await page.keyboard.press('j');
  await expect(rows(page).first()).toBeFocused();
});

test('BUG-8: once a report is done the next one opens, where the operator has chosen so', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const [oldest, older, newest] = [
    await reports.send({ message: `${word} oldest` }),
    await reports.send({ message: `${word} older` }),
    await reports.send({ message: `${word} newest` }),
  ];
  const page = await signIn('operator', { at: `/reports?search=${word}&report=${newest.id}` });
  const status = page.locator('.inbox-pane').getByRole('button', { name: 'Status:' });
  await status.click();
  await page.getByRole('menuitemradio', { name: 'Triaged' }).click();
  await expect(page.getByText(`Report #${newest.number}: Triaged`)).toBeVisible();
  await status.click();
  await page.getByRole('menuitemradio', { name: 'Open the next report' }).click();
  await page.keyboard.press('e');
  await expect(page.getByText(`Report #${newest.number}: Resolved`)).toBeVisible();
  await expect(heading(page, older.number)).toBeFocused();

  // The setting stays after a reload, and applies to a reply that resolves.
  await page.reload();
  await expect(heading(page, older.number)).toBeVisible();
  // The next report is known once the list is loaded.
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('textbox', { name: 'Reply' }).fill('It works again.');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(heading(page, oldest.number)).toBeFocused();
  // Another status than a last one opens nothing, and neither does undoing.
  await page.keyboard.press('2');
  await expect(page.getByText(`Report #${oldest.number}: Triaged`)).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.getByText('Undone: 1 report')).toBeVisible();
  await expect(heading(page, oldest.number)).toBeVisible();
});

test('BUG-8: a picture is tried again when it could not be loaded, opens at full size, zooms, moves and can be saved', async ({
  reports,
  signIn,
}) => {
  const sent = await reports.send({
    message: 'Two pictures',
    attachments: [picture('first.png'), picture('second.png')],
  });
  const page = await signIn('operator', {
    at: `/reports?report=${sent.id}`,
    before: (opened) => opened.route('**/v1/files/*', (route) => route.abort()),
  });
  await expect(page.getByText('The picture could not be loaded.')).toHaveCount(2);
  await page.unrouteAll({ behavior: 'wait' });
  const failed = page.getByRole('region', { name: 'Report' }).getByRole('button', { name: 'Try again' });
  await failed.last().click();
  await failed.click();
  await page.setViewportSize({ width: 1000, height: 800 });
  const small = page.getByRole('button', { name: 'Open first.png at full size' });
  await expect(small.locator('img')).toBeVisible();
  await page.keyboard.press('p');
  await expect(viewer(page)).toContainText('Picture 1 of 2: first.png');
  const shown = viewer(page).getByRole('img', { name: 'first.png' });
  const left = async () => Math.round((await restingBox(shown)).x);
  const scale = async () => parseInt((await scaleOf(page).textContent()) ?? '', 10);

  // It fits as a whole, once it no longer moves.
  const fitted = await restingBox(shown);
  expect(fitted.x).toBeGreaterThanOrEqual(0);
  expect(fitted.x + fitted.width).toBeLessThanOrEqual(1000);
  const pressed = viewer(page).getByRole('button', { pressed: true });
  await expect(pressed).toHaveText(['Fit']);
  await page.keyboard.press('1');
  await expect(scaleOf(page)).toHaveText('100%');
  await expect.poll(async () => Math.round((await restingBox(shown)).width)).toBe(pictureWidth);

  const before = await left();
  await page.mouse.move(500, 500);
  await page.mouse.down();
  await page.mouse.move(440, 480);
  await page.mouse.up();
  await expect.poll(left).toBe(before - 60);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(left).toBe(before);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -40);
  await page.keyboard.up('Control');
  await expect(scaleOf(page)).toHaveText('149%');
  await page.keyboard.press('0');
  await expect.poll(() => restingBox(shown)).toEqual(fitted);
  // A frame that it fits into at its own size: one of the two, whichever was asked for.
  await page.setViewportSize({ width: 4000, height: 3000 });
  await expect(scaleOf(page)).toHaveText('100%');
  await expect(pressed).toHaveText(['Fit']);
  await page.keyboard.press('1');
  await expect(pressed).toHaveText(['100 %']);
  await page.keyboard.press('0');
  await page.setViewportSize({ width: 1000, height: 800 });

  await restingBox(shown);
  const unzoomed = await scale();
  const fingers = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    fingers.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd' ? [] : [-1, 1].map((side, id) => ({ x: 500 + side * apart, y: 420, id })),
    });
  await touch('touchStart', 50);
  await touch('touchMove', 75);
  await touch('touchMove', 100);
  await touch('touchEnd', 0);
  await expect.poll(async () => (await scale()) / unzoomed).toBeCloseTo(2, 1);

  const download = page.waitForEvent('download');
  await viewer(page).getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('first.png');
  await viewer(page).getByRole('button', { name: 'Next picture' }).click();
  await expect(viewer(page).getByRole('img', { name: 'second.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(small).toBeFocused();
});

test('BUG-8: what another operator has changed or deleted since is shown, and nothing is overwritten', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const sent = await reports.send({ message: `${word} changed twice` });
  const page = await signIn('operator', {
    at: `/reports?search=${word}&report=${sent.id}`,
    // A browser that receives no event finds out when it changes the report itself.
    before: (opened) => opened.route('**/v1/events*', (route) => route.abort()),
  });
  await expect(statusOf(page, 'New')).toBeVisible();
  // A list that is loaded later never holds it.
  await expect(rows(page)).toHaveCount(1);
  await reports.setStatus(sent.id, 'duplicate');

  await statusOf(page, 'New').click();
  await page.getByRole('menuitemradio', { name: 'Resolved' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'browser-tests@example.org has changed this report meanwhile: its status is Duplicate now.',
  );
  await expect(statusOf(page, 'Duplicate')).toBeFocused();
  await expect(rows(page).first()).toContainText('Duplicate');
  expect((await reports.read(sent.id)).status).toBe('duplicate');

  await statusOf(page, 'Duplicate').click();
  await page.getByRole('menuitemradio', { name: 'Resolved' }).click();
  await expect(statusOf(page, 'Resolved')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect.poll(async () => (await reports.read(sent.id)).status).toBe('resolved');

  await page.getByRole('button', { name: 'Delete report' }).click();
  await reports.remove(sent.id);
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: `Report #${sent.number} had already been deleted` }),
  ).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
});

test('BUG-8: a report is deleted by keyboard, and another operator who has it open sees that', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const page = await signIn('operator', { at: `/reports?search=${word}` });
  await reports.send({ message: `${word} first` });
  const second = await sendAs(page, { message: `${word} second`, attachments: [picture('seen.png')] });
  const third = await reports.send({ message: `${word} third` });
  const other = await page.context().newPage();
  await openInbox(other, `?search=${word}&report=${second.id}`);
  await expect(heading(other, second.number)).toBeVisible();
  await openInbox(page, `?search=${word}`);
  await rows(page).nth(1).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Delete report' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: `Delete report #${second.number}?` });
  await expect(dialog).toContainText(
    'This deletes what was written, 1 picture, the conversation and the history. This cannot be undone.',
  );
  await expect(dialog).toContainText('Its sender no longer finds it under “My reports”.');
  await expectNoViolations(page, 'the deletion of a report');
  // The focus does not begin on the button that cannot be undone.
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Delete report' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('status').filter({ hasText: `Report #${second.number} has been deleted` }),
  ).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText('first');
  await expect(rows(page).nth(1)).toBeFocused();
  await expect(page).not.toHaveURL(/report=/);

  // An operator who has it open sees that, whatever they do next; it is removed from the list once they leave
  // it.
  await statusOf(other, 'New').click();
  await other.getByRole('menuitemradio', { name: 'Resolved' }).click();
  const gone = other.getByRole('region', { name: `Report #${second.number}` });
  await expect(gone.getByRole('status')).toContainText('This report has been deleted');
  await expect(other.getByRole('alert')).toHaveCount(0);
  await gone.getByRole('button', { name: 'Close the report' }).click();
  await expect(rows(other)).toHaveCount(2);

  // On a phone the list takes the place of the report, and the focus goes there; the last one leaves it
  // empty.
  await page.setViewportSize({ width: 360, height: 740 });
  await rows(page).nth(1).click();
  await page.getByRole('button', { name: 'Delete report' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toBeFocused();
  await rows(page).first().click();
  await expect(heading(page, third.number)).toBeVisible();
  await page.getByRole('button', { name: 'Delete report' }).click();
  await page.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'No matching reports' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeFocused();
});

test('BUG-8: a list that could not be loaded still shows its last rows, new reports wait until the operator loads them, and the list does not move', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const old = await reports.send({ message: `${word} old` });
  const lists = /\/v1\/reports\?/;
  const page = await signIn('operator', {
    at: `/reports?search=${word}`,
    before: (opened) => opened.route(lists, (route) => route.fulfill({ status: 500, json: {} })),
  });
  await expect(page.getByRole('heading', { name: 'The reports could not be loaded' })).toBeVisible();
  await page.unroute(lists);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(rows(page)).toHaveCount(1);
  await page.route(lists, (route) => route.fulfill({ status: 500, json: {} }));
  await comeBack(page);
  await expect(page.getByText('The list could not be refreshed.')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await page.unroute(lists);

  await reports.send({ message: `${word} new` });
  await reports.send({ message: `${word} newest` });
  await reports.setStatus(old.id, 'triaged');
  await comeBack(page);
  const waiting = page.getByRole('button', { name: 'Show 2 new reports' });
  await expect(waiting).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  // The rows that are shown are up to date.
  await expect(rows(page).first()).toContainText('Triaged');
  await waiting.click();
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page).first()).toContainText('newest');
  await expect(rows(page).first()).toBeFocused();
  await expect(waiting).toHaveCount(0);
  await openInbox(page, '?report=nothing');
  await expect(page.getByRole('heading', { name: 'Report not found' })).toBeVisible();
});

test('BUG-8 LOOK-1: a long list is shown page by page, and on a phone a report has its own address and "back" finds the list where it was', async ({
  reports,
  signIn,
}) => {
  const word = ownWord();
  const sent = [];
  for (let count = 1; count <= 52; count += 1)
    sent.push(await reports.send({ message: `${word} number ${count}.` }));
  const page = await signIn('operator', { at: `/reports?search=${word}` });
  await expect(rows(page)).toHaveCount(50);
  await rows(page).last().focus();
  await page.keyboard.press('j');
  const more = page.getByRole('button', { name: 'Show more' });
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(52);
  await expect(rows(page).nth(50)).toBeFocused();
  await expect(more).toHaveCount(0);

  await page.setViewportSize({ width: 360, height: 640 });
  await rows(page).nth(10).scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  await expect.poll(scrollY).toBeGreaterThan(0);
  await settled(page);
  const scrolled = await scrollY();
  await rows(page).nth(10).click();
  await expect(heading(page, sent[41]?.number ?? 0)).toBeFocused();
  await expect(rows(page)).toHaveCount(0);
  await expect.poll(scrollY).toBe(0);
  await page.goBack();
  await expect(rows(page).nth(10)).toBeFocused();
  await expect.poll(scrollY).toBe(scrolled);
  await rows(page).nth(10).click();
  await page.getByRole('button', { name: 'All reports' }).click();
  await expect(rows(page).nth(10)).toBeFocused();
});

test('BUG-9 LOOK-1: the sender sees the status of a report, on the home screen, where it moves no text, and in "My reports"', async ({
  api,
  reports,
  signIn,
}) => {
  const page = await signIn(await api.person('Mia', ['member']), { at: '/my-reports' });
  await expect(page.getByRole('heading', { name: 'You have not reported anything yet' })).toBeVisible();
  const sent = [];
  for (const which of ['first', 'second', 'third', 'fourth'])
    sent.push(await sendAs(page, { message: `The ${which}\nwith a second line` }));
  const fourth = sent[3] ?? { id: '', number: 0 };
  await reports.setStatus(fourth.id, 'triaged');

  const moved = await watchShifts(page);
  const recent = page.getByRole('region', { name: 'Your reports' });
  // They are loaded once everything else is there.
  let rest = Promise.withResolvers<void>();
  await page.route(/\/v1\/users\/current\/reports/, async (route) => {
    await rest.promise;
    await route.continue();
  });
  for (const width of [360, 1440]) {
    rest = Promise.withResolvers();
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
    await expect(page.getByRole('button', { name: 'Report a Bug' })).toBeVisible();
    rest.resolve();
    await expect(recent.getByRole('listitem')).toHaveText([/The fourth.*Triaged/, /The third/, /The second/]);
    await settled(page);
    expect(await moved(), `at ${width}`).toEqual([]);
  }

  await page.getByRole('link', { name: 'My reports' }).first().click();
  const own = page.locator('details');
  await expect(own).toHaveCount(4);
  await own.first().locator('summary').click();
  await expect(page).toHaveURL(new RegExp(`report=${fourth.id}`));
  await expect(own.first().locator('.report-message').first()).toHaveText('The fourth\nwith a second line');
  await reports.setStatus(fourth.id, 'in-progress');
  await comeBack(page);
  await expect(own.first().locator('summary')).toContainText('In progress');
  await expect(own.first().getByRole('listitem').filter({ hasText: 'In progress' })).toBeVisible();

  await page.getByRole('link', { name: 'Home' }).first().click();
  await reports.answer(fourth.id, 'It works again.', 'It was the cache.');
  await comeBack(page);
  await expect(recent.getByRole('listitem').first()).toContainText('New reply');
  await recent.getByRole('link', { name: /The fourth/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My reports' })).toBeVisible();
  await expect(own.first()).toHaveAttribute('open', '');
  // The list shows what it knew before; a reply counts as seen once it is on the screen.
  await expect(own.first()).toContainText('It works again.');
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(recent.getByRole('listitem').first()).toContainText('In progress');
  await expect(recent).not.toContainText('New reply');
});

test('LOOK-1 LOOK-2: the inbox, a report, its picture and "My reports" are accessible and fit', async ({
  api,
  reports,
  signIn,
}) => {
  const page = await signIn(await api.person('Olga', ['operator']));
  const { id } = await sendAs(page, {
    message: `A long word: ${'x'.repeat(300)}`,
    name: 'Olga Walker',
    email: 'olga@example.org',
    url: `https://app.example.org/${'a-long-address/'.repeat(20)}`,
    tags: { area: 'everything' },
    attachments: [picture('wide.png')],
  });
  await reports.setStatus(id, 'triaged');
  await reports.snooze(id);
  await reports.send({ message: 'Another one' });
  await reports.answer(id, `Thank you for ${'everything'.repeat(20)}`, 'Only for operators.');
  const thumbnail = page.getByRole('button', { name: 'Open wide.png at full size' });
  // Only a phone shows the list alone.
  await openInbox(page);
  await expect(rows(page).first()).toBeVisible();
  await expectAccessibleAt(page, 'list', [320]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openInbox(page, `?report=${id}`);
  await expect(thumbnail.locator('img')).toBeVisible();
  await expect(page.locator('.report-snooze')).toBeVisible();
  await expectAccessibleAt(page, 'report', [320, 1440]);
  await thumbnail.click();
  await expect(viewer(page).getByRole('img')).toBeVisible();
  await expectAccessibleAt(page, 'picture', [1440, 320]);
  await page.goto(`/my-reports?report=${id}`);
  await expect(thumbnail.locator('img')).toBeVisible();
  await expectAccessibleAt(page, 'my reports', [320, 1440]);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your reports' })).toBeVisible();
  await expectAccessibleAt(page, 'home', [320]);
});
