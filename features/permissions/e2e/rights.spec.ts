import type { Page } from '@playwright/test';
import { expectNoViolations } from '#e2e/accessible.ts';
import { comeBack, expect, test } from '#e2e/fixtures.ts';

test('RIGHT-5 RIGHT-6 RIGHT-8 NOTE-1: a refused call loads the rights at once and removes the screens; there is one warning at most, which adds up until it is closed and is read out each time', async ({
  api,
  signIn,
}) => {
  const olga = await api.person('Olga', ['operator']);
  const page = await signIn(olga, { at: '/flags', before: withoutStream });
  await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();

  // Whatever else asks for the rights before is answered after the refusal, which is what this is about.
  const refusal = page.waitForResponse(
    (response) => response.status() === 403 && /\/maintenance/.test(response.url()),
  );
  await page.route('**/users/current/permissions*', async (route) => {
    await refusal;
    await route.continue();
  });
  await api.setRoles(olga.id, ['support']);
  await page.getByRole('link', { name: 'Maintenance' }).first().click();
  const warning = page.getByRole('alert').filter({ hasText: 'permissions' });
  await expect(warning).toHaveCount(1);
  await expect(warning).toContainText(/Lost: .*See flags/);
  await expect(warning).not.toContainText('See people');
  // The same live region gets new text, which a screen reader that waits for new nodes has to read out too.
  await warning.evaluate((region) => {
    region.setAttribute('data-known', '');
    region.querySelector('.notification-words')?.setAttribute('data-known', '');
  });
  await api.setRoles(olga.id, ['member']);
  await comeBack(page);
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0);
  await expect(warning).toHaveCount(1);
  await expect(warning).toContainText(/Lost: See flags.*See people/);
  await expect(warning).not.toContainText('See the map');
  await expect(warning.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(warning).toHaveAttribute('data-known');
  await expect(warning.locator('.notification-words')).not.toHaveAttribute('data-known');

  await warning.getByRole('button', { name: 'Close' }).click();
  await expect(warning).toHaveCount(0);
  await api.setRoles(olga.id, ['support']);
  await comeBack(page);
  await expect(warning).toContainText(/Gained: .*See people/);
  await expect(warning).not.toContainText('Lost');
  await api.setRoles(olga.id, ['member']);
  // A tab that becomes visible loads the rights at once.
  await comeBack(page);
  await expect(warning, 'all of it was taken back').toHaveCount(0);
  await page.getByRole('button', { name: /^Account of / }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  const rights = page.getByRole('region', { name: 'Your access' });
  await expect(rights).toContainText('See the map');
  await expect(rights).toContainText('From the role Member');
  await expect(rights).not.toContainText('See people');
});

test('§8 Permissions load failure: the screens show that the rights are not known, and load them again (RIGHT-5, RIGHT-8)', async ({
  signIn,
}) => {
  const refused = /\/users\/current\/(permissions|reports|access)/;
  const before = (opened: Page) => opened.route(refused, (route) => route.abort());
  const page = await signIn('operator', { at: '/profile', before });
  const rights = page.getByRole('region', { name: 'Your access' });
  await expect(rights.getByRole('alert')).toContainText('Your rights could not be loaded.');
  await expect(rights).not.toContainText('no rights yet');
  await page.unrouteAll({ behavior: 'wait' });
  await rights.getByRole('button', { name: 'Try again' }).click();
  await expect(rights).toContainText('See flags');
  await expect(page.getByRole('alert').filter({ hasText: 'permissions' })).toHaveCount(0);

  await before(page);
  await page.goto('/');
  await expect(page.getByRole('region', { name: 'Your reports' })).toContainText('could not be loaded');
  await expectNoViolations(page, 'home without rights');
  await page.goto('/flags');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This screen could not be loaded');
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Flags');
});

test('RIGHT-6: what a person is typing on a screen that they lose stays until they leave it', async ({
  api,
  signIn,
}) => {
  const olga = await api.person('Olga', ['operator']);
  const page = await signIn(olga, { at: '/maintenance' });
  await page.getByRole('button', { name: 'Publish a notice' }).click();
  await page.getByLabel('Text').fill('half a sentence');

  await api.setRoles(olga.id, ['member']);
  await expect(page.getByRole('alert').filter({ hasText: 'permissions' })).toBeVisible();
  await expect(page.getByLabel('Text')).toHaveValue('half a sentence');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('link', { name: 'Maintenance' })).toHaveCount(0);
});

/** No live events, as behind a proxy that buffers streams; `live.spec.ts` tests them. */
async function withoutStream(page: Page): Promise<void> {
  await page.route('**/v1/events*', (route) => route.abort());
}
