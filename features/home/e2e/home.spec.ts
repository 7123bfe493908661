import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, restingBox, test } from '#e2e/fixtures.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#c40" d="M0 0h8v8z"/></svg>';

test('HOME-1 HOME-2: an operator lists applications, and a member finds at once what they may open, in their order and language', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const hers = await signIn(mia);
  const tiles = hers.getByRole('region', { name: 'Apps' }).getByRole('link');
  await expect(tiles).toHaveText([/^Map/, /^My reports/]);
  await api.setRoles(mia.id, ['member', 'support']);
  await expect(hers.getByRole('region', { name: 'What changed for you' })).toContainText(
    'You were given the role Support.',
  );
  await api.setRoles(mia.id, ['member']);

  const page = await signIn('operator', { at: '/settings' });
  await page.getByRole('main').getByRole('link', { name: /^Apps/ }).click();
  const dialog = page.getByRole('dialog');
  const list = page.getByRole('list', { name: 'Apps' });

  await test.step('adds an application, after what is missing is pointed out', async () => {
    await page.getByRole('button', { name: 'Add an app' }).first().click();
    await dialog.getByLabel('Name').first().fill('Timesheets');
    await dialog.getByLabel('Address').fill('javascript:alert(1)');
    await dialog.getByLabel('Needed right').fill('not there');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText(/begins with http:\/\/ or https:\/\/, without a password/)).toBeVisible();
    await dialog.getByLabel('Address').fill('https://times.example.org/start');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('There is no such right.')).toBeVisible();
    await dialog.getByLabel('Needed right').fill('');
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'times.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(drawing) });
    await dialog.getByText('In other languages').click();
    await dialog.getByRole('group', { name: 'Deutsch' }).getByLabel('Name').fill('Zeiten');
    await expectNoViolations(page, 'the dialog of an application');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /^Timesheets\s*times\.example\.org/]);
    await expect(tiles.last()).toHaveAttribute('href', 'https://times.example.org/start');
    await expect
      .poll(() =>
        tiles
          .last()
          .locator('img')
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBeGreaterThan(0);
  });

  await test.step('orders them with the keyboard and by dragging', async () => {
    await page.getByRole('button', { name: 'Add an app' }).first().click();
    await dialog.getByLabel('Name').first().fill('Orders');
    await dialog.getByLabel('Address').fill('https://orders.example.org');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(list.getByRole('listitem')).toHaveText([/Orders/, /Timesheets/]);
    await page.getByRole('button', { name: 'Move “Orders”, 1 of 2' }).focus();
    await page.keyboard.press('ArrowDown');
    await expect(list.getByRole('listitem')).toHaveText([/Timesheets/, /Orders/]);
    await expect(page.getByRole('button', { name: 'Move “Orders”, 2 of 2' })).toBeFocused();
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /^Timesheets/, /Orders/]);
    const from = await restingBox(page.getByRole('button', { name: 'Move “Orders”, 2 of 2' }));
    const to = await restingBox(list.getByRole('listitem').first());
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + 4, { steps: 4 });
    await page.mouse.up();
    await expect(list.getByRole('listitem')).toHaveText([/Orders/, /Timesheets/]);
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /Orders/, /^Timesheets/]);
    await expectNoViolations(page, 'the applications');
  });

  await test.step('gives one to those with a right alone, and removes the other', async () => {
    await list.getByRole('button', { name: /^Orders/ }).click();
    await dialog.getByLabel('Needed right').fill('FLAGS_READ');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /^Timesheets/]);
    await api.setRoles(mia.id, ['operator']);
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /Orders/, /^Timesheets/]);
    await page.getByRole('button', { name: 'Actions for “Timesheets”' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(tiles).toHaveText([/^Map/, /^My reports/, /Orders/]);
    await page.getByRole('button', { name: 'Actions for “Orders”' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('heading', { name: 'No applications yet' })).toBeVisible();
  });
});
