import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page, Route } from '@playwright/test';
import type { FullReport, ReportSummary } from '@portico/contract/feedback';
import { expectNoViolations } from './accessible.ts';
import { expect, fillSignIn, stands, test as base, watch } from './fixtures.ts';
import { operator, startHouse, type House } from './house.ts';

const message = 'The list of flags stays empty.';
const undetermined = 'Unable to determine if Feedback was correctly sent.';
const network =
  'Unable to send Feedback. This is because of network issues, or because you are using an ad-blocker.';
const domain =
  'Unable to send Feedback. This could be because this domain is not in your list of allowed domains.';
const other =
  'Unable to send Feedback. This could be because of network issues, or because you are using an ad-blocker.';
const thanks = 'Thank you for your report!';

const wire = '**/v1/feedback';

const test = base.extend<{ newHouse: (settings: Record<string, string>) => Promise<House> }>({
  newHouse: async ({ playwright: _playwright }, provide) => {
    const houses: House[] = [];
    await provide(async (settings) => {
      const account = { OPERATOR_EMAIL: operator.email, OPERATOR_PASSWORD: operator.password };
      const house = await startHouse({ ...account, ...settings });
      houses.push(house);
      return house;
    });
    for (const house of houses) await house.stop();
  },
});

const trigger = (page: Page) => page.getByRole('button', { name: 'Report a Bug' });
const form = (page: Page) => page.getByRole('dialog', { name: 'Report a Bug' });
const description = (page: Page) => form(page).getByLabel('Description');
const send = (page: Page) => form(page).getByRole('button', { name: 'Send Bug Report' });
const thanked = (page: Page) => page.getByRole('status').filter({ hasText: thanks });
const told = (page: Page) => form(page).getByRole('alert');

async function openForm(page: Page): Promise<void> {
  await trigger(page).click();
  await expect(form(page)).toBeVisible();
}

async function write(page: Page, text = message): Promise<void> {
  await openForm(page);
  await description(page).fill(text);
}

/** A picture of the page, chosen as a file and kept with the draft. */
async function addPicture(page: Page): Promise<void> {
  await choosePicture(page);
  await expect.poll(() => keptIn(page)).toHaveLength(2);
}

async function choosePicture(page: Page): Promise<void> {
  const buffer = await page.screenshot();
  await form(page).getByRole('button', { name: 'Add a screenshot' }).click();
  await form(page)
    .getByLabel('Choose a picture')
    .first()
    .setInputFiles({ name: 'seen.png', mimeType: 'image/png', buffer });
  await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
}

const readers = new WeakMap<House, string>();

function readerOf(house: House): string {
  const words = ['--name', 'inbox', '--expires', '1d', '--as', operator.email, '--rights', 'REPORTS_READ'];
  const token = readers.get(house) ?? (house.portico('token', 'create', ...words) as { token: string }).token;
  readers.set(house, token);
  return token;
}

/** What the house has stored, as an operator reads it. */
function inboxOf(house: House) {
  const token = readerOf(house);
  async function read<T>(path: string): Promise<T> {
    const response = await fetch(house.url + path, { headers: { authorization: `Bearer ${token}` } });
    return (await response.json()) as T;
  }
  return {
    async from(email: string): Promise<FullReport[]> {
      const { reports } = await read<{ reports: ReportSummary[] }>('/v1/reports?limit=200');
      const own = reports.filter((report) => report.email === email);
      return Promise.all(own.map(({ id }) => read<FullReport>(`/v1/reports/${id}`)));
    },
  };
}

/** Nothing that was written is lost: not at once, and not by a reload. */
async function expectNothingLost(page: Page, text = message): Promise<void> {
  await expect(description(page)).toHaveValue(text);
  // A browser that has much to do may take a while to make its first database; before, nothing can be on disk.
  await expect.poll(() => keptMessages(page)).toContain(text);
  await page.reload();
  await expect(description(page)).toHaveValue(text);
}

