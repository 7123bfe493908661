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

type Form = { at: string; open: string; fill: (dialog: Locator) => Promise<unknown>; save: string };

const forms: Record<string, Form> = {
  'POST /v1/api-tokens': {
    at: '/settings/api-tokens',
    open: 'Create a token',
    async fill(dialog) {
      await dialog.getByLabel('Name').fill('Twice');
      await dialog.getByRole('checkbox', { name: /See people/ }).check();
    },
    save: 'Create',
  },
  'POST /v1/settings/client-keys': {
    at: '/settings/client-keys',
    open: 'Create a key',
    fill: (dialog) => dialog.getByLabel('Name').fill('Twice'),
    save: 'Create',
  },
  'POST /v1/webhooks': {
    at: '/webhooks',
    open: 'Add a webhook',
    fill: (dialog) => dialog.getByLabel('Address').fill('https://example.org/hook'),
    save: 'Add',
  },
  'POST /v1/roles': {
    at: '/roles',
    open: 'Add a role',
    fill: (dialog) => dialog.getByRole('textbox', { name: 'Role' }).fill('Twice'),
    save: 'Save',
  },
  'POST /v1/people': {
    at: '/people',
    open: 'Invite a person',
    fill: (dialog) => dialog.getByLabel('Email').fill('twice@example.org'),
    save: 'Create invitation',
  },
  'PUT /v1/maintenance': {
    at: '/maintenance',
    open: 'Publish a notice',
    fill: (dialog) => dialog.getByRole('textbox').first().fill('Twice'),
    save: 'Publish notice',
  },
};

test('API-3: two presses on the button of a form save once, as Enter pressed twice does', async ({
  signIn,
  api: _restoresMaintenance,
}) => {
  const page = await signIn('operator');
  const origin = new URL(page.url()).origin;
  const dialog = page.getByRole('dialog').first();
  for (const [write, { at, open, fill, save }] of Object.entries(forms)) {
    await test.step(write, async () => {
      await page.goto(`${origin}${at}`);
      await page.getByRole('main').getByRole('button', { name: open }).first().click();
      await fill(dialog);
      const writes = writesOf(page);
      await pressTwice(dialog.getByRole('button', { name: save, exact: true }));
      await expect(dialog.getByRole('button', { name: save, exact: true })).toHaveCount(0);
      expect(writes.filter((each) => each === write)).toEqual([write]);
      page.removeAllListeners('request');
    });
  }

  await test.step('Enter twice', async () => {
    await page.goto(`${origin}/settings/client-keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await dialog.getByLabel('Name').fill('Enter');
    const writes = writesOf(page);
    await dialog.getByLabel('Name').evaluate((field) => {
      const form = (field as HTMLInputElement).form;
      form?.requestSubmit();
      form?.requestSubmit();
    });
    await expect(dialog.getByRole('heading', { name: 'Enter' })).toBeVisible();
    expect(writes).toEqual(['POST /v1/settings/client-keys']);
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
  await page.getByRole('button', { name: 'Create a token' }).click();
  await dialog.getByLabel('Name').fill('Lost and found');
  await dialog.getByRole('checkbox', { name: /See people/ }).check();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('There is no connection');

  await test.step('also after a reload of the page', async () => {
    await page.reload();
    await expect(dialog.getByLabel('Name')).toHaveValue('Lost and found');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await expect(dialog.getByLabel('Token', { exact: true })).toHaveValue(/^portico_pat_/);
    const { tokens } = await api.read<{ tokens: { name: string }[] }>('/v1/api-tokens');
    expect(tokens.filter(({ name }) => name === 'Lost and found')).toHaveLength(1);
  });
});
