import { bearerOf, callerWith, expect, test } from '#e2e/fixtures.ts';

test('CON-2: an operator lands on the overview, reads its pictures by keyboard, sees a report arrive, and goes where it needs them', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn('operator');
  await expect(page).toHaveURL('/console');
  const main = page.getByRole('main');
  const tile = main.locator('section').filter({ has: page.getByRole('heading', { name: 'Open reports' }) });
  const online = main
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'People online' }) });
  await expect(online).toContainText(/[1-9]\d* tabs?/);
  const bars = tile.getByRole('slider', { name: /^Received in the last 14 days/ });
  await bars.focus();
  const today = await bars.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowLeft');
  await expect(bars).not.toHaveAttribute('aria-valuetext', today ?? '');
  await page.keyboard.press('End');
  await expect(bars).toHaveAttribute('aria-valuetext', today ?? '');

  await page
    .getByRole('group', { name: 'Period of the pictures' })
    .getByRole('button', { name: '30 d' })
    .click();
  await expect(tile.getByRole('slider', { name: /^Received in the last 30 days/ })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: '30 d' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: '24 h' }).click();
  await expect(bars).toBeVisible();

  const hers = await signIn(mia);
  await expect(hers.getByText('Everything is running.')).toBeVisible();
  await expect(hers.getByRole('link', { name: 'Console', exact: true })).toHaveCount(0);
  const words = `Arrives at the overview ${Date.now()}`;
  await callerWith(await bearerOf(hers), installation)('POST', '/v1/feedback', { message: words });
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText(words);
  await expect(bars).not.toHaveAttribute('aria-valuetext', today ?? '');

  await attention
    .getByRole('listitem')
    .filter({ hasText: words })
    .getByRole('link', { name: 'Read', exact: true })
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

test('CON-2 LOOK-1: bars stand where the tiles come while the overview loads', async ({ signIn }) => {
  const asked = Promise.withResolvers<void>();
  const page = await signIn('operator', {
    at: '/console',
    before: (opened) =>
      opened.route('**/v1/overview*', async (route) => {
        await asked.promise;
        await route.continue();
      }),
  });
  const boxes = (shown: string) =>
    page.locator(shown).evaluateAll((elements) =>
      elements.slice(0, 4).map((element) => {
        const { x, y, width } = element.getBoundingClientRect();
        return [x, y, width].map(Math.round);
      }),
    );
  await expect(page.locator('.skeleton-row')).toHaveCount(6);
  const bars = await boxes('.skeleton-row');
  asked.resolve();
  await expect(page.locator('.overview-tile')).toHaveCount(4);
  expect(await boxes('.overview-tile')).toEqual(bars);
});
