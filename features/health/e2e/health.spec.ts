import { expect, test } from '#e2e/fixtures.ts';

test('RUN-8, RUN-12: an operator looks at what the installation needs, and at its log', async ({
  signIn,
}) => {
  const page = await signIn('operator', { at: '/settings/health' });
  await expect(page.getByText(/^Failed: 0, warnings: \d/)).toBeVisible();
  const checked = page.getByRole('table', { name: 'Checks' });
  await expect(checked.getByRole('row', { name: /^Disk/ })).toContainText(/ has .* free\..*Good/s);
  await expect(checked.getByRole('row', { name: /^Mail/ })).toContainText(
    'SMTP_HOST and MAIL_FROM are not set',
  );

  await page.getByRole('combobox', { name: 'Log level' }).selectOption('Debug');
  await expect(page.getByText(/^Until .*, then as configured again/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Log level' }).selectOption('As configured');
  await expect(page.getByText('Another level lasts 15 minutes')).toBeVisible();
});
