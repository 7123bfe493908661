import type { Locator, Page, Response } from '@playwright/test';
import { expectAccessible, expectNoViolations } from '#e2e/accessible.ts';
import { type Account, expect, allowConsoleError, restingBox, test } from '#e2e/fixtures.ts';

const saved = 'Your profile was saved.';
const critical = 'Something went wrong on the server.';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const save = (page: Page) => button(page, 'Save').click();
const notification = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text);

/**
 * Saves, and waits for the notification at once: it disappears by itself, and on a busy machine a click may
 * take as long.
 */
async function saveAndConfirm(page: Page): Promise<void> {
  await Promise.all([expect(notification(page, saved)).toBeVisible(), save(page)]);
}

/** The answer to a change of the own profile, which is loaded again at any time as well. */
const isUpdate = (answer: Response) =>
  answer.request().method() === 'PUT' && answer.url().endsWith('/v1/users/current/profile');

/** Their profile, in a browser of their own. */
async function open(
  signIn: (who: Account, how: { at: string }) => Promise<Page>,
  who: Account,
): Promise<Page> {
  const page = await signIn(who, { at: '/profile' });
  await expect(page.getByLabel('First name')).toHaveValue(who.firstName);
  return page;
}

test('LOOK-1 LOOK-2 §8 Profile update success: what is saved, by keyboard alone, is confirmed, shown at once and there after a reload', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  await button(page, 'Account of Mia Walker').focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/profile');
  await expect(page).toHaveTitle('Profile · Portico');
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeFocused();

  const steps: [Locator, string?][] = [
    [button(page, 'Choose a picture')],
    [page.getByLabel('First name'), '  Ada '],
    [page.getByLabel('Last name')],
    [page.getByLabel('Phone'), '+49 30 123456'],
    [page.getByLabel('Organisation'), 'Analytical Engines'],
    [page.getByLabel('Job title'), 'Analyst'],
    [page.getByRole('combobox', { name: 'Language' })],
    [page.getByRole('combobox', { name: 'Time zone' })],
    [button(page, 'Discard')],
    [button(page, 'Save')],
  ];
  for (const [control, text] of steps) {
    await page.keyboard.press('Tab');
    await expect(control).toBeFocused();
    if (text !== undefined) await page.keyboard.type(text);
    await expectInSight(control);
  }
  await expect(page.getByText('Not saved yet.')).toBeVisible();
  await expectNoViolations(page, 'the profile with unsaved changes');
  await Promise.all([expect(notification(page, saved)).toBeVisible(), page.keyboard.press('Enter')]);
  await expect(button(page, 'Save')).toBeFocused();
  await expect(page.getByText('Not saved yet.')).toHaveCount(0);
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(button(page, 'Account of Ada Walker')).toBeVisible();
  expect(await api.profile(mia.id)).toMatchObject({
    firstName: 'Ada',
    phone: '+49 30 123456',
    organisation: 'Analytical Engines',
    jobTitle: 'Analyst',
    locale: null,
    timeZone: null,
  });

  await page.reload();
  await expect(page.getByLabel('Organisation')).toHaveValue('Analytical Engines');
  await page.getByLabel('Phone').fill('1');
  await button(page, 'Discard').press('Enter');
  await expect(button(page, 'Save')).toBeFocused();
  await expect(page.getByLabel('Phone')).toHaveValue('+49 30 123456');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'See where you are signed in' })).toBeFocused();
});

