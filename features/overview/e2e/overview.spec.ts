import { expect, test } from '#e2e/fixtures.ts';

test('CON-2: an operator lands on the overview, reads its pictures by keyboard, sees a report arrive, and goes where it needs them', async ({
  api,
  signIn,
  installation,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn('operator');
  await expect(page).toHaveURL(`${installation.url}/console`);
  const main = page.getByRole('main');
  const tile = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Open reports' }) });
  const bars = tile.getByRole('slider', { name: /^Received in the last 14 days/ });
  await bars.focus();
  const today = await bars.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  await expect(bars).not.toHaveAttribute('aria-valuetext', today ?? '');
  await page.keyboard.press('End');
  await expect(bars).toHaveAttribute('aria-valuetext', today ?? '');

  const hers = await signIn(mia);
  await expect(hers.getByText('Everything is running.')).toBeVisible();
  await expect(hers.getByRole('link', { name: 'Console', exact: true })).toHaveCount(0);
  const words = `Arrives at the overview ${Date.now()}`;
  await hers.getByRole('button', { name: 'Report a Bug' }).click();
  await hers.getByLabel(/^Description/).fill(words);
  await hers.getByRole('button', { name: 'Send' }).click();
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText(words);
  await expect(bars).not.toHaveAttribute('aria-valuetext', today ?? '');

  await attention
    .getByRole('listitem')
    .filter({ hasText: words })
    .getByRole('link', { name: 'Open', exact: true })
    .click();
  await expect(page.getByRole('list', { name: 'Reports' })).toContainText(words);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('region', { name: 'Apps' }).getByRole('link')).toHaveText([
    /^Map/,
    /^My reports/,
  ]);
});
