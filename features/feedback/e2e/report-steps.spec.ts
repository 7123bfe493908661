import { join } from 'node:path';
import type { Breadcrumb } from '#features/feedback/contract/feedback.ts';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { allowConsoleError, expect, test } from '#e2e/fixtures.ts';
import { description, form, inboxOf, message, openForm, send, thanks } from './report-form.ts';

test('BUG-7: the last steps of a person are shown to them, each can be left out, and the rest is sent', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  allowConsoleError(page.context(), /It failed/);
  await expect.poll(() => page.evaluate(() => String(console.error))).not.toContain('native code');
  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  const firstName = page.getByLabel('First name');
  await firstName.fill('Typed Secret');
  await firstName.click();
  await page.evaluate(() =>
    console.error('It failed for Typed Secret, Mia, ada@example.org', { typed: 'secret' }),
  );
  await page.goBack();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.goto(`${page.url()}#token=secret`);

  await openForm(page);
  await description(page).fill(message);
  const along = form(page).locator('.report-along');
  await along.locator('summary').first().click();
  await along.getByText(/^\d+ steps$/).click();
  await expect(along.getByText('Opened /profile').first()).toBeVisible();
  await expect(along.getByText('Pressed: field “First name”')).toBeVisible();
  await along.getByRole('checkbox', { name: /^Pressed: field “First name”/ }).uncheck();
  await send(page).click();
  await expect(thanks(page)).toBeVisible();

  const [report] = await inboxOf(installation).from(mia.email);
  const crumbs = (report?.context.breadcrumbs ?? []).map(({ at: _at, ...crumb }) => crumb);
  expect(crumbs).toEqual(
    expect.arrayContaining([
      { kind: 'navigation', path: '/' },
      { kind: 'click', role: 'menuitem', name: 'Profile' },
      { kind: 'navigation', path: '/profile' },
      { kind: 'console', level: 'error', text: 'It failed for [removed], [removed], [email]' },
    ]),
  );
  expect(JSON.stringify(crumbs)).not.toMatch(/First name|Typed|secret|Mia|Walker|Description|Send Bug/);

  // Text that was written in one report is not a step of the next.
  await page.goto(`${installation.url}/my-reports`);
  await expect.poll(() => page.evaluate(() => String(console.error))).not.toContain('native code');
  await page.locator('.my-report summary').click();
  await openForm(page);
  await along.locator('summary').first().click();
  await along.getByText(/^\d+ steps?$/).click();
  await expect(along.getByText('Pressed: button', { exact: true })).toBeVisible();
});

test.describe('the recorder in any page', () => {
  /** As a script that a page of another application includes. */
  let script = '';
  test.beforeAll(async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: false,
        lib: {
          entry: join(import.meta.dirname, '../../../web/src/platform/record/recorder.ts'),
          formats: ['iife'],
          name: 'recorder',
        },
      },
    });
    const [output] = [built].flat();
    if (output !== undefined && 'output' in output) script = output.output[0].code;
  });

  type Recorded = { breadcrumbs(): Breadcrumb[] };
  const crumbsOf = async (page: Page) => {
    const crumbs = await page.evaluate(() => (Reflect.get(window, 'recorded') as Recorded).breadcrumbs());
    return crumbs.map(({ at: _at, ...crumb }) => crumb);
  };

  test('BUG-7: clicks by role and name, never a value or what names a person', async ({ page }) => {
    await page.route('https://shop.test/**', (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === '/people/4711') return route.fulfill({ contentType: 'text/html', body: embedding });
      return route.fulfill({ status: 503, headers: { 'request-id': 'r-9' }, body: '' });
    });
    await page.goto('https://shop.test/people/4711?token=secret#secret');
    await page.addScriptTag({ content: script });
    await page.evaluate(() => {
      const { startRecorder } = Reflect.get(window, 'recorder') as {
        startRecorder: (page: Window, options: object) => Recorded;
      };
      const words = () => ['Ada Lovelace'];
      Reflect.set(window, 'recorded', startRecorder(window, { calls: true, words, ignored: '.chat' }));
    });
    for (const element of await page.locator('[data-press]').all()) await element.click();
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.evaluate(async () => {
      await fetch('/v1/orders/815?token=secret');
      await new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.open('delete', 'https://shop.test/v1/orders/815?token=secret');
        request.addEventListener('loadend', resolve);
        request.send();
      });
      history.pushState(null, '', '/basket?coupon=secret');
      console.warn('Slow');
    });
    expect(await crumbsOf(page)).toEqual([
      { kind: 'navigation', path: '/people/:id' },
      { kind: 'click', role: 'button', name: 'Save' },
      { kind: 'click', role: 'button', name: 'Remove' },
      { kind: 'click', role: 'button', name: 'Close' },
      { kind: 'click', role: 'button', name: 'Mail [email]' },
      { kind: 'click', role: 'link', name: 'All people' },
      { kind: 'click', role: 'link', name: '', count: 2 },
      { kind: 'click', role: 'textbox', name: 'Password' },
      { kind: 'click', role: 'textbox', name: '' },
      { kind: 'click', role: 'combobox', name: 'Country' },
      { kind: 'click', role: 'checkbox', name: 'I agree' },
      { kind: 'click', role: 'row', name: '' },
      { kind: 'click', role: 'button', name: 'Order' },
      { kind: 'click', role: 'button', name: '' },
      { kind: 'click', role: 'button', name: 'Account of [removed]' },
      { kind: 'click', role: 'tab', name: 'Prices' },
      { kind: 'click', role: 'button', name: 'Save' },
      { kind: 'call', call: 'GET /v1/orders/:id', status: 503, requestId: 'r-9' },
      { kind: 'call', call: 'DELETE /v1/orders/:id', status: 503, requestId: 'r-9' },
      { kind: 'navigation', path: '/basket' },
      { kind: 'console', level: 'warning', text: 'Slow' },
    ]);
  });

  const embedding = `<!doctype html><title>Shop</title>
    <p data-press>Plain words of Bob</p>
    <button data-press>Save</button>
    <button data-press aria-label="Remove: order of Bob Walker"><i>Remove</i></button>
    <button data-press aria-label="Close">×</button>
    <button data-press>Mail bob@example.org</button>
    <a data-press href="#all">All people</a>
    <a data-press href="/people/4711">Bob Walker</a>
    <a data-press href="?person=01J9ZK4#">Bob Walker</a>
    <label>Password <input data-press type="password" value="secret"></label>
    <div data-press contenteditable>secret of Bob</div>
    <label for="land">Country</label><select data-press id="land"><option>Secret land</option></select>
    <label><input data-press type="checkbox"> I agree</label>
    <table><tr data-press role="row"><td>Bob Walker</td></tr></table>
    <input data-press type="button" value="Order">
    <div data-private><button data-press>Bob Walker</button></div>
    <button data-press>Account of Ada Lovelace</button>
    <div class="chat"><button data-press>Write to Bob</button></div>
    <div data-press role="tab" tabindex="0">Prices</div>
    <script>document.addEventListener('click', (event) => { if (event.target.closest('a')) event.preventDefault(); });</script>`;
});
