import type { Page } from '@playwright/test';
import { expectNoViolations } from './accessible.ts';
import { expect, test } from './fixtures.ts';

const dialog = (page: Page) => page.getByRole('dialog').last();
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Discard what you typed?' });

test('LOOK-2: a dialog closes at once while nothing is typed, and asks before it loses typed input, whichever way it is closed', async ({
  signIn,
}) => {
  const page = await signIn('operator', { at: '/console' });
  await page.getByRole('link', { name: 'Flags' }).first().click();
  const key = dialog(page).getByRole('textbox', { name: /^Key/ });
  const newFlag = page.getByRole('button', { name: 'New flag' }).first();

  await test.step('nothing typed, or all of it taken back: it closes at once', async () => {
    await newFlag.click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await newFlag.click();
    await key.fill('HALF');
    await key.fill('');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await newFlag.click();
  await key.fill('HALF_A_FLAG');
  const keep = question(page).getByRole('button', { name: 'Keep editing' });
  const isBack = async () => {
    await expect(question(page)).toHaveCount(0);
    await expect(key).toBeFocused();
    await expect(key).toHaveValue('HALF_A_FLAG');
  };

  await test.step('Escape asks, has the safe answer in the focus, and leads back to the field', async () => {
    await page.keyboard.press('Escape');
    await expect(keep).toBeFocused();
    await expect(dialog(page).getByRole('button', { name: 'Create' })).toHaveCount(0);
    await page.keyboard.press('Shift+Tab');
    await expect(question(page).getByRole('button', { name: 'Discard' })).toBeFocused();
    await page.keyboard.press('Escape');
    await isBack();
  });

  await test.step('every further Escape asks or leads back, though browsers close a dialog on some of them unasked', async () => {
    for (let press = 0; press < 2; press += 1) {
      await page.keyboard.press('Escape');
      await expect(keep).toBeFocused();
      await page.keyboard.press('Escape');
      await isBack();
    }
  });

  await test.step('so do Enter on the safe answer, Cancel and the cross; a press outside the dialog does nothing', async () => {
    await page.keyboard.press('Escape');
    await expect(keep).toBeFocused();
    await page.keyboard.press('Enter');
    await isBack();
    for (const name of ['Cancel', 'Close']) {
      await dialog(page).getByRole('button', { name }).click();
      await keep.click();
      await isBack();
    }
    await page.mouse.click(2, 2);
    await expect(key).toHaveValue('HALF_A_FLAG');
    await expect(question(page)).toHaveCount(0);
  });

  await test.step('so does "back", more than once; discarded, it leads back and the flag is forgotten', async () => {
    await page.goBack();
    await expect(keep).toBeFocused();
    await expect(page).toHaveURL('/flags');
    await page.goBack();
    await keep.click();
    await isBack();
    await page.goBack();
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL('/console');
    await page.goForward();
    await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  await test.step('a dialog cannot be closed while it sends', async () => {
    await newFlag.click();
    await key.fill(`SENT_${Date.now()}`);
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/v1/flags', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/v1/flags'),
    );
    await key.press('Enter');
    await sent;
    await expect(dialog(page)).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('Escape');
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await expect(dialog(page).getByRole('button', { name: 'Close' })).toBeDisabled();
    await page.goBack();
    await expect(page).toHaveURL('/flags');
    await expect(question(page)).toHaveCount(0);
    letGo();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.unrouteAll({ behavior: 'wait' });
  });
});

test('LOOK-2: dialogs that are no form of the kit ask too, and a secret that was not copied asks before it is closed', async ({
  signIn,
  api,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn('operator', { at: `/people?search=${mia.email}` });

  async function asks(open: () => Promise<void>, field: string, typed = 'x'): Promise<void> {
    const before = await page.getByRole('dialog').count();
    await open();
    await dialog(page).getByLabel(field).first().fill(typed);
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(before);
  }
  const press = (name: string | RegExp) => () => page.getByRole('button', { name }).last().click();

  await test.step('the own password', async () => {
    await asks(async () => {
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Change password' }).click();
    }, 'Current password');
  });
  await test.step('people: an invitation, roles that are half chosen, an erasure', async () => {
    await asks(press('Invite a person'), 'Email');
    await page.getByRole('row').getByRole('link', { name: 'Mia Walker' }).click();
    await page.getByRole('tab', { name: 'Access' }).click();
    await press('Change roles')();
    await page.getByRole('checkbox', { name: /^Support/ }).check();
    await page.keyboard.press('Escape');
    await question(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByRole('checkbox', { name: /^Support/ })).toBeFocused();
    await page.goto(`/people/${mia.id}/data`);
    await asks(press('Erase this person…'), 'To confirm');
  });
  await test.step('a client key', async () => {
    await page.goto('/settings/client-keys');
    await asks(press(/^Portico itself/), 'Name');
  });
  await test.step('the secret of a token, until it is copied', async () => {
    await page.goto('/settings/api-tokens');
    await press('New token')();
    await dialog(page).getByLabel('Name').fill('Nightly');
    await dialog(page)
      .getByRole('checkbox', { name: /See people/ })
      .check();
    await dialog(page).getByRole('button', { name: 'Create token', exact: true }).click();
    const secret = dialog(page).getByLabel('Token', { exact: true });
    const uncopied = page.getByRole('alertdialog', { name: /^Close without having copied it/ });
    await expect(secret).toBeFocused();
    await page.keyboard.press('Escape');
    await uncopied.getByRole('button', { name: 'Go back' }).click();
    await expect(secret).toBeFocused();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await expect(uncopied).toContainText('It is shown only this once.');
    await expectNoViolations(page, 'the question about a secret');
    await page.keyboard.press('Escape');
    await secret.press('ControlOrMeta+c');
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
});

test('LOOK-2: a form on a screen asks before a link, "back" or the end of the page leaves it', async ({
  signIn,
}) => {
  const slow = Promise.withResolvers<void>();
  const page = await signIn('operator', {
    at: '/settings/branding',
    before: (opened) =>
      opened.route(/\/leave-question/, async (route) => {
        await slow.promise;
        await route.continue();
      }),
  });
  await test.step('forms on a screen: branding by a link, how long reports are stored by "back"', async () => {
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    const download = page.waitForRequest(/\/leave-question/);
    // A browser asks only once a person has pressed something.
    await page.getByLabel('Name', { exact: false }).first().click();
    await page.getByLabel('Name', { exact: false }).first().fill('Half a name');
    const asked: string[] = [];
    page.once('dialog', (question) => {
      asked.push(question.type());
      void question.dismiss();
    });
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.getByRole('link', { name: 'Home' }).click();
    await download;
    slow.resolve();
    await expect(leaving.getByRole('button', { name: 'Stay here' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByLabel('Name', { exact: false }).first()).toHaveValue('Half a name');
    await page.getByRole('link', { name: 'Home' }).click();
    await leaving.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL('/');

    await page.goto('/settings');
    await page.getByRole('link', { name: /^Reports Required/ }).click();
    await page.getByLabel('When a person is erased,').selectOption({ index: 1 });
    await page.goBack();
    await leaving.getByRole('button', { name: 'Stay here' }).click();
    await expect(page).toHaveURL('/settings/reports');
    await page.goBack();
    await leaving.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page).toHaveURL('/settings');
  });
  await test.step('a notice that is half typed survives a reload, and a plan that is half typed is asked about', async () => {
    await page.goto('/maintenance');
    await page.getByRole('button', { name: 'Publish a notice' }).click();
    const notice = page.getByLabel('Text');
    await notice.fill('Half a notice');
    await page.reload();
    await expect(notice).toHaveValue('Half a notice');
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(notice).toHaveCount(0);
    await page.getByRole('button', { name: 'Plan a window' }).first().click();
    const title = page.getByLabel('Title');
    await title.fill('Half a plan');
    await page.goBack();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await expect(title).toHaveValue('Half a plan');
    await page.goBack();
    await page.getByRole('button', { name: 'Leave without saving' }).click();
    await expect(title).toHaveCount(0);
    await page.getByRole('button', { name: 'Plan a window' }).first().click();
    await expect(title).toHaveValue('');
  });
});
