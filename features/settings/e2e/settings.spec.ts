import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, signInQuickly, test, watchConsole } from '#e2e/fixtures.ts';
import { claimed, operator, startInstallation } from '#e2e/installation.ts';

test('SES-9 CON-1: a token and a client key are made, used and revoked', async ({ signIn, installation }) => {
  const page = await signIn('operator', { at: '/settings' });
  const dialog = page.getByRole('dialog');
  const reads = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(installation.url + path, { headers: { connection: 'close', ...headers } })).status;

  await test.step('creates a token, after what is missing is pointed out', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: /API tokens/ })
      .click();
    await expect(page).toHaveTitle(/^API tokens · /);
    await page.getByRole('button', { name: 'New token' }).click();
    await dialog.getByLabel('Name').fill('Nightly <b>export</b>');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('Choose at least one right');
    await dialog.getByRole('checkbox', { name: /See people/ }).check();
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click();
    const secret = await dialog.getByLabel('Token', { exact: true }).inputValue();
    await dialog.getByLabel('Token', { exact: true }).press('ControlOrMeta+c');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText(secret)).toHaveCount(0);
    expect(await reads('/v1/people', { authorization: `Bearer ${secret}` })).toBe(200);
    expect(await reads('/v1/flags', { authorization: `Bearer ${secret}` })).toBe(403);

    await page.reload();
    const row = page.getByRole('row', { name: /Nightly <b>export<\/b>/ });
    await expect(row).toContainText('Active');
    await row.getByRole('button', { name: /Nightly/ }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.last().getByRole('button', { name: 'Revoke' }).click();
    await expect(row).toHaveCount(0);
    expect(await reads('/v1/people', { authorization: `Bearer ${secret}` })).toBe(401);
    await page.getByLabel('Show ended tokens').check();
    await expect(row).toContainText('Revoked');
  });

  await test.step('makes a client key, renames and revokes it', async () => {
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /Client keys/ })
      .click();
    await page.getByRole('button', { name: 'New key' }).click();
    await dialog.getByLabel('Name').fill('The shop');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('heading', { name: 'The shop' })).toBeVisible();
    const lines = await dialog.getByRole('tabpanel').innerText();
    const [, key = ''] = /clientKey: '(.+)'/.exec(lines) ?? [];
    expect(await reads(`/api/features/${key}`)).toBe(200);
    await dialog.getByLabel('Name').fill('The old shop');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByRole('heading', { name: 'The old shop' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.last().getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('row', { name: /The old shop/ })).toHaveCount(0);
    expect(await reads(`/api/features/${key}`)).toBe(400);
    await page.getByRole('button', { name: /^Portico itself/ }).click();
    await expect(dialog.getByText('it cannot be revoked')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Revoke' })).toHaveCount(0);
  });
});

