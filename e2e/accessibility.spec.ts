import type { Locator, Page } from '@playwright/test';
import { expect, test, watchShifts, tabTo } from './fixtures.ts';
import { operator } from './installation.ts';

test('LOOK-2: by keyboard alone from the sign-in to a flag that is on, and Escape leads back', async ({
  api,
  browser,
  installation,
}) => {
  const key = `BY_KEYBOARD_${Date.now()}`;
  await api.createFlag(key, { enabled: false, killSwitch: true });
  const page = await browser.newPage();
  const press = (...keys: string[]) =>
    keys.reduce((before, one) => before.then(() => page.keyboard.press(one)), Promise.resolve());
  await page.goto(installation.url);

  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(operator.email);
  await press('Tab');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await page.keyboard.type(operator.password);
  await press('Enter');
  await expect(page.getByRole('main').getByRole('link', { name: 'Connected SDKs' })).toBeVisible();

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, page.getByRole('main').getByRole('link', { name: 'Connected SDKs' }));
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeFocused();

  await tabTo(page, page.getByRole('searchbox'));
  await page.keyboard.type(key);
  const row = page.getByRole('row', { name: new RegExp(key) });
  await expect(page.getByRole('row')).toHaveCount(2);
  const flagSwitch = row.getByRole('switch');
  const opens = row.getByRole('link', { name: new RegExp(key) });
  // Tab stops once in the row; arrows lead to its other controls.
  await tabTo(page, opens);
  await arrowTo(page, flagSwitch, 'ArrowLeft');
  await press('Space');
  await expect(page.getByRole('dialog')).toBeVisible();
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(flagSwitch).toBeFocused();
  await expect(flagSwitch).not.toBeChecked();

  await press('Space');
  await tabTo(page, page.getByRole('dialog').getByRole('button', { name: 'Turn it on' }));
  await press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(flagSwitch).toBeChecked();
  await expect(flagSwitch).toBeFocused();

  await arrowTo(page, opens, 'ArrowRight');
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: key })).toBeFocused();

  const account = page.getByRole('button', { name: /Account of/ });
  await account.focus();
  await press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toBeFocused();
  await press('End');
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
  await press('Escape');
  await expect(account).toBeFocused();
  await page.close();
});

test('LOOK-1: nothing moves while the flags load', async ({ api, signIn }) => {
  await api.createFlag(`STEADY_${Date.now()}`, { description: 'Stands where it stands.' });
  await api.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'MEDIUM' });
  const painted = Promise.withResolvers<void>();
  let moved = (): Promise<number[]> => Promise.resolve([]);
  const page = await signIn('operator', {
    at: '/flags',
    async before(opened) {
      moved = await watchShifts(opened);
      await opened.route('**/v1/flags', async (route) => {
        await painted.promise;
        await route.continue();
      });
    },
  });
  await expect(page.locator('.skeleton-row').first()).toBeVisible();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  painted.resolve();
  await expect(page.getByRole('row', { name: /STEADY_/ }).first()).toBeVisible();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  expect(await moved()).toEqual([]);
});

test('LOOK-2: what moves takes less than 200 ms, and nothing moves with reduced motion', async ({
  signIn,
}) => {
  const page = await signIn('operator', { at: '/people' });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const invite = page.getByRole('button', { name: 'Invite a person' }).first();
  // While the list loads, bars in place of its rows pulse slowly.
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await invite.click();
  const seconds = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('dialog, button, input, .switch input')].map((element) => {
        const { animationDuration, transitionDuration } = getComputedStyle(element);
        return Math.max(...`${animationDuration}, ${transitionDuration}`.split(', ').map(parseFloat));
      }),
    );
  await expect(page.getByRole('dialog')).toBeVisible();
  const usual = await seconds();
  expect(Math.max(...usual)).toBeGreaterThan(0.05);
  expect(Math.max(...usual)).toBeLessThan(0.2);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(Math.max(...(await seconds()))).toBeLessThan(0.001);
});

/** Within a row of a table. */
async function arrowTo(page: Page, target: Locator, key: 'ArrowLeft' | 'ArrowRight'): Promise<void> {
  for (let presses = 0; presses < 10; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('The arrows do not get there.');
}
