import type { Page } from '@playwright/test';
import { expect, fillSignIn, test } from '#e2e/fixtures.ts';
import type { Installation } from '#e2e/installation.ts';
import {
  message,
  wire,
  trigger,
  form,
  description,
  send,
  thanks,
  openForm,
  write,
  addPicture,
  choosePicture,
  inboxOf,
  signInAt,
  storedDraftKeys,
} from './report-form.ts';

test.describe('BUG-5: nothing is lost', () => {
  test('BUG-5: Cancel, Escape, a reload and the end of the tab leave text and picture stored', async ({
    api,
    installation,
    signIn,
  }) => {
    const mia = await api.person('Mia', ['member']);
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
    // The page ends before any wait is over.
    await page.reload();
    await expect(description(page)).toHaveValue(`${message} Always`);
    await description(page).fill(`${message} Sometimes`);
    await page.close();

    const next = await page.context().newPage();
    await next.goto(installation.url);
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
    await expect(thanks(next)).toBeVisible();
    const [report] = await inboxOf(installation).from(mia.email);
    expect(report).toMatchObject({ message: `${message} Sometimes`, name: 'Mia from the first floor' });
    expect(report?.attachments).toHaveLength(1);
    await next.reload();
    await openForm(next);
    await expect(description(next)).toHaveValue('');
  });

  test('BUG-5: a session that expires leaves the draft to its person, and no one else sees it', async ({
    api,
    browser,
    installation,
  }) => {
    const [mia, bob] = await Promise.all([api.person('Mia', ['member']), api.person('Bob', ['member'])]);
    const context = await browser.newContext();
    const page = await signInAt(context, installation, mia);
    await write(page);
    await addPicture(page);
    await context.clearCookies();
    await page.goto(installation.url);
    await fillSignIn(page, bob);
    await openForm(page);
    await expect(form(page).getByLabel('Name')).toHaveValue('Bob Walker');
    await expect(description(page)).toHaveValue('');
    await expect(form(page).getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
    await page.keyboard.press('Escape');

    await context.clearCookies();
    await page.goto(installation.url);
    await fillSignIn(page, mia);
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await context.close();
  });

  test('BUG-5: a session that has ended when the report is sent loses nothing, and the form is restored', async ({
    api,
    browser,
    installation,
  }) => {
    const mia = await api.person('Mia', ['member']);
    const context = await browser.newContext();
    const page = await signInAt(context, installation, mia);
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
    await expect(thanks(page)).toBeVisible();
    expect(await inboxOf(installation).from(mia.email)).toHaveLength(1);
    await context.close();
  });

  test('BUG-5: a sign-out asks, and removes a discarded draft, also before the form was opened again', async ({
    api,
    browser,
    installation,
  }) => {
    const mia = await api.person('Mia', ['member']);
    const context = await browser.newContext();
    const page = await signInAt(context, installation, mia);
    await write(page);
    await form(page).getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Account of Mia Walker' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out and discard' }).click();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await fillSignIn(page, mia);
    await openForm(page);
    await expect(description(page)).toHaveValue('');
    await expect.poll(() => storedDraftKeys(page)).toEqual([]);
    expect(await localDraftKeys(page)).toEqual([]);
    await context.close();
  });

  test('BUG-5: of two tabs the last edit wins, and what one has sent the other does not send', async ({
    api,
    installation,
    signIn,
  }) => {
    const mia = await api.person('Mia', ['member']);
    const first = await signIn(mia);
    const second = await first.context().newPage();
    await second.goto(installation.url);
    await write(first, 'First');
    await addPicture(first);
    await openForm(second);
    await expect(description(second)).toHaveValue('First');
    await expect(form(second).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await description(second).fill('Second');
    await expect(description(first)).toHaveValue('Second');
    await send(first).click();
    await expect(thanks(first)).toBeVisible();
    await expect(form(second)).toHaveCount(0);
    await openForm(second);
    await expect(description(second)).toHaveValue('');
    expect(await inboxOf(installation).from(mia.email)).toHaveLength(1);
  });

  test('BUG-5: where there is no space for the picture the text is stored', async ({ api, signIn }) => {
    const page = await signIn(await api.person('Mia', ['member']));
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
    api,
    installation,
    signIn,
  }) => {
    const page = await signIn(await api.person('Mia', ['member']));
    await write(page);
    await addPicture(page);

    const release = await holdDrafts(page, installation);
    await description(page).fill(`${message} Always.`);
    await page.reload();
    await release();
    await expect(description(page)).toHaveValue(`${message} Always.`);
    await expect(form(page).getByRole('button', { name: 'Remove screenshot' })).toBeVisible();
    await expect.poll(() => localDraftKeys(page)).toEqual([]);
  });

  for (const start of ['before it is sent', 'when it has been sent'] as const)
    test(`BUG-5: what was sent is not restored where the storage is busy from ${start}`, async ({
      api,
      installation,
      signIn,
    }) => {
      const page = await signIn(await api.person('Mia', ['member']));
      await write(page);
      await addPicture(page);
      let release = async () => {};
      if (start === 'before it is sent') release = await holdDrafts(page, installation);
      else
        await page.route('**/v1/feedback', async (route) => {
          release = await holdDrafts(page, installation);
          await route.continue();
        });
      await send(page).click();
      await expect(thanks(page)).toBeVisible();
      await page.reload();
      await release();
      await openForm(page);
      await expect.poll(() => storedDraftKeys(page)).toEqual([]);
      await expect(description(page)).toHaveValue('');
      await expect(form(page).getByRole('button', { name: 'Add a screenshot' })).toBeVisible();
      expect(await localDraftKeys(page)).toEqual([]);
    });

  test('BUG-5: without storage it works all the same', async ({ api, installation, signIn }) => {
    const mia = await api.person('Mia', ['member']);
    const page = await signIn(mia);
    await page.addInitScript(() => Object.defineProperty(window, 'indexedDB', { get: () => undefined }));
    await page.reload();
    await write(page);
    await page.keyboard.press('Escape');
    await openForm(page);
    await expect(description(page)).toHaveValue(message);
    await send(page).click();
    await expect(thanks(page)).toBeVisible();
    expect(await inboxOf(installation).from(mia.email)).toHaveLength(1);
  });
});
/**
 * Another page locks the table, as a slow disk would; what waits for it ends with its page. Answers the
 * release.
 */
async function holdDrafts(page: Page, { url }: Installation): Promise<() => Promise<void>> {
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
/** The keys of drafts in local storage, written by pages that ended before their database could. */
function localDraftKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('last-words')));
}
