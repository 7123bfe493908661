import type { Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { expectNoViolations } from '#e2e/accessible.ts';
import { allowConsoleError, expect, fillSignIn, test, withOwnInstallation } from '#e2e/fixtures.ts';
import { operator } from '#e2e/installation.ts';

/** Below a base path, which the provider's addresses and cookies have too. */
const belowPath = withOwnInstallation({ BASE_PATH: '/portico' });

/** A device that keeps passkeys, as Chromium has one for tests; it answers as if a finger were on it. */
async function addAuthenticator(page: Page, synced = false): Promise<void> {
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
}

/** The present code of a secret, as an app shows it. */
function codeOf(secret: string, at = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) }).generate({ timestamp: at });
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

belowPath(
  'SES-10 SES-14: a passkey is made, signs in alone by keyboard at 360 px, is renamed and removed; what cannot be loaded is not called unsaved',
  async ({ api, installation, signIn }) => {
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
    const account = page.getByRole('button', { name: /^Account/ });
    // The browser lists the passkey where the address is typed; the device answers as if it had been chosen there.
    const asked = page.waitForURL(/sign-in/, { waitUntil: 'commit' });
    await signOut(page);
    await asked;
    await expect(account).toBeVisible();
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).focus();
    await page.keyboard.press('Enter');
    await expect(account).toBeVisible();
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

    allowConsoleError(page.context(), /500/);
    const answer = {
      status: 500,
      contentType: 'application/problem+json',
      json: { code: 'INTERNAL', status: 500, title: '' },
    };
    for (const path of ['own-changes', 'account/factors']) {
      await page.route(`**/v1/${path}`, (route) => route.fulfill(answer));
      await page.reload();
      await expect(page.getByRole('alert')).toContainText('This could not be loaded. Nothing was changed;');
    }
  },
);

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

test('SES-13: a dangerous step asks who it is, in place, and what was typed is sent after it', async ({
  installation,
  signIn,
}) => {
  const page = await signIn('operator', { at: '/settings/api-tokens' });
  // Ten minutes later, as the server would say.
  let asked = false;
  await page.route('**/v1/api-tokens', async (route) => {
    if (route.request().method() !== 'POST' || asked) return route.fallback();
    asked = true;
    await route.fulfill({
      status: 401,
      contentType: 'application/problem+json',
      json: { type: 'urn:portico:problem:proof-needed', title: 'Proof', status: 401, code: 'PROOF_NEEDED' },
    });
  });
  await page.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'New token' });
  await form.getByLabel('Name').fill('Nightly');
  await form.getByRole('checkbox').first().check();
  await form.getByRole('button', { name: 'Create' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expectNoViolations(page, 'the proof');
  await proof.getByLabel('Your password').fill('not it at all');
  await page.keyboard.press('Enter');
  await expect(proof.getByRole('alert')).toContainText('This is not your password.');
  await proof.getByLabel('Your password').fill(operator.password);
  await page.keyboard.press('Enter');
  await expect(proof).toHaveCount(0);
  await expect(page.getByRole('dialog')).toContainText('The token is ready.');

  // Without another provider the page that proofs end in confirms nothing, whatever its address says.
  await page.goto(`${installation.url}/auth/proof-ended?outcome=proved`);
  await expect(page.getByRole('heading', { name: 'Not confirmed' })).toBeVisible();
  await expect(page.getByText('Nothing was confirmed.')).toBeVisible();
  await expectNoViolations(page, 'the end of a proof');
});