test('PRO-1 §8 Profile load failure: it is reported in the place of the profile, and it can be loaded again; what is wrong is shown at the field, by this page and by the server, and nothing is lost', async ({
  api,
  signIn,
}) => {
  // It is loaded again by hand alone.
  const before = (opened: Page) => {
    void opened.route('**/v1/events*', (route) => route.abort());
    void opened.route('**/v1/users/current/profile', (route) => route.fulfill({ status: 500, body: '' }));
  };
  const page = await signIn(await api.person('Mia', ['member']), { at: '/profile', before });
  await expect(page.getByRole('alert')).toContainText('Your profile could not be loaded');
  await expect(button(page, 'Your account')).toBeVisible();
  const refused = page.waitForResponse('**/v1/users/current/profile');
  await button(page, 'Try again').click();
  await refused;
  await expect(button(page, 'Try again')).not.toHaveAttribute('data-busy');
  await expect(page.getByRole('alert')).toContainText('Your profile could not be loaded');
  await page.unroute('**/v1/users/current/profile');
  await button(page, 'Try again').click();
  await expect(page.getByLabel('First name')).toHaveValue('Mia');

  const phone = page.getByLabel('Phone');
  const first = page.getByLabel('First name');

  await phone.fill('call me');
  await expect(phone).not.toHaveAttribute('aria-invalid', 'true');
  await phone.blur();
  await expect(page.getByRole('alert')).toContainText('does not look like a telephone number');
  await phone.fill('+49 30 1');
  await expect(page.getByRole('alert')).toHaveCount(0);

  await phone.fill('call me');
  await first.fill('x'.repeat(101));
  await save(page);
  await expect(first).toBeFocused();
  await expect(first).toHaveAccessibleDescription(/at most 100 characters/);
  await first.fill('Mia');
  await phone.fill('+49 30 1');

  await page.route('**/v1/users/current/profile', (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'about:blank',
            title: 'Invalid',
            status: 422,
            code: 'INVALID_BODY',
            errors: [{ pointer: '/phone', code: 'format', message: 'has the wrong form' }],
          }),
        })
      : route.continue(),
  );
  await save(page);
  await expect(phone).toBeFocused();
  await expect(phone).toHaveAttribute('aria-invalid', 'true');
  await expect(notification(page, critical)).toBeVisible();
  await expect(page.getByText('Look at the marked fields')).toBeVisible();
  await page.unrouteAll();
  await phone.fill('+49 30 2');
  await saveAndConfirm(page);
});

test('PRO-2: without a connection the page explains that nothing is lost, no error of the server is shown, and it is saved once the connection is back', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await open(signIn, mia);
  await page.getByLabel('Job title').fill('Analyst');
  const why = page.getByRole('alert').filter({ hasText: 'Not saved.' });

  await page.route('**/v1/users/current/profile', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.continue(),
  );
  await save(page);
  await expect(why).toContainText('There is no connection to Portico. Nothing is lost');
  await page.unrouteAll();

  await page.context().setOffline(true);
  allowConsoleError(page.context(), /ERR_INTERNET_DISCONNECTED/);
  await save(page);
  await expect(why).toContainText('You are offline. Nothing is lost: try again once you are connected.');
  await expectAccessible(page, 'a profile that could not be saved offline');
  await expect(page.getByText(critical)).toHaveCount(0);
  await expect(page.getByText('Not saved yet.')).toBeVisible();
  await page.context().setOffline(false);
  await expect(why).toContainText('The connection is back. Save again.');
  await expect(page.getByLabel('Job title')).toHaveValue('Analyst');
  await saveAndConfirm(page);
  await expect(why).toHaveCount(0);
  expect((await api.profile(mia.id)).jobTitle).toBe('Analyst');
});

test('PRO-1: a conflict shows what was changed elsewhere, field by field, and loses nothing', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  // Only saving shows the conflict.
  const before = (opened: Page) => opened.route('**/v1/events*', (route) => route.abort());
  const page = await signIn(mia, { at: '/profile', before });
  await page.getByLabel('Phone').fill('+49 30 1');
  await page.getByLabel('Organisation').fill('Mine');
  await api.setProfile(mia.id, { phone: '+1 555 123', organisation: 'Theirs', jobTitle: 'Captain' });
  await save(page);

  await expect(notification(page, critical)).toBeVisible();
  const heading = page.getByRole('heading', { name: 'Not saved: your profile was changed elsewhere' });
  await expect(heading).toBeFocused();
  const clashes = page.getByRole('region', { name: /changed elsewhere/ });
  await expect(clashes).toContainText('Captain');
  await expect(page.getByLabel('Job title')).toHaveValue('Captain');
  await expect(page.getByLabel('Phone')).toHaveValue('+49 30 1');
  await expectAccessible(page, 'a conflict');

  // A second save without a choice is refused.
  await save(page);
  await expect(clashes.getByRole('alert').first()).toContainText('Choose one of the two.');
  await expect(clashes.getByRole('radio').first()).toBeFocused();
  const phone = clashes.getByRole('group', { name: 'Phone' });
  const organisation = clashes.getByRole('group', { name: 'Organisation' });
  await phone.getByRole('radio', { name: 'Use the other one: +1 555 123' }).check();
  await expect(page.getByLabel('Phone')).toHaveValue('+1 555 123');
  await organisation.getByRole('radio', { name: 'Keep mine: Mine' }).check();
  await saveAndConfirm(page);
  await expect(clashes).toHaveCount(0);
  expect(await api.profile(mia.id)).toMatchObject({
    phone: '+1 555 123',
    organisation: 'Mine',
    jobTitle: 'Captain',
  });
});

