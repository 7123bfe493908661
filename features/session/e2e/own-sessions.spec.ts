import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('SES-3, LOOK-2: a person sees where they are signed in and ends one of them, and then all others, at once', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia, { at: '/profile' });
  const phone = await signIn(mia);
  const library = await signIn(mia);

  await page.getByRole('link', { name: 'See where you are signed in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your sessions' })).toBeVisible();
  const rows = page.getByRole('row').filter({ hasText: /Chrome on/ });
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  await expectNoViolations(page, 'own sessions');

  // By keyboard alone; the first button of a row belongs to the browser that was seen last.
  const end = page.getByRole('button', { name: /^Sign out there: Chrome on/ });
  await expect(end).toHaveCount(2);
  await end.first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(end.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Sign out there' }).press('Enter');
  await expect(rows).toHaveCount(2);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await dialog.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible();
  // Both receive it on their stream, and go to the sign-in.
  for (const other of [phone, library])
    await expect(
      other.getByText(
        'You ended this session from another browser. If that was not you, change your password.',
      ),
    ).toBeVisible();
  await page.reload();
  await expect(rows).toHaveCount(1);
});
