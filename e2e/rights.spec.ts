import type { Page } from '@playwright/test';
import { expect, fillSignIn, test } from './fixtures.ts';

test('RIGHT-5 RIGHT-6 RIGHT-8: a role that is taken away warns, names what was lost, and takes the screen', async ({
  backstage,
  signIn,
}) => {
  const sam = await backstage.person('Sam', ['support']);
  const page = await signIn(sam);
  await withoutStream(page);
  await expect(page.getByRole('link', { name: 'People' }).first()).toBeVisible();

  await backstage.setRoles(sam.id, ['member']);
  // The tab comes back to the front, which asks at once.
  await comeBack(page);

  const warning = page.getByRole('alert').filter({ hasText: 'permissions' });
  await expect(warning).toBeVisible();
  await expect(warning).toContainText('See people');
  await expect(warning.getByRole('button', { name: 'Reload' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0);
});

test('RIGHT-5 RIGHT-6: a refused call asks at once, and there is one warning at most', async ({
  backstage,
  signIn,
}) => {
  const olga = await backstage.person('Olga', ['operator']);
  const page = await signIn(olga);
  await withoutStream(page);
  await page.getByRole('link', { name: 'Flags' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();

  // Whatever else asks for the rights meanwhile is answered after the refusal, which is what this is about.
  const refusal = page.waitForResponse(
    (response) => response.status() === 403 && /\/maintenance/.test(response.url()),
  );
  await page.route('**/users/current/permissions*', async (route) => {
    await refusal;
    await route.continue();
  });
  await backstage.setRoles(olga.id, ['support']);
  await page.getByRole('link', { name: 'Maintenance' }).first().click();
  await expect(page.getByRole('alert').filter({ hasText: 'permissions' })).toHaveCount(1);
  await backstage.setRoles(olga.id, ['member']);
  await comeBack(page);
  await expect(page.getByRole('link', { name: 'People' })).toHaveCount(0);
  await expect(page.getByRole('alert').filter({ hasText: 'permissions' })).toHaveCount(1);
});

test('RIGHT-6: what somebody is typing on a screen that they lose stays until they leave it', async ({
  backstage,
  signIn,
}) => {
  const olga = await backstage.person('Olga', ['operator']);
  const page = await signIn(olga);
  await page.getByRole('link', { name: 'Maintenance' }).first().click();
  await page.getByLabel('Text').fill('half a sentence');

  await backstage.setRoles(olga.id, ['member']);
  await expect(page.getByRole('alert').filter({ hasText: 'permissions' })).toBeVisible();
  await expect(page.getByLabel('Text')).toHaveValue('half a sentence');
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('link', { name: 'Maintenance' })).toHaveCount(0);
});

test('SES-8: a blocked person is refused at the next request and does not come in again', async ({
  backstage,
  signIn,
}) => {
  const sam = await backstage.person('Sam', ['support']);
  const page = await signIn(sam);
  await withoutStream(page);
  await backstage.setBlocked(sam.id, true);
  // The page goes to the sign-in by itself, at the latest with this request; the stream of the flags may have been refused
  // before. While the provider still knows them they hear it at once, afterwards once they have given their password.
  const refused = page.getByRole('heading', { name: 'You cannot come in at the moment' });
  const password = page.getByLabel('Password', { exact: true });
  const gone = refused.or(password);
  await page.getByRole('link', { name: 'People' }).or(gone).first().click();
  await expect(gone).toBeVisible();
  await expect(page.getByRole('row', { name: /example\.org/ })).toHaveCount(0);
  if (await password.isVisible()) await fillSignIn(page, sam);
  await expect(refused).toBeVisible();
});

/** Nothing is told as it happens, as where a proxy keeps streams back; `live.spec.ts` is about what is. */
async function withoutStream(page: Page): Promise<void> {
  await page.route('**/v1/events*', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
}

/** What a browser tells a page that was in the background. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}
