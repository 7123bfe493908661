import { expectAccessible } from './accessible.ts';
import { expect, test, watchConsole } from './fixtures.ts';

// From the set-up link to a second person: what a new installation does first.

test('START-6 SES-1 SES-3 LOOK-2: a new installation is claimed, and a second person invited', async ({
  browser,
  start,
}) => {
  const installation = await start();
  const first = await browser.newContext();
  const consoleErrors = watchConsole(first);
  const page = await first.newPage();

  await test.step('claims the installation with the set-up link', async () => {
    await page.goto(installation.url);
    await expect(page.getByRole('heading', { level: 1, name: 'Open the set-up link' })).toBeVisible();
    await expectAccessible(page, 'unclaimed');
    await page.goto(`${installation.url}/set-up`);
    await expectAccessible(page, 'set-up without its token');
    await page.goto(installation.setUpLink());
    await expect(page).toHaveURL(`${installation.url}/set-up`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expectAccessible(page, 'set-up with errors');
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

  expect(consoleErrors).toEqual([]);
  await first.close();
  await second.close();
});
