import type { BrowserContext, Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoViolations } from './accessible.ts';
import {
  createApi,
  dateField,
  expect,
  fillDate,
  fillSignIn,
  signInQuickly,
  test,
  watchConsole,
  watchShifts,
  tabTo,
} from './fixtures.ts';
import { claimed, operator, type Installation } from './installation.ts';

// `look.spec.ts` checks each screen as it opens; here are the entry pages, and the dialogs of the screens.

test('LOOK-1 LOOK-2 API-2: the pages before the application are accessible, fit 320 px and break no policy', async ({
  browser,
  start,
}) => {
  test.setTimeout(300_000);
  const installation = await start();
  const context = await browser.newContext();
  const consoleErrors = watchConsoleAndPolicy(context);
  const page = await context.newPage();
  const button = (name: string) => page.getByRole('button', { name });

  await test.step('set-up', async () => {
    await page.goto(`${installation.url}/set-up`);
    await expectAccessible(page, 'set-up without its token');
    await page.goto(installation.setUpLink());
    await expect(button('Create account')).toBeVisible();
    await expectAccessible(page, 'set-up');
    await button('Create account').click();
    await expect(page.getByRole('alert').first()).toBeVisible();
    await expectAccessible(page, 'set-up with errors');
    await claim(installation);
    await page.goto(`${installation.url}/set-up`);
    await expectAccessible(page, 'set-up once there is an operator');
  });

  const api = createApi(installation);
  await test.step('invitation', async () => {
    await page.goto(await api.invite('Ivo'));
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Ivo');
    await expectAccessible(page, 'invitation');
    await page.goto(`${installation.url}/invitation#${'x'.repeat(43)}`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('no longer works');
    await expectAccessible(page, 'invitation that does not work');
  });

  await test.step('sign-in', async () => {
    await page.goto(installation.url);
    await expectAccessible(page, 'sign-in');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page, 'sign-in with nothing filled in');
    await fillSignIn(page, { ...operator, password: 'not the password at all' });
    await expect(page.getByText('The email address or the password is wrong.')).toBeVisible();
    await expectAccessible(page, 'sign-in with a wrong password');
    await page.goto(`${installation.url}/auth/failed?reason=blocked`);
    await expectAccessible(page, 'sign-in of a person who is blocked');
  });

  await test.step('maintenance page, without its scripts and with them', async () => {
    const text = 'The roof is being mended.\nBring an umbrella.';
    await api.setMaintenance({ mode: 'full', text, expectedEnd: Date.now() + 3_600_000 });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(installation.url);
    await expect(page.getByText('The roof is being mended.')).toBeVisible();
    await expectAccessible(page, 'maintenance page as the server sends it');
    await page.unrouteAll();
    await page.goto(installation.url);
    await expect(page.getByRole('timer')).toHaveText(/^\d+:\d\d$/);
    await expectAccessible(page, 'maintenance page');
  });

  expect(consoleErrors).toEqual([]);
  await context.close();
});

