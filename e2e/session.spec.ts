import { expect, fillSignIn, test } from './fixtures.ts';
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
  if (await page.getByLabel('Password', { exact: true }).isVisible()) await fillSignIn(page, operator);
  await expect(page.getByRole('navigation').first()).toBeVisible();
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
  await page.goto(house.url);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  const cookies = await page.context().cookies(house.url);
  expect(
    cookies.filter(({ name }) => /session/.test(name) && !/idp/.test(name)).map(({ value }) => value),
  ).toEqual([]);
});

test('SES-2: another site cannot use the session', async ({ signIn, house }) => {
  const page = await signIn('operator');
  const elsewhere = await page.context().newPage();
  // Same machine, another origin: cookies ignore ports, so this is the strongest stranger there is.
  await elsewhere.route('http://localhost:9/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>elsewhere</title>' }),
  );
  await elsewhere.goto('http://localhost:9/');
  const outcome = await elsewhere.evaluate(async (url) => {
    const withHeader = await fetch(`${url}/auth/token`, {
      method: 'POST',
      credentials: 'include',
      headers: { 'x-portico': '1' },
    }).then(
      (response) => response.status,
      () => 'refused',
    );
    const withoutHeader = await fetch(`${url}/auth/logout`, {
      method: 'POST',
      credentials: 'include',
      mode: 'no-cors',
    }).then(
      (response) => response.type,
      () => 'refused',
    );
    return { withHeader, withoutHeader };
  }, house.url);
  expect(outcome.withHeader).toBe('refused');
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
