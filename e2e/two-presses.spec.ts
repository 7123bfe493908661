import type { Locator, Page } from '@playwright/test';
import { expect, withOwnInstallation } from './fixtures.ts';

const test = withOwnInstallation();

/** Two clicks in one task: no time for anything to be rendered between them. */
const pressTwice = (button: Locator) =>
  button.evaluate((element) => {
    (element as HTMLElement).click();
    (element as HTMLElement).click();
  });

/** The calls that write, from now on. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() !== 'GET' && /^\/v1\/(?!presence|faults)/.test(pathname))
      writes.push(`${request.method()} ${pathname}`);
  });
  return writes;
}

// All forms send by `useVersionedForm` and the dialog: here is one that creates, and one that changes.
test('API-3: two presses on the button of a form save once, as Enter pressed twice does', async ({
  signIn,
  api: _restoresMaintenance,
}) => {
  const page = await signIn('operator', { at: '/settings/client-keys' });
  const dialog = page.getByRole('dialog').first();
  const writes = writesOf(page);

  await test.step('a key', async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Twice');
    await pressTwice(dialog.getByRole('button', { name: 'Create key', exact: true }));
    await expect(dialog.getByRole('heading', { name: 'Twice' })).toBeVisible();
    expect(writes.splice(0)).toEqual(['POST /v1/settings/client-keys']);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('Enter twice', async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('Enter');
    await dialog.getByLabel('Name').evaluate((field) => {
      const form = (field as HTMLInputElement).form;
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await expect(dialog.getByRole('heading', { name: 'Enter' })).toBeVisible();
    expect(writes.splice(0)).toEqual(['POST /v1/settings/client-keys']);
  });

  await test.step('a notice', async () => {
    await page.goto('/maintenance');
    await page.getByRole('button', { name: 'Publish a notice' }).click();
    await dialog.getByRole('textbox').first().fill('Twice');
    await pressTwice(dialog.getByRole('button', { name: 'Publish notice', exact: true }));
    await expect(dialog).toHaveCount(0);
    expect(writes).toEqual(['PUT /v1/maintenance']);
  });
});

test('API-3: a secret whose answer was lost is shown at the next press, and there is one token', async ({
  signIn,
  api,
}) => {
  const page = await signIn('operator', { at: '/settings/api-tokens' });
  const dialog = page.getByRole('dialog');
  let lost = false;
  await page.route('**/v1/api-tokens', async (route) => {
    if (lost || route.request().method() !== 'POST') return route.continue();
    lost = true;
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'New token' }).click();
  await dialog.getByLabel('Name').fill('Lost and found');
  await dialog.getByRole('checkbox', { name: /See people/ }).check();
  await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('There is no connection');

  await test.step('also after a reload of the page', async () => {
    await page.reload();
    await expect(dialog.getByLabel('Name')).toHaveValue('Lost and found');
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
    await expect(dialog.getByLabel('Token', { exact: true })).toHaveValue(/^portico_pat_/);
    const { tokens } = await api.read<{ tokens: { name: string }[] }>('/v1/api-tokens');
    expect(tokens.filter(({ name }) => name === 'Lost and found')).toHaveLength(1);
  });
});
