import { expect, test } from './fixtures.ts';

test('CON-1: a screen that was first opened offline loads by itself when the connection is back', async ({
  signIn,
}) => {
  const page = await signIn('operator');
  const link = page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).first();
  await expect(link).toBeVisible();
  const title = page.getByRole('heading', { name: 'Webhooks', level: 1 });

  await test.step('whose script is missing', async () => {
    await page.context().setOffline(true);
    await link.click();
    await expect(page.getByRole('alert')).toContainText('could not be loaded');
    await page.context().setOffline(false);
    await expect(title).toBeVisible();
    await expect(
      page
        .getByRole('main')
        .getByRole('button', { name: /webhook/ })
        .first(),
    ).toBeVisible();
    const withoutStyle = () =>
      [...document.querySelectorAll('link[rel=stylesheet]')].filter(
        (link) => (link as HTMLLinkElement).sheet === null,
      ).length;
    await expect.poll(() => page.evaluate(withoutStyle), 'a style sheet comes from the store').toBe(0);
  });

  await test.step('a dialog whose script is missing', async () => {
    const script = '**/assets/change-password-dialog-*';
    await page.route(script, (route) => route.abort());
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    const notice = page.getByRole('alert').filter({ hasText: 'This could not be loaded' });
    await expect(notice).toBeVisible();
    await page.unroute(script);
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('dialog', { name: 'Change password' })).toBeVisible();
    await expect(notice).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('whose data is missing', async () => {
    const audit = page.getByRole('navigation').getByRole('link', { name: 'Audit' }).first();
    await page.route('**/v1/audit*', (route) => route.abort());
    await audit.click();
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
    await page.context().setOffline(true);
    await page.unroute('**/v1/audit*');
    await page.context().setOffline(false);
    await expect(page.locator('.audit-days li').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  });
});
