import { createApi, expect, fillSignIn, test, watchConsole } from './fixtures.ts';
import { claimed, operator } from './installation.ts';
import { choosePicture, send, thanks, write } from '#features/feedback/e2e/report-form.ts';

test('GATE-1: below a base path a person signs in, follows flags, saves their profile, reports a bug and signs out', async ({
  browser,
  start,
}) => {
  const basePath = '/portico/deep';
  const installation = await start({ BASE_PATH: basePath, ...claimed });
  const { url } = installation;
  const own = new URL(url).origin;
  const context = await browser.newContext();
  const errors = watchConsole(context);
  const outside: string[] = [];
  context.on('request', (request) => {
    const { protocol, origin, pathname } = new URL(request.url());
    if (!/^https?:$/.test(protocol)) return;
    if (origin !== own || !`${pathname}/`.startsWith(`${basePath}/`)) outside.push(request.url());
  });
  const failed: string[] = [];
  context.on('response', (answer) => {
    // Who is there is told until the end of a page, also behind a sign-out.
    if (answer.status() >= 400 && !answer.url().includes('/v1/presence/'))
      failed.push(`${answer.status()} ${answer.url()}`);
  });
  const page = await context.newPage();
  await page.goto(`${url}/profile`);
  await expect(page).toHaveURL(new RegExp(`^${url}/idp/sign-in/`));
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(`${url}/profile`);

  // Asked for by name, since a system with a font of its own never does.
  const loaded = () =>
    document.fonts.load('16px "Portico Text"').then((fonts) => fonts.map(({ status }) => status));
  await expect.poll(() => page.evaluate(loaded)).toEqual(['loaded']);

  await page.getByLabel('Job title').fill('Analyst');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your profile was saved.')).toBeVisible();

  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByRole('link', { name: 'Flags' }).first().click();
  await expect(page).toHaveURL(`${url}/flags`);
  await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();
  await createApi(installation).createFlag('BELOW_A_PATH');
  await expect(page.getByText('BELOW_A_PATH').first()).toBeVisible();

  await write(page);
  await choosePicture(page);
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  // What the origin shares is named after the path, so that another installation on it does not mix with it.
  expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual([
    `portico-feedback${basePath}`,
  ]);
  const cookies = (await context.cookies()).map(({ name, path }) => [
    name.replace(/_[a-z0-9]{8}$/, ''),
    path,
  ]);
  expect(cookies).toContainEqual(['portico_session', '/']);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(new RegExp(`^${url}/idp/sign-in/`));
  await expect(page.getByLabel('Email')).toBeVisible();
  expect({ outside, failed, errors }).toEqual({ outside: [], failed: [], errors: [] });

  // A page that was requested without the proxy, which removes the path, moves to its address at the proxy.
  await page.goto(`${own}/people?search=a`);
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(`${url}/people?search=a`);
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  expect(errors).toEqual([]);
  await context.close();
});
