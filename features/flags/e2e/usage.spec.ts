import type { FlagUsage } from '#features/flags/contract/usage.ts';
import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('FLAG-16: the page of a flag shows its use, in words where nothing is known, and by keyboard', async ({
  signIn,
  api,
}) => {
  // One that is on is evaluated with all others for each page that is open.
  const { key } = await api.createFlag(`USED_${Date.now()}`, { enabled: false });
  const page = await signIn('operator', { at: `/flags/${key}?tab=use` });
  const panel = page.getByRole('tabpanel', { name: 'Use' });
  await expect(panel).toContainText('Not known');
  await expect(panel.getByRole('listbox', { name: 'Last 30 days: 0 evaluations' })).toBeVisible();

  // Counts are written once a minute.
  await page.route(`**/v1/flags/${key}/usage`, async (route) => {
    const response = await route.fetch();
    const usage = (await response.json()) as FlagUsage;
    const counted = { evaluations: 1_200, seen: 40 };
    const json: FlagUsage = {
      ...usage,
      verdict: 'unread',
      safeToRemove: true,
      lastRead: Date.now() - 16 * 86_400_000,
      days: usage.days.map((day, index) => (index === 3 ? { ...day, ...counted } : day)),
      values: [
        { value: '"a long value of a flag"', ...counted },
        { value: '', evaluations: 0, seen: 1 },
      ],
      keys: [{ name: 'Shop', ...counted, lastAt: Date.now() - 3_600_000, sdks: ['js 1.8.0'] }],
    };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await expect(panel).toContainText('Safe to remove');
  const bars = panel.getByRole('listbox', { name: /^Last 30 days: 1,200 evaluations, 40 results seen/ });
  await bars.getByRole('option').last().focus();
  await page.keyboard.press('Home');
  await expect(bars.getByRole('option').first()).toBeFocused();
  await expect(panel.getByRole('listitem').filter({ hasText: 'Shop · js 1.8.0' })).toContainText(
    '40 results seen',
  );
  await panel.getByRole('button', { name: '24 h' }).click();
  await expect(panel.getByRole('listbox', { name: 'Last 24 hours: 0 evaluations' })).toBeVisible();
  await expectAccessible(page, 'the use of a flag');

  await page.goto(`${new URL(page.url()).origin}/settings/client-keys`);
  await page.getByRole('row', { name: /SDKs that evaluate/ }).click();
  await expect(page.getByRole('dialog')).toContainText('Last read');
  await expect(page.getByRole('dialog')).toContainText('Reporting SDKs');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table')).toContainText('Last read');
  await expectAccessible(page, 'client keys with their last reads');
});
