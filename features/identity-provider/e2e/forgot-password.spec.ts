import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { expectNoViolations } from '#e2e/accessible.ts';
import { createApi, expect, fillSignIn, signInQuickly, test } from '#e2e/fixtures.ts';
import { claimed, operator, startInstallation } from '#e2e/installation.ts';

/** A mail server on loopback, and the links in the mails that it received, the address first. */
async function startMailServer() {
  const links: [to: string, link: string][] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        // Plain text in quoted-printable (RFC 2045 6.7): soft line breaks, and `=3D` for `=`.
        const plain = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
        links.push([envelope.rcptTo[0]?.address ?? '', /http:\S+#[\w-]+/.exec(plain)?.[0] ?? '']);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    links,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** An installation of its own: the others have no mail server. */
function startWithMail(port: number, settings: Record<string, string> = {}) {
  return startInstallation({
    ...settings,
    ...claimed,
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_SECURITY: 'none',
    MAIL_FROM: 'portico@example.org',
  });
}

test('SES-3 SES-7 SES-14: a person who forgot their password gets a link by mail, sets another, and is signed out everywhere else', async ({
  browser,
}) => {
  // A server of its own is started, and passwords are hashed five times.
  const post = await startMailServer();
  const installation = await startWithMail(post.port);
  try {
    const mia = await createApi(installation).person('Mia', ['member']);
    const invited = post.links.length;
    const elsewhere = await (await browser.newContext()).newPage();
    await signInQuickly(elsewhere, installation.url, mia);
    await expect(elsewhere.getByRole('heading', { level: 1 })).toContainText('Mia');

    const page = await (await browser.newContext()).newPage();
    await page.goto(installation.url);
    await page.getByLabel('Email').fill(mia.email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    // The typed address is filled in; the keyboard alone is enough from here.
    const email = page.getByLabel('Email');
    await expect(email).toBeFocused();
    await expect(email).toHaveValue(mia.email);
    await expectNoViolations(page, 'wish for a link');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
    await expect(page.getByText(mia.email)).toBeVisible();
    await expectNoViolations(page, 'after the wish');

    await expect.poll(() => post.links.length).toBe(invited + 1);
    const [to, link = ''] = post.links.at(-1) ?? [];
    expect(to).toBe(mia.email);
    await page.goto(link);
    // The token does not stay in the address.
    await expect(page).toHaveURL(/\/[^#]*$/);
    await expect(page.getByRole('heading', { name: 'Choose another password' })).toBeVisible();
    await expect(page.getByLabel('First name')).toHaveCount(0);
    await expectNoViolations(page, 'another password');
    const fresh = 'another long walk for Mia';
    await page.getByLabel(/^Password/).fill('too short');
    await page.getByRole('button', { name: 'Save and go to sign-in' }).click();
    await expect(page.getByText('Use at least 12 characters.')).toBeVisible();
    await page.getByLabel(/^Password/).fill(fresh);
    await page.getByRole('button', { name: 'Save and go to sign-in' }).click();

    // The open tab elsewhere receives it on its stream.
    await expect(elsewhere.getByLabel('Password', { exact: true })).toBeVisible();
    await expect(page.getByText('Your new password is set. Sign in with it.')).toBeVisible();
    await expectNoViolations(page, 'sign-in after another password');
    await fillSignIn(page, { ...mia, password: fresh });
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');

    // The mail that tells her of it (SES-14), on a phone.
    await expect.poll(() => post.links.at(-1)?.[1] ?? link).not.toBe(link);
    const [, denial = ''] = post.links.at(-1) ?? [];
    const phone = await (await browser.newContext({ viewport: { width: 360, height: 740 } })).newPage();
    await phone.goto(denial);
    await expect(phone.getByRole('heading', { name: 'This was not you' })).toBeVisible();
    await expectNoViolations(phone, 'this was not me');
    await phone.getByLabel(/^Password/).fill('a third long walk for Mia');
    await phone.keyboard.press('Enter');
    await expect(phone.getByText('Your new password is set. Sign in with it.')).toBeVisible();
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await fillSignIn(phone, { ...mia, password: 'a third long walk for Mia' });
    await expect(phone.getByRole('heading', { level: 1 })).toContainText('Mia');
    await phone.goto(`${installation.url}/security`);
    const happened = phone.getByRole('region', { name: 'What happened with your account' });
    await expect(happened.getByText('You changed your password.')).toHaveCount(2);
    await expect(happened.getByText('127.0.0.0/24').first()).toBeVisible();

    // Once is enough.
    await elsewhere.goto(link);
    await expect(elsewhere.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    await expect(elsewhere.getByText('a link for a forgotten password for an hour')).toBeVisible();
  } finally {
    await installation.stop();
    await post.close();
  }
});

test('SES-16 SES-12 GATE-1: below a base path an operator names a domain, and a person registers by the mail’s link, by keyboard at 360 px, adds the factor that is due at once, and lands where they were going', async ({
  browser,
}) => {
  const post = await startMailServer();
  const installation = await startWithMail(post.port, { BASE_PATH: '/portico' });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${installation.url}/profile`);
    await expect(page.getByRole('button', { name: 'Forgot your password?' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Create an account' })).toHaveCount(0);

    const console = await (await browser.newContext()).newPage();
    await signInQuickly(console, installation.url, operator, '/settings/sign-in');
    await console.getByLabel('Who gets an account').selectOption({ index: 1 });
    const section = console.getByRole('region', { name: 'Registration' });
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByText('Enter at least one domain.')).toBeVisible();
    await section.getByLabel('Domains').fill('*.acme.com');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(section.getByText('without @ and *')).toBeVisible();
    await section.getByLabel('Domains').fill('ACME.com');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect(console.getByRole('status').filter({ hasText: /Saved/ })).toBeVisible();
    await expect(section.getByLabel('Domains')).toHaveValue('acme.com');
    await expectNoViolations(console, 'registration in the settings');
    await console.getByRole('checkbox', { name: 'Member' }).check();
    await console.getByLabel('Time to set it up').selectOption({ label: 'None' });
    const saved = console.waitForResponse(
      // The number of unsaved forms is reported by PUT too.
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/v1/sign-in-policy'),
    );
    await console.getByRole('button', { name: 'Save' }).first().click();
    expect((await saved).status()).toBe(200);

    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.getByLabel('Email').fill('rita@acme.com');
    await page.getByRole('button', { name: 'Create an account' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible();
    await expect(page.getByLabel('Email')).toBeFocused();
    await expect(page.getByLabel('Email')).toHaveValue('rita@acme.com');
    await expectNoViolations(page, 'wish to register');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused();
    await expect(page.getByText('If rita@acme.com may register')).toBeVisible();

    await expect.poll(() => post.links.length).toBe(1);
    const [to, link = ''] = post.links[0] ?? [];
    expect(to).toBe('rita@acme.com');
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Welcome to Portico' })).toBeVisible();
    await expectNoViolations(page, 'registering');
    await page.getByLabel('First name').focus();
    await page.keyboard.type('Rita');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Registered');
    await page.keyboard.press('Tab');
    await page.keyboard.type('another long walk for R.');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Your account is ready. Sign in with it.')).toBeVisible();
    await fillSignIn(page, { email: 'rita@acme.com', password: 'another long walk for R.' });
    await expect(page.getByRole('heading', { name: 'Protect your account' })).toBeFocused();
    await expectNoViolations(page, 'a first factor at the sign-in');
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    const secret = Secret.fromBase32(
      (await page.locator('.factor-secret').innerText()).replaceAll(/\s/g, ''),
    );
    await page.getByLabel('Code from the app').fill(new TOTP({ secret }).generate());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused();
    await page.getByRole('button', { name: 'I have saved them, go on' }).click();
    await expect(page).toHaveURL(`${installation.url}/profile`);
    await expect(page.getByLabel('First name')).toHaveValue('Rita');
  } finally {
    await installation.stop();
    await post.close();
  }
});