test.describe('BUG-4: what comes of sending', () => {
  test('§8 widget: Thank you for your report!', async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await page.goto(`${house.url}/?page=2#fragment`);
    await page.clock.install();
    await openForm(page);
    await expect(form(page).getByLabel('Email')).toHaveValue(mia.email);
    await expect(form(page).getByLabel('Email')).toHaveAttribute('type', 'email');
    await expect(form(page).getByLabel('Name')).toHaveValue('Mia Walker');
    await expect(description(page)).toHaveAttribute('rows', '5');
    await expect(form(page).getByText('Description (required)')).toBeVisible();
    await description(page).fill(`  ${message}\n`);
    await page.clock.pauseAt(Date.now() + 60_000);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    await expect(form(page)).toHaveCount(0);
    await expect(trigger(page)).toHaveCount(0);
    await page.mouse.move(5, 5);
    await page.clock.runFor(4999);
    await expect(thanked(page)).toBeVisible();
    await page.clock.runFor(1);
    await expect(thanked(page)).toHaveCount(0);
    await expect(trigger(page)).toBeFocused();

    const [report, ...more] = await inboxOf(house).from(mia.email);
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      message,
      name: 'Mia Walker',
      source: 'widget',
      url: `${house.url}/?page=2`,
      reporterId: mia.id,
      context: { timeZone: expect.stringMatching(/./) as unknown, viewport: '1280 × 720 @1' },
    });
    await openForm(page);
    await expect(description(page)).toHaveValue('');
  });

  test('§8 widget: Please enter in the following required fields: ', async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await write(page, ' \n ');
    await send(page).click();
    await expect(told(page)).toHaveText('Please enter in the following required fields: Description');
    await expect(form(page).locator('.report-problem')).toBeFocused();
    await expect(description(page)).toHaveAttribute('aria-invalid', 'true');
    await description(page).fill(message);
    await form(page).getByLabel('Email').fill('mia at home');
    await send(page).click();
    await expect(told(page)).toHaveText(/not an email address/);
    await expect(form(page).getByLabel('Email')).toBeFocused();
    expect(await inboxOf(house).from(mia.email)).toEqual([]);
  });

  test(`§8 widget: ${network}`, async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await write(page);
    await page.context().setOffline(true);
    await send(page).click();
    await expect(told(page)).toContainText(network);
    await expect(form(page).locator('.report-problem')).toBeFocused();
    await page.context().setOffline(false);
    await expectNothingLost(page);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });

  test(`§8 widget: ${domain}`, async ({ browser, newHouse }) => {
    const house = await newHouse({ FEEDBACK_ORIGINS: 'https://elsewhere.example.org' });
    const page = await signInAt(await browser.newContext(), house, operator);
    await write(page);
    const answer = page.waitForResponse(wire);
    await send(page).click();
    expect((await answer).status()).toBe(403);
    await expect(told(page)).toContainText(domain);
    await expectNothingLost(page);
    await page.context().close();
  });

  test(`§8 widget: ${other}`, async ({ browser, newHouse }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'portico-e2e-'));
    const house = await newHouse({ DATA_DIR: dataDir });
    const page = await signInAt(await browser.newContext(), house, operator);
    await write(page);
    await addPicture(page);
    // The disk is in trouble: where pictures are kept no picture can be kept.
    const files = join(dataDir, 'files');
    rmSync(files, { recursive: true, force: true });
    writeFileSync(files, '');
    const answer = page.waitForResponse(wire);
    await send(page).click();
    expect((await answer).status()).toBe(500);
    await expect(told(page)).toContainText(other);
    await expectNothingLost(page);
    await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();

    rmSync(files);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    const [report, ...more] = await inboxOf(house).from(operator.email);
    expect(more).toEqual([]);
    expect(report?.attachments).toHaveLength(1);
    await page.context().close();
    rmSync(dataDir, { recursive: true });
  });

  test(`§8 widget: ${undetermined}`, async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await page.clock.install();
    const held = await hold(page);
    await write(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await send(page).click();
    await held.arrived;
    await page.clock.runFor(4900);
    await expect(told(page)).toHaveCount(0);
    await page.clock.runFor(100);
    await expect(told(page)).toContainText(undetermined);
    await page.clock.resume();

    // The request goes on, and pressing again sends nothing twice.
    await send(page).click();
    await expect(told(page)).toHaveCount(0);
    await held.release();
    await expect(thanked(page)).toBeVisible();
    expect(held.count()).toBe(1);
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });

  test('BUG-4: a late failure becomes its message, a late success after the form was put away is told too', async ({
    backstage,
    house,
    signIn,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await page.clock.install();
    const lost = await hold(page);
    await write(page);
    await send(page).click();
    await lost.arrived;
    await page.clock.fastForward(5000);
    await expect(told(page)).toContainText(undetermined);
    await lost.lose();
    await expect(told(page)).toContainText(network);

    const late = await hold(page);
    await send(page).click();
    await late.arrived;
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(form(page)).toHaveCount(0);
    await late.release();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });

  test('BUG-4 NOTE-1: a failure after the form was put away is told, and leads back to it', async ({
    backstage,
    signIn,
  }) => {
    const page = await signIn(await backstage.person('Mia', ['member']));
    const held = await hold(page);
    await write(page);
    await send(page).click();
    await held.arrived;
    await page.keyboard.press('Escape');
    await expect(form(page)).toHaveCount(0);
    await held.lose();
    const notification = page.getByRole('alert').filter({ hasText: network });
    await expect(notification).toBeVisible();
    await notification.getByRole('button', { name: 'Report a Bug' }).click();
    await expect(description(page)).toHaveValue(message);
    await expect(notification).toHaveCount(1);
    await expect(told(page)).toContainText(network);
  });

  test('BUG-4: a double press sends one report', async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await write(page);
    await send(page).dblclick();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });

  test('BUG-4 BUG-5: what the server finds wrong is said in words, and a lost answer is not a second report', async ({
    backstage,
    house,
    signIn,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    // It is stored, and the answer gets lost on its way back.
    await page.route(wire, async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await write(page);
    await send(page).click();
    await expect(told(page)).toContainText(network);
    await page.unroute(wire);
    await page.reload();
    await expect(description(page)).toHaveValue(message);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);

    await page.route(wire, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '120', 'content-type': 'application/problem+json' },
        body: JSON.stringify({ type: 'about:blank', title: 'x', status: 429, code: 'TOO_MANY_REQUESTS' }),
      }),
    );
    await write(page, 'Once more.');
    await send(page).click();
    await expect(told(page)).toContainText(other);
    await expect(told(page)).toContainText('Try again in 2 mins.');
    await expectNothingLost(page, 'Once more.');
  });
});

