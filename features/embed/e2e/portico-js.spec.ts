import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Presence } from '#features/presence/contract/presence.ts';
import { expectNoViolations } from '#e2e/accessible.ts';
import { createApi, expect, fillSignIn, signInQuickly, test } from '#e2e/fixtures.ts';
import { buildShop, type Framed, startFramed } from './framed-application.ts';
import { freePort } from '#server/testing/free-port.ts';
import { claimed, type Installation, startInstallation } from '#e2e/installation.ts';
import {
  choosePicture,
  description,
  form,
  inboxOf,
  send,
  thanks,
  trigger,
} from '#features/feedback/e2e/report-form.ts';

// Both share one installation, whose maintenance is that of all its pages.
test.describe.configure({ mode: 'default' });

const base = '/portico';
let installation: Installation;
let framed: Framed;
let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-shop-'));
  const script = await buildShop(folder, join(import.meta.dirname, '../../../web/dist'));
  const port = await freePort();
  framed = await startFramed(port, base, () => installation.url, script);
  installation = await startInstallation({
    PUBLIC_URL: framed.origin,
    BASE_PATH: base,
    ...claimed,
  });
});

test.afterAll(async () => {
  await framed.stop();
  await installation.stop();
  rmSync(folder, { recursive: true });
});

/** Everything that the browser reports; a page under a strict policy gives it no reason to. */
function listen(page: Page): string[] {
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  return messages;
}

const shop = (page: Page, path = '') => page.goto(`${framed.origin}/shop/${path}`);
/** The id of who is signed in, as the application reads it. */
const user = (page: Page) =>
  page.evaluate(async () => {
    const { portico } = window as unknown as { portico: { ready: Promise<{ user: { id: string } | null }> } };
    return (await portico.ready).user?.id ?? null;
  });
/** The rest of the page is the application's. */
const onlyPortico = { within: 'portico-embed' };
const banner = (page: Page) => page.getByText('The till is repaired tonight.');

/** Which scripts of Portico's the page has asked for, in this order; runs in the page. */
function scriptsOfPortico(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name).pathname)
    .filter((path) => path.startsWith('/portico/') && path.endsWith('.js'));
}

