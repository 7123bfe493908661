import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectFits, expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('RUN-7: backups are set up, made by a press and verified by screen', async ({ signIn }) => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-backups-'));
  const page = await signIn('operator', { at: '/settings/backups' });
  await expect(page.getByText('No backups yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Back up now' })).toBeDisabled();

  await page.getByRole('textbox', { name: 'Folder' }).fill('/nowhere/at/all');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('There is no such folder')).toBeVisible();
  await page.getByRole('textbox', { name: 'Folder' }).fill(folder);
  await page.getByLabel('Time of day').fill('02:30');
  await page.getByRole('textbox', { name: 'Backups to keep' }).fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Backup settings saved')).toBeVisible();
  await expect(page.getByText('The next one is planned for')).toBeVisible();

  await page.getByRole('button', { name: 'Back up now' }).click();
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Good', { timeout: 90_000 });
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^portico-.*\.tar$/)]);
  await row.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('dialog')).toContainText('The data of this installation is not touched');
  await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
  await expect(row).toContainText('Restorable', { timeout: 90_000 });
  await expectNoViolations(page, 'a backup that was verified');

  await page.getByRole('textbox', { name: 'Backups to keep' }).fill('1');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toContainText('deleted for good');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Until then the button may be that of the first save, whose notification stays for eight seconds.
  await expect(page.getByText('Not saved yet.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('textbox', { name: 'Backups to keep' })).toHaveValue('3');

  await expectFits(page, 'backups', 320);
});
