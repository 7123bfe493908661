import { test as base } from '@playwright/test';
import { expectNoViolations } from './accessible.ts';
import { expect, watchConsole } from './fixtures.ts';
import { startInstallation, type Installation } from './installation.ts';

// From the set-up link to maintenance on and off, with a second person: everything that a new installation
// does first.

const test = base.extend<{ installation: Installation }>({
  installation: async ({ playwright: _playwright }, provide) => {
    const installation = await startInstallation();
    await provide(installation);
    await installation.stop();
  },
});

test('START-6 SES-1 SES-3 RIGHT-5 MAINT-2 MAINT-3: a new installation is claimed, and a second person sees maintenance start and end', async ({
  browser,
  installation,
}) => {
  const first = await browser.newContext();
  const consoleErrors = watchConsole(first);
  const page = await first.newPage();

  await test.step('claims the installation with the set-up link', async () => {
    await page.goto(installation.url);
    await expect(page.getByRole('heading', { level: 1, name: 'Open the set-up link' })).toBeVisible();
    await expectNoViolations(page, 'unclaimed');
    await page.goto(installation.setUpLink());
    await expect(page).toHaveURL(`${installation.url}/set-up`);
    await page.getByLabel('Email').fill('first@example.org');
    await page.getByLabel('First name').fill('Fiona');
    await page.getByLabel('Last name').fill('First');
    await page.getByRole('textbox', { name: /^Password/ }).fill('a colonnade at dawn');
    await page.getByRole('button', { name: 'Create account' }).click();
  });

  await test.step('CON-2 CON-5: is signed in at an overview that has nothing to show yet', async () => {
    await expect(page).toHaveURL(`${installation.url}/console`);
    await expect(page.getByText('Nothing needs attention')).toBeVisible();
    await expect(page.getByText('No window is planned')).toBeVisible();
    await expect(page.getByRole('button', { name: /Account of Fiona/ })).toBeVisible();
  });

  await test.step('the set-up link is used up', async () => {
    const again = await fetch(`${installation.url}/set-up`, { headers: { accept: 'text/html' } });
    expect(again.status).toBe(404);
  });

  const invitation = await test.step('invites a second person', async () => {
    await page.getByRole('link', { name: /^People/ }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill('second@example.org');
    await dialog.getByLabel('First name').fill('Sven');
    await dialog.getByRole('checkbox', { name: 'Support' }).check();
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const link = await dialog.getByLabel('Invitation link').inputValue();
    await dialog.getByLabel('Invitation link').press('ControlOrMeta+c');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /second@example\.org/ })).toContainText('Invited');
    return link;
  });

  const second = await browser.newContext();
  watchConsole(second);
  const guest = await second.newPage();

  await test.step('CON-5: the second person accepts and is signed in', async () => {
    await guest.goto(invitation);
    await expect(guest.getByRole('heading', { level: 1 })).toContainText('Sven');
    await guest.getByRole('textbox', { name: /^Password/ }).fill('an architrave of oak');
    await guest.getByRole('button', { name: 'Save and continue' }).click();
    await expect(guest.getByRole('button', { name: /Account of Sven/ })).toBeVisible();
    await guest.goto(`${installation.url}/people?search=sven`);
    await expect(guest.getByRole('row', { name: /second@example\.org/ })).toBeVisible();
  });

  await test.step('a notice appears for both at once', async () => {
    await page.getByRole('link', { name: 'Maintenance' }).click();
    await page.getByRole('button', { name: 'Publish a notice' }).click();
    await expect(page.getByLabel('Text')).toBeFocused();
    await page.getByLabel('Text').fill('The lift is out of order.');
    await page.getByLabel('Severity').selectOption('MEDIUM');
    await page.getByRole('button', { name: 'Publish notice' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'Notice published' })).toBeVisible();
    await expect(guest.getByRole('alert').filter({ hasText: 'The lift is out of order.' })).toBeVisible();
  });

  await test.step('maintenance starts, and the second person is taken to its page', async () => {
    await page.getByRole('button', { name: 'Start maintenance …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Text while it lasts').fill('The lift is being repaired.');
    await dialog.getByRole('button', { name: 'Start maintenance now' }).click();
    await expect(guest).toHaveURL(/\/system-maintenance(\?|$)/);
    await expect(guest.getByText('The lift is being repaired.').filter({ visible: true })).toBeVisible();
    // Who has started it stays in the console, below a ribbon (MAINT-4).
    await expect(page.getByText('Maintenance is on. You can continue to work')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: 'Maintenance' })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/maintenance');
  });

  await test.step('it ends, and all return to where they were', async () => {
    await page.getByRole('button', { name: 'End maintenance now' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End maintenance now' }).click();
    await expect(guest).toHaveURL(`${installation.url}/people?search=sven`);
    await expect(guest.getByRole('row', { name: /second@example\.org/ })).toBeVisible();
  });

  expect(consoleErrors).toEqual([]);
  await first.close();
  await second.close();
});
