import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** Executes the lines that a dialog shows for an SDK, and answers what their last line gives. */
async function executed(page: Page, sdk: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { name: sdk }).click();
  const code = (await dialog.getByRole('tabpanel').innerText()).replace(
    /(.*);\s*$/,
    'console.log(String($1)); process.exit();',
  );
  return (await run(process.execPath, ['--input-type=module', '-e', code], { cwd: root })).stdout.trim();
}

const sdks = ['GrowthBook', 'OpenFeature Node.js', 'OpenFeature Web'];

test('FLAG-13 FLAG-1 FLAG-21: the lines that the console shows for each SDK read a flag, and a key is set to keep variations', async ({
  signIn,
  api,
}) => {
  await api.createFlag('NEW_SEARCH');
  const page = await signIn('operator', { at: '/flags' });
  await page.getByRole('button', { name: 'Connect an SDK' }).click();
  for (const sdk of sdks) expect([sdk, await executed(page, sdk)]).toEqual([sdk, 'true']);
  await page.getByRole('tab', { name: 'OpenFeature Web' }).press('ArrowRight');
  await expect(page.getByRole('tabpanel')).toContainText('pip install openfeature-provider-ofrep');

  await page.goto('/settings/client-keys');
  await page
    .getByRole('row', { name: /remote evaluation/ })
    .getByRole('button')
    .first()
    .click();
  for (const sdk of sdks) expect([sdk, await executed(page, sdk)]).toEqual([sdk, 'true']);

  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: 'Keep variations' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page, 'a key for remote evaluation', dialog);
});
