import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, fillSignIn, test } from '#e2e/fixtures.ts';

test('SES-3, LOOK-2, SES-1, SES-8: a person sees where they are signed in and ends one of them, then all others, at once; their tabs say so, and return by one sign-in, with what was typed', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const library = await signIn(mia);
  const phone = await signIn(mia);
  const typing = await phone.context().newPage();
  await typing.setViewportSize({ width: 900, height: 500 });
  await typing.goto('/profile');
  await typing.getByLabel('Job title').fill('Analyst');
  const top = () => typing.evaluate(() => window.scrollY);
  await expect.poll(top).toBeGreaterThan(100);
  const before = await top();

  const page = await signIn(mia, { at: '/profile' });
  await page.getByRole('link', { name: 'See where you are signed in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your sessions' })).toBeVisible();
  const rows = page.getByRole('row').filter({ hasText: /Chrome on/ });
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: 'This browser' })).toHaveCount(1);
  await expectNoViolations(page, 'own sessions');

  // By keyboard alone.
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
  // All receive it on their stream, and go to the sign-in.
  const ended = 'You ended this session from another browser. If that was not you, change your password.';
  for (const tab of [library, phone, typing]) await expect(tab.getByText(ended)).toBeVisible();

  await fillSignIn(phone, mia);
  await expect(phone.getByRole('heading', { level: 1 })).toContainText('Mia');
  // Without a click, where it was.
  await expect(typing).toHaveURL('/profile');
  await expect(typing.getByLabel('Job title')).toHaveValue('Analyst');
  await expect(typing.getByText('These changes are from before and not saved yet.')).toBeVisible();
  await expect.poll(top).toBe(before);
});
