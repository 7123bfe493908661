import { expect, test } from './fixtures.ts';

test('MAINT-2: the banner is closed for this session and comes back when its text changes', async ({
  backstage,
  signIn,
}) => {
  const page = await signIn(await backstage.person('Mia', ['member']));
  const banner = page.locator('.notice-banner');

  await backstage.setMaintenance({ text: 'Save your work before ten.', severity: 'MEDIUM' });
  await expect(banner).toContainText('Save your work before ten.');
  await expect(banner).toHaveAttribute('role', 'alert');
  const pushed = await page.getByRole('banner').boundingBox();
  const shown = await banner.boundingBox();
  expect(pushed?.y).toBeGreaterThanOrEqual((shown?.y ?? 0) + (shown?.height ?? 0));

  await banner.getByRole('button', { name: /close/i }).click();
  await expect(banner).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(banner).toHaveCount(0);

  await backstage.setMaintenance({ text: 'Save your work before nine.', severity: 'INFO' });
  await expect(banner).toContainText('Save your work before nine.');
  await expect(banner).toHaveAttribute('role', 'status');
  await backstage.setMaintenance({ text: '' });
  await expect(banner).toHaveCount(0);
});

test('MAINT-2: the notice is there with the page and does not flash in later', async ({
  backstage,
  signIn,
}) => {
  await backstage.setMaintenance({ text: 'Already there.', severity: 'HIGH' });
  const page = await signIn(await backstage.person('Mia', ['member']));
  await page.route('**/api/features/**', (route) => route.abort());
  await page.route('**/sub/**', (route) => route.abort());
  await page.reload();
  await expect(page.locator('.notice-banner')).toContainText('Already there.');
});

test('MAINT-3: the page needs no sign-in, tells the text and the expected end, and goes away by itself', async ({
  backstage,
  browser,
  house,
}) => {
  await backstage.setMaintenance({
    mode: 'full',
    text: 'The <b>roof</b> is being mended.',
    severity: 'HIGH',
    expectedEnd: Date.now() + 30 * 60_000,
  });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  const answer = await plain.goto(`${house.url}/people`);
  expect(answer?.status()).toBe(503);
  expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(60);
  await expect(plain.getByText('The <b>roof</b> is being mended.')).toBeVisible();
  await context.close();

  const visitor = await browser.newPage();
  await visitor.goto(`${house.url}/people`);
  await expect(visitor).toHaveURL(/\/system-maintenance/);
  await expect(visitor.getByText('The <b>roof</b> is being mended.')).toBeVisible();
  await backstage.setMaintenance({ mode: 'off', text: '' });
  // Back to where they wanted to go, which asks who they are.
  await expect(visitor.getByLabel('Password', { exact: true })).toBeVisible();
  await visitor.close();
});

test('MAINT-3 MAINT-4: typed-in work is kept, and those who may pass through work under a ribbon', async ({
  backstage,
  signIn,
  house,
}) => {
  const olga = await backstage.person('Olga', ['operator']);
  const page = await signIn(olga);
  await page.goto(`${house.url}/people`);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('First name').fill('Half typed');

  await backstage.setMaintenance({ mode: 'full', text: 'Closed.' });
  await expect(page).toHaveURL(/\/system-maintenance(\?|$)/);
  await page.getByRole('button', { name: 'Pass through and continue working' }).click();
  await expect(page.getByText('Maintenance is on and you have passed through.')).toBeVisible();
  await expect(page).toHaveURL(`${house.url}/people`);
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');

  await backstage.setMaintenance({ mode: 'off', text: '' });
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');
});

test('MAINT-6: while read only, reading goes on and a change is refused in words, once', async ({
  backstage,
  signIn,
  house,
}) => {
  const { key } = await backstage.createFlag(`CALM_${Date.now()}`);
  // Nobody of the built-in roles may write and not pass; so the server is asked directly with the person's own token.
  const page = await signIn(await backstage.person('Mia', ['member']));
  await backstage.setMaintenance({ mode: 'read-only', text: 'Reading only.', severity: 'MEDIUM' });
  await expect(page.getByRole('alert').filter({ hasText: 'Reading only.' })).toBeVisible();
  await expect(page).toHaveURL(`${house.url}/`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  await backstage.switchFlag(key, false);
});