test.describe('BUG-5: nothing is lost', () => {
  test('BUG-5: Cancel, Escape, a reload and the end of the tab keep words and picture', async ({
    backstage,
    house,
    signIn,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await write(page);
    await form(page).getByLabel('Name').fill('Mia from the first floor');
    await addPicture(page);
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(form(page)).toHaveCount(0);
    await expect(trigger(page)).toBeFocused();
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await description(page).press('End');
    await page.keyboard.type(' Always');
    // No time to wait for anything.
    await page.reload();
    await expect(description(page)).toHaveValue(`${message} Always`);
    await description(page).fill(`${message} Sometimes`);
    await page.close();

    const next = await page.context().newPage();
    await next.goto(house.url);
    await openForm(next);
    await expect(description(next)).toHaveValue(`${message} Sometimes`);
    await expect(form(next).getByLabel('Name')).toHaveValue('Mia from the first floor');
    await expect(form(next).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await next.keyboard.press('Escape');
    await expect(form(next)).toHaveCount(0);
    await openForm(next);
    await expect(description(next)).toHaveValue(`${message} Sometimes`);
    await expect(form(next).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await send(next).click();
    await expect(thanked(next)).toBeVisible();
    const [report] = await inboxOf(house).from(mia.email);
    expect(report).toMatchObject({ message: `${message} Sometimes`, name: 'Mia from the first floor' });
    expect(report?.attachments).toHaveLength(1);
    await next.reload();
    await openForm(next);
    await expect(description(next)).toHaveValue('');
  });

  test('BUG-5: a session that expires keeps the draft for its person, and nobody else sees it', async ({
    backstage,
    browser,
    house,
  }) => {
    const [mia, bob] = await Promise.all([
      backstage.person('Mia', ['member']),
      backstage.person('Bob', ['member']),
    ]);
    const context = await browser.newContext();
    const page = await signInAt(context, house, mia);
    await write(page);
    await addPicture(page);
    await context.clearCookies();
    await page.goto(house.url);
    await fillSignIn(page, bob);
    await openForm(page);
    await expect(form(page).getByLabel('Name')).toHaveValue('Bob Walker');
    await expect(description(page)).toHaveValue('');
    await expect(form(page).getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
    await page.keyboard.press('Escape');

    await context.clearCookies();
    await page.goto(house.url);
    await fillSignIn(page, mia);
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await context.close();
  });

  test('BUG-5: a session that has ended when the report is sent loses nothing, and the form is there again', async ({
    backstage,
    browser,
    house,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const context = await browser.newContext();
    const page = await signInAt(context, house, mia);
    await write(page);
    await context.clearCookies();
    await page.route(wire, (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: JSON.stringify({ type: 'about:blank', title: 'x', status: 401, code: 'TOKEN_EXPIRED' }),
      }),
    );
    await send(page).click();
    await fillSignIn(page, mia);
    await page.unroute(wire);
    await expect(description(page)).toHaveValue(message);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
    await context.close();
  });

  test('BUG-5: a sign-out forgets the draft, also before the form was opened again', async ({
    backstage,
    browser,
    house,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const context = await browser.newContext();
    const page = await signInAt(context, house, mia);
    await write(page);
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Account of Mia Walker' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await fillSignIn(page, mia);
    await openForm(page);
    await expect(description(page)).toHaveValue('');
    await expect.poll(() => keptIn(page)).toEqual([]);
    expect(await lastWordsIn(page)).toEqual([]);
    await context.close();
  });

  test('BUG-5: of two tabs the last edit wins, and what one has sent the other does not send', async ({
    backstage,
    house,
    signIn,
  }) => {
    const mia = await backstage.person('Mia', ['member']);
    const first = await signIn(mia);
    const second = await first.context().newPage();
    await second.goto(house.url);
    await write(first, 'First');
    await addPicture(first);
    await openForm(second);
    await expect(description(second)).toHaveValue('First');
    await expect(form(second).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await description(second).fill('Second');
    await expect(description(first)).toHaveValue('Second');
    await send(first).click();
    await expect(thanked(first)).toBeVisible();
    await expect(form(second)).toHaveCount(0);
    await openForm(second);
    await expect(description(second)).toHaveValue('');
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });

  test('BUG-5: where there is no room for the picture the words are kept', async ({ backstage, signIn }) => {
    const page = await signIn(await backstage.person('Mia', ['member']));
    await page.evaluate(() => {
      const { put } = IDBObjectStore.prototype;
      IDBObjectStore.prototype.put = function (value: unknown, key) {
        if (value instanceof Blob) throw new DOMException('full', 'QuotaExceededError');
        return put.call(this, value, key);
      };
    });
    await write(page);
    await choosePicture(page);
    await description(page).fill(`${message} Always.`);
    await page.reload();
    await expect(description(page)).toHaveValue(`${message} Always.`);
  });

  test('BUG-5: what is typed while the storage is busy survives a reload', async ({
    backstage,
    house,
    signIn,
  }) => {
    const page = await signIn(await backstage.person('Mia', ['member']));
    await write(page);
    await addPicture(page);

    const release = await holdDrafts(page, house);
    await description(page).fill(`${message} Always.`);
    await page.reload();
    await release();
    await expect(description(page)).toHaveValue(`${message} Always.`);
    await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await expect.poll(() => lastWordsIn(page)).toEqual([]);
  });

  for (const moment of ['before it is sent', 'when it has been sent'] as const)
    test(`BUG-5: what was sent does not come back where the storage is busy from ${moment}`, async ({
      backstage,
      house,
      signIn,
    }) => {
      const page = await signIn(await backstage.person('Mia', ['member']));
      await write(page);
      await addPicture(page);
      let release = async () => {};
      if (moment === 'before it is sent') release = await holdDrafts(page, house);
      else
        await page.route('**/v1/feedback', async (route) => {
          release = await holdDrafts(page, house);
          await route.continue();
        });
      await send(page).click();
      await expect(thanked(page)).toBeVisible();
      await page.reload();
      await release();
      await openForm(page);
      await expect.poll(() => keptIn(page)).toEqual([]);
      await expect(description(page)).toHaveValue('');
      await expect(form(page).getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
      expect(await lastWordsIn(page)).toEqual([]);
    });

  test('BUG-5: without storage it works all the same', async ({ backstage, house, signIn }) => {
    const mia = await backstage.person('Mia', ['member']);
    const page = await signIn(mia);
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { get: () => undefined }));
    await page.reload();
    await write(page);
    await page.keyboard.press('Escape');
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await send(page).click();
    await expect(thanked(page)).toBeVisible();
    expect(await inboxOf(house).from(mia.email)).toHaveLength(1);
  });
});

test('BUG-1: a form that cannot be downloaded says so, and can be tried again', async ({
  backstage,
  signIn,
}) => {
  const page = await signIn(await backstage.person('Mia', ['member']));
  await page.route('**/assets/late-report-bug-*', (route) => route.abort());
  await trigger(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The form could not be loaded' })).toBeVisible();
  await expect(trigger(page)).toBeFocused();
  await page.unroute('**/assets/late-report-bug-*');
  await openForm(page);
});

test('BUG-7: what is sent along is shown, and left out where the person wants it', async ({
  backstage,
  house,
  signIn,
}) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await write(page);
  await form(page).getByText('What is sent along').click();
  await expect(form(page).getByText(`${house.url}/`, { exact: true })).toBeVisible();
  for (const part of ['Release', 'Browser', 'Window size', 'Language', 'Time zone', 'Time'])
    await expect(
      form(page)
        .getByRole('checkbox', { name: new RegExp(`^${part}`) })
        .first(),
    ).toBeChecked();
  await form(page)
    .getByRole('checkbox', { name: /^Browser/ })
    .uncheck();
  await form(page)
    .getByRole('checkbox', { name: /^Address/ })
    .uncheck();
  await send(page).click();
  await expect(thanked(page)).toBeVisible();
  const [report] = await inboxOf(house).from(mia.email);
  expect(report?.url).toBe('');
  expect(Object.keys(report?.context ?? {}).toSorted()).toEqual([
    'language',
    'release',
    'time',
    'timeZone',
    'viewport',
  ]);
});

test('BUG-1 LOOK-2: by keyboard alone, with the focus in the form and back', async ({
  backstage,
  house,
  signIn,
}) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await trigger(page).focus();
  await page.keyboard.press('Enter');
  await expect(description(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(trigger(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(description(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(form(page).getByLabel('Name')).toBeFocused();
  // An empty form, sent from a field.
  await page.keyboard.press('Enter');
  await expect(form(page).locator('.report-problem')).toBeFocused();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab');
  await expect(description(page)).toBeFocused();
  await page.keyboard.type(message);
  // Nothing leads out of the form.
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    expect(
      await form(page).evaluate(
        (element) =>
          document.hasFocus() &&
          !element.contains(document.activeElement) &&
          document.activeElement !== document.body,
      ),
    ).toBe(false);
  }
  await send(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.report-thanks')).toBeFocused();
  await expect(trigger(page)).toBeFocused();
  expect((await inboxOf(house).from(mia.email)).map((report) => report.message)).toEqual([message]);
});

test('NOTE-1: a notification stays reachable above the open form', async ({ backstage, signIn }) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await write(page);
  await backstage.setRoles(mia.id, ['member', 'support']);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const warning = page.getByRole('alert').filter({ hasText: 'Reload' });
  await expect(warning).toBeVisible();
  await warning.getByRole('button', { name: 'Close' }).click();
  await expect(warning).toHaveCount(0);
  await expect(description(page)).toHaveValue(message);
});

test('LOOK-2 BUG-1: the trigger and the form are accessible in light and dark, fit 320 px and cover nothing', async ({
  backstage,
  house,
  signIn,
}) => {
  const page = await signIn('operator');
  const name = `LONG_LIST_${Date.now()}`;
  for (let index = 0; index < 40; index += 1) await backstage.createFlag(`${name}_${index}`);
  await backstage.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'MEDIUM' });
  for (const [width, height] of [
    [1280, 720],
    [360, 740],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${house.url}/flags`);
    await expect(page.getByRole('row', { name: new RegExp(`${name}_`) })).toHaveCount(40);
    const last = page.getByRole('row').last();
    await stands(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(trigger(page)).toBeInViewport({ ratio: 1 });
    const room = async () => {
      const [row, button] = await Promise.all([last.boundingBox(), trigger(page).boundingBox()]);
      return (button?.y ?? 0) - (row?.y ?? 0) - (row?.height ?? 0);
    };
    await expect.poll(room, `below the last row at ${width} px`).toBeGreaterThanOrEqual(0);
  }

  await openForm(page);
  await send(page).click();
  await form(page).getByText('What is sent along').click();
  await form(page).getByLabel('Email').fill('nobody');
  await send(page).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectNoViolations(page, colorScheme);
  }
  const wide = () => form(page).evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(wide).toBe(0);

  // A page at 400 %, or what a keyboard leaves of a phone.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(form(page), 'the form has heard of it').toHaveAttribute('data-low');
  await send(page).scrollIntoViewIfNeeded();
  await expect(send(page)).toBeInViewport({ ratio: 1 });
  await description(page).scrollIntoViewIfNeeded();
  await expect(description(page)).toBeInViewport();
});

test("LOOK-2: a phone's keyboard covers neither the buttons nor what is typed", async ({
  backstage,
  signIn,
}) => {
  const page = await signIn(await backstage.person('Mia', ['member']));
  await page.setViewportSize({ width: 360, height: 740 });
  await write(page);
  // As a phone tells it: the page keeps its height, and less of it is seen.
  await page.evaluate(() => {
    const seen = window.visualViewport;
    Object.defineProperty(seen, 'height', { value: 440 });
    seen?.dispatchEvent(new Event('resize'));
  });
  const bottom = async () => {
    const box = await send(page).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(440);
  await description(page).scrollIntoViewIfNeeded();
  await expect.poll(async () => (await description(page).boundingBox())?.y).toBeLessThan(440);
  await expect(form(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});

/** Holds the next report on its way, as a slow network does. */
async function hold(page: Page) {
  const arrived = Promise.withResolvers<Route>();
  let count = 0;
  const take = (route: Route) => {
    count += 1;
    arrived.resolve(route);
  };
  await page.route(wire, take);
  async function end(how: (route: Route) => Promise<void>): Promise<void> {
    await how(await arrived.promise);
    await page.unroute(wire, take);
  }
  return {
    arrived: arrived.promise,
    count: () => count,
    release: () => end((route) => route.continue()),
    lose: () => end((route) => route.abort('connectionreset')),
  };
}

/** For a browser of one's own, or a house of one's own. */
async function signInAt(
  context: BrowserContext,
  house: House,
  account: { email: string; password: string },
): Promise<Page> {
  watch(context);
  const page = await context.newPage();
  await page.goto(house.url);
  await fillSignIn(page, account);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  return page;
}

/** The words of the drafts that this browser keeps. */
function keptMessages(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('portico-feedback');
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('drafts').objectStore('drafts').getAll();
          asking.addEventListener('success', () => {
            opening.result.close();
            resolve(asking.result.map((kept: { message?: unknown }) => kept.message));
          });
        });
        opening.addEventListener('error', () => reject(new Error('no drafts')));
      }),
  );
}

/** The names under which this browser keeps words beside its database. */
/** Another page holds the table, as a slow disk would: whatever waits for it ends with the page that waits. Answers the release. */
async function holdDrafts(page: Page, { url }: House): Promise<() => Promise<void>> {
  const busy = await page.context().newPage();
  await busy.goto(`${url}/openapi.json`);
  await busy.evaluate(async () => {
    const opening = indexedDB.open('portico-feedback');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const table = opening.result.transaction('drafts', 'readwrite').objectStore('drafts');
    const hold = (held?: () => void) => {
      if (Reflect.get(window, 'released') === true) return;
      table.get('nothing').addEventListener('success', () => {
        held?.();
        hold();
      });
    };
    await new Promise<void>((resolve) => hold(resolve));
  });
  await page.bringToFront();
  return () => busy.evaluate(() => void Reflect.set(window, 'released', true));
}

function lastWordsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('last-words')));
}

/** The keys of every draft that this browser keeps. */
function keptIn(page: Page): Promise<unknown[]> {
  return page.evaluate(
    () =>
      new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('portico-feedback');
        opening.addEventListener('success', () => {
          const asking = opening.result.transaction('drafts').objectStore('drafts').getAllKeys();
          asking.addEventListener('success', () => resolve(asking.result));
        });
        opening.addEventListener('error', () => reject(new Error('no drafts')));
      }),
  );
}