test('LOOK-3 PRO-3: language and time zone take effect with the save, the time zone in the next call too', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await open(signIn, mia);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await expect(zone).toHaveText(/^System \(.+\)$/);

  await zone.click();
  await expect(page.getByRole('option', { name: /^System/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('tokyo');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
    /^TokyoAsia · \d\d:\d\d \(UTC\+9\)$/,
  ]);
  await page.keyboard.press('Enter');
  await expect(zone).toBeFocused();
  await expect(zone).toHaveText('Asia/Tokyo');
  await expect(zone).toHaveAccessibleDescription(/ Now it is \d\d:\d\d \(UTC\+9\) there\.$/);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await save(page);

  await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page).toHaveTitle('Profil · Portico');
  await expect(page.getByText('Dabei seit')).toBeVisible();
  const next = page.waitForResponse(isUpdate);
  await page.getByLabel('Vorname').fill('Ada');
  await button(page, 'Speichern').click();
  expect((await next).request().headers()['x-time-offset']).toBe('540');
  await expect(button(page, 'Speichern')).not.toHaveAttribute('data-busy');

  // A new browser shows what the profile holds.
  const elsewhere = await signIn(mia, { at: '/profile' });
  await expect(elsewhere.locator('html')).toHaveAttribute('lang', 'de');
  await expect(elsewhere.getByRole('combobox', { name: 'Zeitzone' })).toHaveText('Asia/Tokyo');

  await page.getByRole('combobox', { name: 'Sprache' }).selectOption('browser');
  await button(page, 'Speichern').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible();
  await expect.poll(() => api.profile(mia.id)).toMatchObject({ locale: null, timeZone: 'Asia/Tokyo' });
});

test('PRO-1 FILE-1: a picture is cropped, sent without the metadata of the camera, and shown', async ({
  api,
  signIn,
  installation,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await open(signIn, mia);
  await page.getByLabel('Phone').fill('Half typed');
  await expect(button(page, 'Account of Mia').locator('.avatar')).toHaveAttribute('data-text', 'MW');
  const dialog = page.getByRole('dialog', { name: 'Choose the part that is shown' });

  const photo = await photograph(page);
  let authorization = '';
  let avatar: string | null = null;
  const storedPicture = async () => {
    avatar ??= (await api.profile(mia.id)).avatar;
    return page.request.get(`${installation.url}/v1/files/${avatar}`, { headers: { authorization } });
  };
  await test.step('is chosen', async () => {
    await choose(page, photo);
    await expect(dialog).toBeVisible();
    await expect(dialog.getByLabel('Size', { exact: true })).toBeFocused();
    await expectAccessible(page, 'the crop', dialog);
  });

  await test.step('is cropped by keyboard, by the sliders and by pointer', async () => {
    const across = dialog.getByLabel('Left to right');
    const down = dialog.getByLabel('Top to bottom');
    await expect(down).toBeDisabled();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await page.keyboard.press('PageDown');
    await expect(down).toBeEnabled();
    await across.fill('0');
    await expect(across).toHaveValue('0');
    const area = dialog.getByRole('group', { name: 'Part that is shown' });
    await area.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(async () => Number(await across.inputValue())).toBeGreaterThan(0);
    const box = await restingBox(area);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 - 500, box.y + box.height / 2 - 500, { steps: 4 });
    await page.mouse.up();
    await expect(across).toHaveValue('0');
    await expect(down).toHaveValue('0');
  });

  await test.step('is sent as 512 × 512 without the rest', async () => {
    const sending = page.waitForRequest('**/v1/files');
    await dialog.getByRole('button', { name: 'Use this picture' }).click();
    ({ authorization = '' } = (await sending).headers());
    await expect(dialog).toHaveCount(0);
    await expect(notification(page, saved)).toBeVisible();
    const stored = await storedPicture();
    expect(stored.headers()['content-type']).toBe('image/webp');
    const bytes = await stored.body();
    expect([photo.buffer.includes('secret place'), bytes.includes('secret place')]).toEqual([true, false]);
  });

  await test.step('is shown on the screen and in the menu, under an address without a token', async () => {
    for (const image of [page.locator('.picture-shown img'), button(page, 'Account of Mia').locator('img')]) {
      await expect(image).toHaveAttribute('src', /^blob:/);
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
        .toBe(512);
    }
    // The form did not change.
    await expect(page.getByLabel('Phone')).toHaveValue('Half typed');
    await expect(page.getByRole('region', { name: /changed elsewhere/ })).toHaveCount(0);
    await page.getByLabel('Phone').fill('+49 30 1');
    await save(page);
    await expect(page.getByText('Not saved yet.')).toHaveCount(0);
    expect(await api.profile(mia.id)).toMatchObject({ avatar, phone: '+49 30 1' });
  });

  await test.step('can be removed', async () => {
    await button(page, 'Remove the picture').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the picture' }).click();
    await expect(button(page, 'Account of Mia').locator('img')).toHaveCount(0);
    await expect.poll(async () => (await api.profile(mia.id)).avatar).toBeNull();
    // No page shows the file any more, and it is deleted.
    await expect.poll(async () => (await storedPicture()).status()).toBe(404);
  });
});

