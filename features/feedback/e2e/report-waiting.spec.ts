import { expectNoViolations } from '#e2e/accessible.ts';
import { createCutNetwork } from '#e2e/cut-network.ts';
import { expect, test } from '#e2e/fixtures.ts';
import { operator } from '#e2e/installation.ts';
import {
  addPicture,
  description,
  form,
  inboxOf,
  storedDraftKeys,
  message,
  openForm,
  send,
  signInAt,
  thanks,
  formAlert,
  trigger,
  wire,
  write,
} from './report-form.ts';

const unreachable = /Unable to send Feedback\. This is because of network issues/;

test('BUG-5: what could not be sent waits, is visible, survives the tab, and is sent once, by one of several tabs', async ({
  browser,
  start,
}) => {
  const network = await createCutNetwork(start);
  const { installation } = network;
  const context = await browser.newContext();
  const page = await signInAt(context, { ...installation, url: network.url }, operator);
  const corner = page.locator('.report-waiting');

  await test.step('two reports are sent without a network, which was there until the form was downloaded at rest', async () => {
    await expect.poll(() => page.evaluate(downloaded)).toBe(true);
    await context.setOffline(true);
    await write(page);
    await addPicture(page);
    await send(page).click();
    await expect(formAlert(page)).toContainText(unreachable);
    await expect(formAlert(page)).toContainText('sent automatically as soon as the server can be reached');
    await page.keyboard.press('Escape');
    await expect(corner).toHaveText('1 report waiting');
    await expect(corner).toHaveRole('status');
    await expect(trigger(page)).toHaveAccessibleDescription('1 report waiting');
    await expect(trigger(page)).toHaveAccessibleName('Report a Bug');
    await openForm(page);
    await expect(description(page)).toHaveValue('');
    await expect(form(page).getByRole('region', { name: '1 report has not arrived yet' })).toContainText(
      message,
    );
    await description(page).fill('And the map is white.');
    await send(page).click();
    await expect(formAlert(page)).toContainText(unreachable);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectNoViolations(page, `reports that wait, ${colorScheme}`, { within: 'dialog' });
    }
    await page.keyboard.press('Escape');
    await expect(corner).toHaveText('2 reports waiting');
    await expect.poll(() => storedDraftKeys(page)).toHaveLength(2);
    // The browser's own page for this loads the address again by itself, at times past what is emulated: from
    // here on pages may load, and reports do not arrive.
    network.cut('before the request');
    await expect(page.reload()).rejects.toThrow(/INTERNET_DISCONNECTED/);
  });

  await context.setOffline(false);
  const tries = network.count();
  await page.goto(network.url);
  await expect.poll(network.count).toBeGreaterThan(tries);
  await expect(corner).toHaveText('2 reports waiting');
  await page.close();

  const next = await context.newPage();
  const second = await context.newPage();
  for (const tab of [next, second]) {
    await tab.goto(network.url);
    await expect(tab.locator('.report-waiting')).toHaveText('2 reports waiting');
  }
  const inbox = inboxOf(installation);
  expect(await inbox.from(operator.email)).toEqual([]);

  network.cut(null);
  for (const tab of [next, second]) await tab.evaluate(() => window.dispatchEvent(new Event('online')));
  // Both at once: the notification is shown for seconds only.
  await Promise.all(
    [next, second].map((tab) =>
      expect(
        tab.getByRole('status').filter({ hasText: /waiting reports? ha(?:s|ve) been sent/ }),
      ).toBeVisible(),
    ),
  );
  for (const tab of [next, second]) await expect(tab.locator('.report-waiting')).toBeEmpty();
  expect(network.passed()).toBe(2);
  const reports = await inbox.from(operator.email);
  expect(reports.map((report) => report.message).toSorted()).toEqual(['And the map is white.', message]);
  expect(reports.map(({ attachments }) => attachments.length).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(await storedDraftKeys(next)).toEqual([]);
  await context.close();
  await network.close();
});

/** Whether the form and its part for pictures are there; runs in the page. */
function downloaded(): boolean {
  const names = performance.getEntriesByType('resource').map(({ name }) => name);
  return ['/lazy-report-bug-', '/screenshot-'].every((part) =>
    names.some((name) => name.includes(part) && name.endsWith('.js')),
  );
}

test('BUG-5: what the server refuses for good is reported, and can be opened, corrected or discarded', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  const corner = page.locator('.report-waiting');
  const letWait = async (text: string) => {
    await page.route(wire, (route) => route.abort('connectionreset'));
    await write(page, text);
    await send(page).click();
    await expect(formAlert(page)).toContainText(unreachable);
    await page.keyboard.press('Escape');
    await expect(corner).toHaveText('1 report waiting');
    await page.unroute(wire);
  };

  await letWait(message);
  const errors = [{ pointer: '/email', code: 'format', message: 'is no address' }];
  await page.route(wire, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'x', status: 422, code: 'INVALID_BODY', errors },
    }),
  );
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(corner).toHaveText('1 report not accepted');
  await page.unroute(wire);
  const news = page.getByRole('alert').filter({ hasText: 'Unable to send Feedback' });
  await expect(news).toContainText('This is not an email address');
  await news.getByRole('button', { name: 'Report a Bug' }).click();
  await expect(description(page)).toHaveValue(message);
  await expect(formAlert(page)).toContainText('This is not an email address');
  await page.keyboard.press('Escape');
  await expect(corner).toHaveText('1 report not accepted');
  // A page that ends before the database has it leaves the draft, which the next page sends again.
  await expect.poll(() => storedDraftKeys(page)).toEqual([[0, mia.id, expect.any(String)]]);

  // Also on the next page, which does not retry it.
  let tries = 0;
  await page.route(wire, (route) => {
    tries += 1;
    return route.continue();
  });
  await page.reload();
  await expect(corner).toHaveText('1 report not accepted');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await openForm(page);
  await form(page)
    .getByRole('button', { name: `Open: ${message}` })
    .click();
  await expect(formAlert(page)).toContainText('This is not an email address');
  expect(tries).toBe(0);
  await description(page).fill('Corrected.');
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  await expect(corner).toBeEmpty();
  expect((await inboxOf(installation).from(mia.email)).map((report) => report.message)).toEqual([
    'Corrected.',
  ]);
  await page.unroute(wire);

  await letWait('To be thrown away.');
  await openForm(page);
  const discard = form(page).getByRole('button', { name: 'Discard: To be thrown away.' });
  await discard.click();
  const question = page.getByRole('dialog', { name: 'Discard this report?' });
  await expect(question).toContainText('cannot be restored');
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(form(page).getByRole('region', { name: /not arrived yet/ })).toHaveCount(0);
  await expect.poll(() => storedDraftKeys(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(corner).toBeEmpty();
  expect(await inboxOf(installation).from(mia.email)).toHaveLength(1);
});
