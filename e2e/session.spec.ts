import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, fillSignIn, forgive, test } from './fixtures.ts';
import { operator } from './house.ts';

test('SES-1 SES-3: a wrong password and a wrong e-mail look the same; the right one leads back to the screen that was asked for', async ({
  browser,
  house,
}) => {
  const page = await browser.newPage();
  await page.goto(`${house.url}/people?search=op`);
  const alert = page.getByRole('alert');

  await fillSignIn(page, { ...operator, password: 'not the password at all' });
  await expect(alert).toBeVisible();
  const wrongPassword = await alert.textContent();
  await fillSignIn(page, { email: 'nobody@example.org', password: 'not the password at all' });
  await expect(alert).toHaveText(wrongPassword ?? '');
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(`${house.url}/people?search=op`);
  await page.close();
});

test('SES-1: a foreign returnTo is ignored', async ({ browser, house }) => {
  const page = await browser.newPage();
  await page.goto(`${house.url}/auth/login?returnTo=${encodeURIComponent('//evil.example/take')}`);
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(`${house.url}/`);
  await page.close();
});

test('SES-1: signing in starts a session with a new id', async ({ browser, house }) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sessionCookie = async () =>
    (await context.cookies(house.url)).find(
      (cookie) => cookie.path === '/' && cookie.httpOnly && /session/.test(cookie.name),
    );
  await page.goto(house.url);
  await fillSignIn(page, operator);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const before = await sessionCookie();
  expect(before).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  await page.goto(`${house.url}/auth/login`);
  // The provider may know them still, and lead back at once.
  const password = page.getByLabel('Password', { exact: true });
  const inside = page.getByRole('navigation').first();
  await expect(password.or(inside).first()).toBeVisible();
  if (await password.isVisible()) await fillSignIn(page, operator);
  await expect(inside).toBeVisible();
  const after = await sessionCookie();
  expect(after?.value).toBeTruthy();
  expect(after?.value).not.toBe(before?.value);
  await context.close();
});

test('SES-2 SES-5: a reload keeps the session; the token is in memory alone; it is renewed before it expires, and the map cookie with it', async ({
  signIn,
}) => {
  const page = await signIn('operator');
  await page.clock.install();
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const stored = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(stored).not.toContain('eyJ');

  const renewal = page.waitForResponse((response) => response.url().endsWith('/auth/token') && response.ok());
  const mapCookie = page.waitForResponse(
    (response) => response.url().endsWith('/cookies/token') && response.request().method() === 'POST',
  );
  await page.clock.fastForward('04:50');
  await renewal;
  expect((await mapCookie).status()).toBe(204);
  const cookie = (await page.context().cookies()).find(({ path }) => path === '/geoserver');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
});

test('SES-1: a session that has ended leads to the sign-in and back to the same screen', async ({
  signIn,
  house,
}) => {
  const page = await signIn('operator');
  await page.goto(`${house.url}/flags`);
  // The token is there: without it the page would ask for one after the cookie is gone, and leave in the middle of the reload.
  await expect(page.getByRole('heading', { name: 'Flags', level: 1 })).toBeVisible();
  await page.context().clearCookies();
  await page.reload();
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(`${house.url}/flags`);
});

test('SES-7: signing out ends it in all tabs', async ({ signIn, house }) => {
  const page = await signIn('operator');
  const other = await page.context().newPage();
  await other.goto(`${house.url}/people`);
  await expect(other.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(other.getByRole('heading', { level: 1, name: 'People' })).toHaveCount(0);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  await other.goto(house.url);
  await expect(other.getByLabel('Password', { exact: true })).toBeVisible();
  const cookies = await page.context().cookies(house.url);
  expect(
    cookies.filter(({ name }) => /session/.test(name) && !/idp/.test(name)).map(({ value }) => value),
  ).toEqual([]);
});

test('SES-2: another site cannot use the session', async ({ signIn, house }) => {
  const page = await signIn('operator');
  // Same machine, another port: cookies ignore ports and the site is the same, so this is the strongest stranger there is.
  const stranger = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<title>elsewhere</title>'),
  );
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const elsewhere = await page.context().newPage();
  await elsewhere.goto(`http://localhost:${(stranger.address() as AddressInfo).port}/`);
  const answers: number[] = [];
  elsewhere.on('response', (response) => answers.push(response.status()));
  const call = (path: string, init: { mode?: 'no-cors'; headers?: Record<string, string> }) =>
    elsewhere.evaluate(
      ([address, how]) =>
        fetch(address, how).then(
          (response) => response.type,
          () => 'refused',
        ),
      [house.url + path, { credentials: 'include' as const, method: 'POST', ...init }] as const,
    );
  expect(await call('/auth/token', { headers: { 'x-portico': '1' } })).toBe('refused');
  expect(await call('/auth/token', { mode: 'no-cors' })).toBe('opaque');
  expect(await call('/auth/logout', { mode: 'no-cors' })).toBe('opaque');
  expect(answers.filter((status) => status < 400)).toEqual([]);
  await elsewhere.close();
  stranger.close();
  forgive(page.context(), /blocked by CORS policy/);
  await page.reload();
  await expect(page.getByRole('navigation').first()).toBeVisible();
});

test('SES-1 RUN-5: a restart of the server keeps everybody signed in', async ({ signIn, house }) => {
  const page = await signIn('operator');
  await house.restart();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
});

test('SES-3: a person changes their own password, and their other sessions end', async ({
  backstage,
  browser,
  signIn,
  house,
}) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  const elsewhere = await signIn(mia);
  const changed = { ...mia, password: 'eleven amber colonnades' };

  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Current password/ }).fill('not the right one');
  await dialog.getByRole('textbox', { name: /^New password/ }).fill(changed.password);
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(dialog.getByRole('alert')).toContainText('This is not your current password.');
  await dialog.getByRole('textbox', { name: /^Current password/ }).fill(mia.password);
  await dialog.getByRole('button', { name: 'Change password', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: 'Password changed' })).toBeVisible();

  // That page is told, and goes to the sign-in by itself; a reload leads there too.
  await expect(elsewhere.getByLabel('Password', { exact: true })).toBeVisible();
  await elsewhere.goto(house.url);
  await expect(elsewhere.getByLabel('Password', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');

  const again = await browser.newPage();
  await again.goto(house.url);
  await fillSignIn(again, changed);
  await expect(again.getByRole('heading', { level: 1 })).toContainText('Mia');
  await again.close();
});
