import type { CDPSession, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, fillSignIn, test } from '#e2e/fixtures.ts';

/** A device that keeps passkeys, as Chromium has one for tests; it answers as if a finger were on it. */
async function addAuthenticator(page: Page, synced = false): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: synced,
      defaultBackupState: synced,
    },
  });
  return session;
}

/** The present code of a secret, as an app shows it. */
function codeOf(secret: string, at = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) }).generate({ timestamp: at });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

test('SES-10: a passkey is made, signs in alone by keyboard at 360 px, is renamed and removed', async ({
  api,
  installation,
  signIn,
}) => {
  const page = await signIn(await api.person('Mia', ['member']), { at: '/security' });
  await addAuthenticator(page, true);
  const dialog = page.getByRole('dialog');
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByLabel('Name').fill('My telephone');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download as a text file' }).click();
  expect((await download).suggestedFilename()).toBe('portico-recovery-codes.txt');
  await expectNoViolations(page, 'recovery codes');
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByRole('listitem')).toContainText('My telephone');
  await expect(passkeys.getByRole('listitem')).toContainText('Synced');
  await expect(page.getByText('10 codes are left.')).toBeVisible();
  await expectNoViolations(page, 'security');

  await page.setViewportSize({ width: 360, height: 740 });
  await signOut(page);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Account/ })).toBeVisible();
  await page.goto(`${installation.url}/security`);
  await expect(passkeys.getByRole('listitem')).toContainText('Last used');

  await page.getByRole('button', { name: 'More for “My telephone”' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await dialog.getByLabel('Name').fill('Old telephone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'More for “Old telephone”' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(passkeys.getByRole('listitem')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toHaveCount(0);
});

test('SES-11: codes of an app are asked for after the password, a recovery code stands in once, and a browser is trusted', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia, { at: '/security' });
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Set up one-time codes' }).click();
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectNoViolations(page, 'one-time codes');
  const secret = await dialog.locator('code').innerText();
  await dialog.getByLabel('Code from the app').fill('123');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('This is not the present code.');
  await dialog.getByLabel('Code from the app').fill(codeOf(secret));
  await page.keyboard.press('Enter');
  const codes = dialog.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recovery = await codes.first().innerText();
  await dialog.getByRole('button', { name: 'I have saved them' }).click();

  await signOut(page);
  await fillSignIn(page, mia);
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeFocused();
  await expectNoViolations(page, 'the second step');
  await page.getByLabel('Code').fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('The code is wrong');
  await page.getByLabel('Code').fill(recovery.toLowerCase());
  await page.getByRole('checkbox', { name: 'Do not ask on this browser for 30 days' }).check();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('navigation').first()).toBeVisible();

  await signOut(page);
  await fillSignIn(page, mia);
  await expect(page.getByRole('navigation').first()).toBeVisible();
});
