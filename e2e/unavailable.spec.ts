import { startOwnPostgres, type OwnPostgres } from '#server/testing/postgres-server.ts';
import { expectAccessible } from './accessible.ts';
import { expect, signInQuickly, test as base } from './fixtures.ts';
import { claimed, operator } from './installation.ts';

/** With a PostgreSQL that can be stopped while Portico runs. */
const test = base.extend<{ postgres: OwnPostgres }>({
  postgres: async ({ playwright: _playwright }, provide) => {
    const cleanUps: (() => Promise<void>)[] = [];
    await provide(await startOwnPostgres((cleanUp) => cleanUps.push(cleanUp)));
    for (const cleanUp of cleanUps) await cleanUp();
  },
});

test('RUN-5 LOOK-2: while the database is away a page reports it, and returns by itself to the requested address, also without a script', async ({
  browser,
  postgres,
  start,
}) => {
  const installation = await start({ DATABASE_URL: postgres.url, ...claimed, LOG_LEVEL: 'silent' });
  const title = 'Portico is not available right now';
  const page = await browser.newPage();
  await signInQuickly(page, installation.url, operator);
  await expect(page.getByRole('navigation').first()).toBeVisible();
  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const plain = await withoutScript.newPage();

  await postgres.kill();
  const headers = { connection: 'close' };
  const readyz = () => fetch(`${installation.url}/readyz`, { headers }).then(({ status }) => status);
  await expect.poll(readyz).toBe(503);

  await test.step('it is shown in place of the screen, and is accessible', async () => {
    await page.clock.install();
    const answer = await page.goto(`${installation.url}/flags?state=on#rules`);
    expect(answer?.status()).toBe(503);
    expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText(/^Reference for support: \S+$/)).toBeVisible();
    await expectAccessible(page, 'not available');
    const again = page.getByRole('link', { name: 'Try again' });
    await page.keyboard.press('Tab');
    await expect(again).toBeFocused();
    // The page that is shown now was loaded again.
    const reference = await page.getByText(/^Reference for support/).textContent();
    await page.keyboard.press('Enter');
    await expect(page.getByText(reference ?? '')).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  });

  await test.step('a browser without scripts asks again by itself', async () => {
    const waits: number[] = [];
    // As the server sends it, with a shorter wait.
    await plain.route('**/sign-in', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const seconds = /<noscript><meta http-equiv="refresh" content="(\d+)" \/><\/noscript>/.exec(text)?.[1];
      if (seconds !== undefined) waits.push(Number(seconds));
      await route.fulfill({ response, body: text.replace(`content="${seconds}"`, 'content="1"') });
    });
    await plain.goto(`${installation.url}/sign-in`);
    await expect(plain.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect.poll(() => waits.length).toBeGreaterThan(1);
    for (const seconds of waits) {
      expect(seconds).toBeGreaterThanOrEqual(20);
      expect(seconds).toBeLessThan(60);
    }
  });

  await test.step('once the database is back they continue where they were', async () => {
    await postgres.restart();
    await expect.poll(readyz).toBe(200);
    await expect(plain.locator('.no-script')).toBeVisible();
    // Skips the longest of its growing waits.
    await page.clock.fastForward(76_000);
    await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();
    await expect(page).toHaveURL(`${installation.url}/flags?state=on#rules`);
  });
  await withoutScript.close();
  await page.context().close();
});