test('FILE-1 §8 File upload failure: an upload shows its progress and can be stopped; a failure is reported in words, the picture is still to be used, and what is no picture is refused before', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await open(signIn, mia);
  const dialog = page.getByRole('dialog', { name: 'Choose the part that is shown' });
  const use = dialog.getByRole('button', { name: 'Use this picture' });

  await choose(page, { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') });
  await expect(page.getByRole('alert')).toContainText('is not a picture that your browser can show');
  // The trace of the browser test reads the broken picture again, from inside the page.
  allowConsoleError(page.context(), /^Connecting to 'blob:/);
  await expect(dialog).toHaveCount(0);

  const photo = await photograph(page);
  await choose(page, photo);
  // Escape stops it as well, and the crop is still there.
  for (const stop of [
    () => dialog.getByRole('button', { name: 'Stop uploading' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    const held = Promise.withResolvers<void>();
    await page.route('**/v1/files', async (route) => {
      await held.promise;
      await route.continue().catch(() => {});
    });
    // The progress is shown while the picture is still packed, too.
    const begun = page.waitForRequest('**/v1/files');
    await use.click();
    await expect(dialog.getByRole('progressbar', { name: 'Uploading the picture' })).toBeVisible();
    await begun;
    const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/files'));
    await stop();
    await given;
    await expect(dialog.getByRole('status')).toContainText('The upload was stopped. Nothing was changed.');
    held.resolve();
    await page.unrouteAll();
  }
  for (const [status, words] of [
    [500, 'The picture was not saved'],
    [413, 'This server accepts no picture of this size'],
  ] as const) {
    await page.route('**/v1/files', (route) => route.fulfill({ status, body: '' }));
    await use.click();
    await expect(dialog.getByRole('alert')).toContainText(words);
    await page.unrouteAll();
  }
  await expectAccessible(page, 'a picture that could not be uploaded', dialog);
  expect((await api.profile(mia.id)).avatar).toBeNull();
  await use.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.locator('.picture-shown img')).toHaveAttribute('src', /^blob:/);

  await test.step('a picture is dropped or pasted as well', async () => {
    for (const how of ['drop', 'paste'] as const) {
      await hand(page, photo.buffer, how);
      await expect(dialog).toBeVisible();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await expect(dialog).toHaveCount(0);
    }
  });

  await test.step('a picture that cannot be loaded is replaced by the initials', async () => {
    await page.route('**/v1/files/*', (route) => route.abort());
    await page.reload();
    await expect(page.getByText('Your picture could not be loaded.')).toBeVisible();
    await expect(page.locator('.picture-shown .avatar')).toHaveAttribute('data-text', 'MW');
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await expect(page.locator('.picture-shown img')).toHaveAttribute('src', /^blob:/);
  });
});

/** What has the focus is not hidden below what stays in sight (WCAG 2.4.11). */
async function expectInSight(control: Locator): Promise<void> {
  await expect
    .poll(() =>
      control.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const on = document.elementFromPoint(left + width / 2, top + height / 2);
        return on !== null && (element.contains(on) || on.contains(element));
      }),
    )
    .toBe(true);
}

type Upload = { name: string; mimeType: string; buffer: Buffer };

async function choose(page: Page, file: Upload): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file);
}

/** A JPEG as a camera writes it, with where it was taken (EXIF, APP1). */
async function photograph(page: Page): Promise<Upload> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1200;
    canvas.height = 800;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.fillStyle = '#36c';
    context.fillRect(0, 0, 1200, 800);
    context.fillStyle = '#e66';
    context.fillRect(0, 0, 300, 300);
    return canvas.toDataURL('image/jpeg').split(',')[1] ?? '';
  });
  const jpeg = Buffer.from(drawn, 'base64');
  const note = Buffer.from('Exif\0\0secret place');
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, note.length + 2]), note]);
  return {
    name: 'me.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)]),
  };
}

/** Drops a picture on the page, or pastes it. */
async function hand(page: Page, bytes: Buffer, how: 'drop' | 'paste'): Promise<void> {
  await page.evaluate(
    ([encoded, kind]) => {
      const data = new DataTransfer();
      const file = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0));
      data.items.add(new File([file], 'me.jpg', { type: 'image/jpeg' }));
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    },
    [bytes.toString('base64'), how] as const,
  );
}