test('LOOK-1 LOOK-2 API-2: the console is accessible when empty, after failures, and with its dialogs open, and breaks no policy', async ({
  browser,
  start,
}) => {
  test.setTimeout(300_000);
  const installation = await start(claimed);
  const api = createApi(installation);
  const mia = await api.person('Mia', ['member']);
  const context = await browser.newContext();
  const consoleErrors = watchConsoleAndPolicy(context);
  const page = await context.newPage();
  const button = (name: string) => page.getByRole('button', { name }).last();
  const dialog = page.getByRole('dialog');
  await signInQuickly(page, installation.url, operator, '/flags');

  await test.step('flags', async () => {
    await expect(page.getByText('No flags', { exact: true })).toBeVisible();
    await expectAccessible(page, 'no flags');
    await page.route('**/v1/flags', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toBeVisible();
    await expectAccessible(page, 'flags that could not be loaded');
    await page.unrouteAll();
    await expect(page.getByText('No flags', { exact: true })).toBeVisible();

    await button('New flag').click();
    await expectAccessible(page, 'new flag', dialog);
    await dialog.getByRole('textbox', { name: /^Key/ }).fill('has spaces');
    await button('Create flag').click();
    await expect(dialog.getByRole('alert').first()).toBeVisible();
    await expectAccessible(page, 'new flag with errors', dialog);
    await page.keyboard.press('Escape');
    await expectAccessible(page, 'the question about what is typed', page.getByRole('alertdialog'));
    await button('Discard').click();
    await expect(dialog).toHaveCount(0);
    await button('Connect an SDK').click();
    await expect(dialog.getByText('In your application')).toBeVisible();
    // A headless browser refuses to copy without this permission.
    await context.grantPermissions(['clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy Client key' }).click();
    await expect(dialog.getByText('Copied.')).toBeVisible();
    await expectAccessible(page, 'connect an SDK', dialog);

    const { key } = await api.createFlag('LIMITS', { type: 'json', defaultValue: { file: 20 } });
    await page.goto(`${installation.url}/flags/${key}`);
    await button('Add a rule').click();
    await page.getByRole('button', { name: 'or', exact: true }).last().click();
    await button('Add a rollout').click();
    // Ids are random: of two people none, one or both can be among the 20 %.
    await expect(
      page.getByText(/None of the 2 people known here gets another value\.|[12] of 2 gets? /),
    ).toBeVisible();
    // Nothing is to stand half behind the bar at the top.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectAccessible(page, 'a flag whose rules are edited');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await expectAccessible(page, 'a flag as JSON');
    await button('Discard').click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await button('Archive flag').click();
    await expectAccessible(page, 'archive flag', dialog);
    await page.goto(`${installation.url}/flags?search=nothing`);
    await expect(page.getByText('No matching flags')).toBeVisible();
    await expectAccessible(page, 'no flag found');
  });

  await test.step('people', async () => {
    // The address of the time when a person was a dialog leads to the page.
    await page.goto(`${installation.url}/people?person=${mia.id}`);
    await expect(page.getByRole('heading', { name: 'Latest activity' })).toBeVisible();
    await expectAccessible(page, 'person');
    for (const tab of ['Access', 'Sessions', 'Reports', 'Activity']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible();
      await expectAccessible(page, `person, ${tab}`);
    }
    await page.getByRole('tab', { name: 'Access' }).click();
    await button('Change roles').click();
    await expect(dialog.getByRole('checkbox', { name: 'Member' })).toBeChecked();
    await expectAccessible(page, 'roles of a person', dialog);
    await page.keyboard.press('Escape');
    await button('Actions').click();
    await page.getByRole('menuitem', { name: 'Block' }).click();
    await expectAccessible(page, 'block a person', dialog);
    await page.goto(`${installation.url}/people`);
    await button('Invite a person').click();
    await dialog.getByLabel('Email').fill('ivo@example.org');
    await button('Create invitation').click();
    await expect(dialog.getByLabel('Invitation link')).toBeVisible();
    await expectAccessible(page, 'invitation link', dialog);
    await button('Done').click();
    await button('Close anyway').click();
    await expect(dialog).toHaveCount(0);
    await button('Account of').click();
    await page.getByRole('menuitem', { name: 'Change password' }).click();
    await expect(dialog).toBeVisible();
    await expectAccessible(page, 'change password', dialog);
  });

  await test.step('maintenance, its notice in each severity, and a notification', async () => {
    await page.goto(`${installation.url}/maintenance`);
    for (const severity of ['HIGH', 'MEDIUM', 'INFO']) {
      await button(severity === 'HIGH' ? 'Publish a notice' : 'Change notice').click();
      await page.getByLabel('Text').fill('Save your work before ten tonight.');
      await page.getByLabel('Severity').selectOption(severity);
      await button('Publish notice').click();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole('status').filter({ hasText: 'Notice published' }).first()).toBeVisible();
      await expect(page.locator(`.notice-banner.tone-${severity.toLowerCase()}`).first()).toBeVisible();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expectNoViolations(page, `notice ${severity}, ${colorScheme}`, { within: '.notice-banner' });
      }
    }
    await button('Start maintenance …').click();
    await fillDate(dateField(page, 'Expected end'), '2037-05-04T22:30');
    await expectAccessible(page, 'about to close', dialog);
    await page.keyboard.press('Escape');
    await button('Discard').click();
    await expect(dialog).toHaveCount(0);

    await api.setMaintenance({ mode: 'full' });
    await page.getByRole('button', { name: 'Continue as operator' }).click();
    await expect(page.locator('.notice-line')).toBeVisible();
    await expectAccessible(page, 'passed through');
  });

  expect(consoleErrors).toEqual([]);
  await context.close();
});

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
  // The row is one stop; arrows lead to what else is in it.
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
  const page = await signIn('operator');
  const moved = await watchShifts(page);
  const painted = Promise.withResolvers<void>();
  await page.route('**/v1/flags', async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.goto('/flags');
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

/** Everything the console and the Content-Security-Policy complain about. */
function watchConsoleAndPolicy(context: BrowserContext): string[] {
  const consoleErrors = watchConsole(context);
  void context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    ),
  );
  return consoleErrors;
}

/** Claims the installation for the operator, as the set-up page does. */
async function claim(installation: Installation): Promise<void> {
  const token = new URL(installation.setUpLink()).hash.slice(1);
  const response = await fetch(`${installation.url}/v1/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...operator, token, firstName: 'Olga', lastName: 'Operator' }),
  });
  expect(response.ok).toBe(true);
}

/** Within a row of a table. */
async function arrowTo(page: Page, target: Locator, key: 'ArrowLeft' | 'ArrowRight'): Promise<void> {
  for (let presses = 0; presses < 10; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('The arrows do not get there.');
}