test('GATE-3 LOOK-4: portico.js in the pages of an application under a strict policy: button, report, rights, flags, maintenance, sign-out', async ({
  page,
}) => {
  const api = createApi(installation);
  const mia = await api.person('Mia', ['member', 'support']);
  const messages = listen(page);

  // Without a sign-in there is one request, no button and no error.
  await shop(page);
  expect(await user(page)).toBeNull();
  await expect(trigger(page)).toBeHidden();

  await signInQuickly(page, framed.origin + base, mia);
  framed.requests.length = 0;
  await shop(page);
  await expect(trigger(page)).toBeVisible();
  const asked = () => framed.requests.filter((one) => / \/portico\/(?:v1|auth|api|sub)\//.test(one));
  expect(asked().slice(0, 1)).toEqual(['GET /portico/v1/embed']);
  // The live events follow when the page is at rest; nothing else is asked for.
  await expect.poll(asked).toEqual(['GET /portico/v1/embed', 'GET /portico/v1/events']);
  // Of this page alone: the one before it may still have asked for a script.
  expect(await page.evaluate(scriptsOfPortico)).toEqual([
    '/portico/portico.js',
    expect.stringMatching(/^\/portico\/assets\/embed-[\w-]+\.js$/),
  ]);

  // A step on the first page, and a report with a picture on the next.
  await page.getByRole('button', { name: 'Place the order' }).click();
  await page.getByRole('link', { name: 'Basket' }).click();
  await expect(page.getByRole('heading', { name: 'Basket' })).toBeVisible();
  await page.keyboard.press('Tab');
  await trigger(page).click();
  await expect(form(page)).toBeVisible();
  await expect(description(page)).toBeFocused();
  await description(page).fill('The basket is empty.');
  await choosePicture(page);
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  const [report] = await inboxOf(installation).from(mia.email);
  expect(report).toMatchObject({ message: 'The basket is empty.' });
  expect(report?.pictures).toBe(1);
  const steps = JSON.stringify(report?.context);
  expect(steps).toContain('Place the order');
  expect(steps).toContain('/shop/basket');

  // A token of the person, for a service that verifies it.
  const known = await page.evaluate(async () => {
    const { portico } = window as unknown as { portico: { token(): Promise<string> } };
    const headers = { authorization: `Bearer ${await portico.token()}` };
    return (await fetch('/portico/v1/users/current/profile', { headers })).json() as Promise<{ id: string }>;
  });
  expect(known.id).toBe(mia.id);

  // In React: name, rights and flags, live.
  await shop(page, 'app');
  await expect(page.getByTestId('name')).toHaveText('Mia Walker');
  await expect(page.getByTestId('right')).toHaveText('may');
  await expect(page.getByTestId('colour')).toHaveText('grey');
  await api.createFlag('SHOP_COLOUR', { type: 'string', defaultValue: 'blue' });
  await expect(page.getByTestId('colour')).toHaveText('blue');
  await api.setRoles(mia.id, ['member']);
  await expect(page.getByTestId('right')).toHaveText('may not');
  await page.getByRole('button', { name: 'Open the order' }).click();
  await expect(page.getByTestId('place')).toHaveText('/shop/app/orders/4711');
  await expect(trigger(page)).toBeVisible();

  // Full maintenance: the application saves, the page leaves, and returns by itself.
  await shop(page, 'app/orders/4711');
  await expect(page.getByTestId('name')).toHaveText('Mia Walker');
  await api.setMaintenance({ mode: 'full' });
  await expect(page).toHaveURL(/\/system-maintenance\?from=%2Fshop%2Fapp%2Forders%2F4711$/);
  await api.setMaintenance({ mode: 'off', text: '' });
  await expect(page).toHaveURL(/\/shop\/app\/orders\/4711$/);
  await expect(page.getByTestId('saved')).toHaveText('half a form');

  await page.getByRole('button', { name: 'Leave' }).click();
  await expect(page).not.toHaveURL(/\/shop\//);
  await shop(page);
  expect(await user(page)).toBeNull();
  // The browser itself logs the maintenance page, which is answered with 503.
  expect(messages.filter((text) => !/503/.test(text))).toEqual([]);
});

test('GATE-3 MAINT-7 SES-8: two tabs of an application share one stream and say what is not saved; read only, changed rights and the end of the session are announced, by keyboard and without a violation', async ({
  context,
}) => {
  const api = createApi(installation);
  const ben = await api.person('Ben', ['member']);
  const presence = () => api.read<Presence>('/v1/presence');
  const [page, other] = [await context.newPage(), await context.newPage()];
  const messages = [page, other].flatMap(listen);
  await signInQuickly(page, framed.origin + base, ben);
  framed.requests.length = 0;
  await shop(page, 'app');
  await shop(other, 'basket');
  await expect.poll(presence).toEqual({ people: 1, tabs: 2, unsaved: 0 });
  expect(framed.requests.filter((one) => one === 'GET /portico/v1/events')).toHaveLength(1);

  // Each form says for itself that it is not saved; operators see the tabs.
  const unsaved = (isUnsaved: boolean) =>
    other.evaluate(
      (given) => (window as unknown as { portico: { unsaved(of: boolean): void } }).portico.unsaved(given),
      isUnsaved,
    );
  await page.getByLabel('Note').fill('Two chairs');
  await unsaved(true);
  await expect.poll(presence).toEqual({ people: 1, tabs: 2, unsaved: 2 });
  await unsaved(false);
  await expect.poll(presence).toEqual({ people: 1, tabs: 2, unsaved: 1 });

  // A notice, and that changes are refused, in both tabs and in the language of the page.
  await api.setMaintenance({ mode: 'read-only', text: 'The till is repaired tonight.', severity: 'HIGH' });
  for (const each of [page, other]) {
    await expect(banner(each)).toBeVisible();
    await expect(each.getByRole('status').filter({ hasText: 'Read only for now' })).toBeVisible();
  }
  await expectNoViolations(page, 'the notice in a page of an application', onlyPortico);
  await page.getByRole('button', { name: 'Close notice' }).press('Enter');
  for (const each of [page, other]) await expect(banner(each)).toBeHidden();
  await api.setMaintenance({ mode: 'off', text: '' });
  for (const each of [page, other])
    await expect(each.getByRole('status').filter({ hasText: 'Read only for now' })).toBeHidden();

  // The form by keyboard alone: it takes the focus, and gives it back.
  await trigger(page).focus();
  await page.keyboard.press('Enter');
  await expect(description(page)).toBeFocused();
  await expectNoViolations(page, 'the report form in a page of an application', onlyPortico);
  await page.keyboard.press('Escape');
  await expect(form(page)).toBeHidden();
  await expect(trigger(page)).toBeFocused();

  // A warning, above which the page stays usable.
  await api.setRoles(ben.id, ['member', 'support']);
  for (const each of [page, other])
    await expect(each.getByRole('alert').filter({ hasText: 'Your permissions' })).toBeVisible();
  await expectNoViolations(page, 'the warning in a page of an application', onlyPortico);

  // A sign-out in one tab is seen in the other, which keeps what is typed and leads to the sign-in and back.
  await other.evaluate(() =>
    (window as unknown as { portico: { signOut(): Promise<void> } }).portico.signOut(),
  );
  const ended = page.getByRole('alert').filter({ hasText: 'You are signed out' });
  await expect(ended).toBeVisible();
  await expect(page.getByTestId('name')).toHaveText('nobody');
  await expect(page.getByLabel('Note')).toHaveValue('Two chairs');
  await expectNoViolations(page, 'the end of a session in a page of an application', onlyPortico);
  await ended.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
  await fillSignIn(page, ben);
  await expect(page).toHaveURL(`${framed.origin}/shop/app`);
  await expect(page.getByTestId('name')).toHaveText('Ben Walker');

  // What the server ends is explained.
  await api.setBlocked(ben.id, true);
  await expect(page.getByRole('alert').filter({ hasText: 'An operator has blocked it' })).toBeVisible();
  expect(messages.filter((text) => !/401|403/.test(text))).toEqual([]);
});