test('CON-1 LOOK-1: an installation gets its own name, mark and colour, from the first paint on', async ({
  browser,
}) => {
  // Its own installation, because other tests look for the name that this one changes.
  const installation = await startInstallation(claimed);
  try {
    const context = await browser.newContext({ colorScheme: 'light' });
    const consoleErrors = watchConsole(context);
    const page = await context.newPage();
    await signInQuickly(page, installation.url, operator, '/settings/branding');

    await page.getByLabel('Name').fill('Harbour Office');
    const file = (text: string) => ({
      name: 'mark.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(text),
    });
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" onload="this.id=\'ran\'">' +
      '<script>document.documentElement.id="ran"</script><image href="/favicon.svg?from-the-mark"/>' +
      '<path fill="#c40" d="M0 0h8v8z"/></svg>';
    const [markFile, pictureFile] = [page.getByLabel('Logo'), page.getByLabel('Picture next to the sign-in')];
    // A file that was deleted after it was chosen cannot be read.
    await page.evaluate(() => {
      const { arrayBuffer } = Blob.prototype;
      Blob.prototype.arrayBuffer = () => {
        Blob.prototype.arrayBuffer = arrayBuffer;
        return Promise.reject(new DOMException('', 'NotFoundError'));
      };
    });
    await markFile.setInputFiles(file(drawing));
    await expect(page.getByText('The file could not be read.')).toBeVisible();
    await markFile.setInputFiles(file('<html><svg/></html>'));
    await expect(page.getByText('The file could not be read.')).toHaveCount(0);
    await page.getByLabel('Accent colour').fill('#ffe600');
    // The preview follows before anything is saved, and shows which colour cannot be used as it is.
    const preview = page.getByRole('img', { name: /Harbour Office/ });
    await expect(preview).toHaveCount(2);
    await expect(page.getByText(/On light it would have a contrast of 1.1:1/)).toBeVisible();
    await page.getByRole('button', { name: 'Save for everyone' }).click();
    await expect(page.getByRole('alert')).toContainText('must be an SVG or a PNG');
    await markFile.setInputFiles(file(drawing));
    await page.getByLabel('Contact').fill('desk@example.org');
    await page.getByLabel('Status page').fill('https://status.example.org');
    for (const text of ['Harbour Office is down for maintenance', 'desk@example.org', 'Current status'])
      await expect(preview.first()).toContainText(text);
    await page.getByRole('button', { name: 'Save for everyone' }).click();

    const banner = page.getByRole('banner');
    await expect(banner.getByText('Harbour Office')).toBeVisible();
    await expect(page).toHaveTitle('Branding · Harbour Office');
    const shown = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
    const accent = await shown();
    expect(accent).not.toBe('#0b5e63');
    await expectNoViolations(page, 'branding');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectNoViolations(page, 'branding in the dark', { rules: ['color-contrast'] });
    expect(await shown()).toBe('#ffe600');
    await page.emulateMedia({ colorScheme: 'light' });

    // As the server renders it, before any script.
    const html = await (
      await page.request.get(installation.url, { headers: { accept: 'text/html' } })
    ).text();
    expect(html).toContain('<title>Harbour Office</title>');
    expect(html).toContain(`--accent:${accent}`);
    await page.reload();
    expect(await shown()).toBe(accent);
    await expect(banner.locator('img')).toHaveJSProperty('complete', true);

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(installation.url);
    await expect(stranger.getByText('Harbour Office')).toBeVisible();
    await expect(stranger).toHaveTitle('Sign in · Harbour Office');
    const mark = stranger.locator('.entry-mark img');
    await expect
      .poll(() => mark.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    await expectNoViolations(stranger, 'sign-in with an own brand');
    const panel = stranger.locator('.entry-facade');
    await expect(panel).toHaveAttribute('data-panel', 'accent');
    await expect(stranger.locator('.entry-stone')).toHaveCount(0);
    await pictureFile.setInputFiles({
      name: 'photograph.jpg',
      mimeType: 'image/jpeg',
      buffer: await page.screenshot({ type: 'jpeg' }),
    });
    // The button counts as disabled from the press on, before anything is saved; and the number of unsaved forms
    // is reported by PUT too.
    const saved = page.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/v1/branding'),
    );
    await page.getByRole('button', { name: 'Save for everyone' }).click();
    await saved;
    await stranger.reload();
    await expect
      .poll(() => panel.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    // Opened by its own address a mark is a picture that runs nothing and loads nothing.
    const asked: string[] = [];
    const alone = await stranger.context().newPage();
    alone.on('requestfinished', (request) => asked.push(request.url()));
    const address = new URL((await mark.getAttribute('src')) ?? '', installation.url).href;
    await alone.goto(address);
    await expect(alone.locator('path')).toBeAttached();
    expect(await alone.locator('svg').getAttribute('id')).toBeNull();
    expect(asked).toEqual([address]);

    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
    await expect(banner.getByText('Portico', { exact: true })).toBeVisible();
    expect(await shown()).toBe('#0b5e63');
    expect(consoleErrors).toEqual([]);
  } finally {
    await installation.stop();
  }
});
