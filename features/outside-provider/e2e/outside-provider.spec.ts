import { expectNoViolations } from '#e2e/accessible.ts';
import { expect } from '#e2e/fixtures.ts';
import { signInOutside, test } from './outside-provider.ts';

test('SES-4 SES-7 START-6: the first operator signs in through the company’s provider by the set-up link, and out again; while it is away the page reports it', async ({
  browser,
  provider,
  start,
}) => {
  const installation = await start({ ...provider.settings, OIDC_LABEL: 'Example Works' });
  const claims = {
    email: 'mia@example.org',
    email_verified: true,
    given_name: 'Mia',
    family_name: 'Keller',
  };
  await provider.serve(installation.url, { mia: { claims } });
  const page = await browser.newPage();

  await page.goto(installation.setUpLink());
  const setUp = page.getByRole('button', { name: 'Sign in with Example Works' });
  await expect(setUp).toBeVisible();
  await setUp.click();
  await signInOutside(page, 'mia');
  await expect(page.getByRole('link', { name: 'People', exact: true })).toBeVisible();

  // No account has a password here, so that there is no link to pass on.
  await page.getByRole('link', { name: 'People', exact: true }).click();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Email/).fill('ivy@example.org');
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await expect(
    dialog.getByRole('status').filter({ hasText: 'ivy@example.org can now sign in' }),
  ).toBeVisible();
  await expect(dialog.getByText('verified at Example Works')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').getByRole('link', { name: 'ivy@example.org' }).click();
  await expect(page.getByText('They have not signed in yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: 'Block…' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /link|password/ })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /account/i }).click();
  await expect(page.getByRole('menuitem', { name: 'Change password' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: /yes|sign me out/i }).click();
  await expect(page.getByRole('heading', { name: 'Company sign-in' })).toBeVisible();

  await provider.stop();
  await installation.restart();
  await page.goto(`${installation.url}/people`);
  await expect(page.getByRole('heading', { name: 'The sign-in service does not answer' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Try again' })).toHaveAttribute('href', /returnTo=%2Fpeople$/);
  await page.close();
});

test('START-6 SES-13: whom OPERATOR_EMAIL names is no operator with an address that is not verified, and reads what to do; once one, they sign in again at the provider in another window for a dangerous step, by keyboard, which then saves what was typed', async ({
  browser,
  provider,
  start,
}) => {
  const settings = { ...provider.settings, OIDC_LABEL: 'Example Works', OPERATOR_EMAIL: 'mia@example.org' };
  const installation = await start(settings);
  const claims = { email: 'mia@example.org', given_name: 'Mia' };
  await provider.serve(installation.url, { mia: { claims } });
  const early = await browser.newPage();
  await early.goto(installation.url);
  await signInOutside(early, 'mia');
  await expect(early.getByRole('heading', { name: 'you are no operator' })).toBeFocused();
  await expect(early.getByText('Example Works does not say that it has verified it')).toBeVisible();
  await early.getByRole('link', { name: 'Continue without being operator' }).click();
  await expect(early.getByRole('button', { name: /account/i })).toBeVisible();
  await expect(early.getByRole('link', { name: 'People', exact: true })).toHaveCount(0);
  await early.close();

  const mia = { claims: { ...claims, email_verified: true } };
  await provider.serve(installation.url, { mia }, { claims: { auth_time: null } });
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  await page.goto(`${installation.url}/settings/api-tokens`);
  await signInOutside(page, 'mia');

  await page.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'New token' });
  await form.getByLabel('Name').fill('Nightly');
  await form.getByRole('checkbox').first().check();
  await form.getByRole('button', { name: 'Create' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(proof.getByRole('link', { name: 'Sign in at Example Works' })).toBeFocused();
  await expectNoViolations(page, 'the proof at a provider');

  const signInAgain = async () => {
    const opened = context.waitForEvent('page');
    await page.keyboard.press('Enter');
    const window = await opened;
    await window.getByLabel('Account').fill('mia');
    await window.keyboard.press('Enter');
    return window;
  };
  const silent = await signInAgain();
  await expect(silent.getByRole('heading', { name: 'Not confirmed' })).toBeFocused();
  await expect(silent.getByText('OIDC_STEP_UP=off')).toBeVisible();
  await expectNoViolations(silent, 'the window in which nothing was proved');
  await silent.close();
  await expect(proof.getByRole('alert')).toContainText('Example Works does not say when you signed in');

  await provider.serve(installation.url, { mia });
  await expect(proof.getByRole('link', { name: 'Open again' })).toBeFocused();
  await signInAgain();
  await expect(proof).toHaveCount(0);
  await expect(page.getByRole('dialog')).toContainText('The token is ready.');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Nightly')).toBeVisible();
  await context.close();
});
