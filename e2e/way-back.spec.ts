import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { createApi, expect, fillSignIn } from './fixtures.ts';
import { freePort } from '#server/testing/free-port.ts';
import { claimed, type Installation, operator, startInstallation } from './installation.ts';
import { signInOutside, test } from '#features/outside-provider/e2e/outside-provider.ts';

// The tests share one installation, and maintenance closes it for all of them.
test.describe.configure({ mode: 'default' });

let folder: string;
let application: Server;
let received: string[];
let origin: string;
let portico: Installation;

const long = `/reports/long?${Array.from({ length: 300 }, (_each, at) => `column=name%20${at}`).join('&')}`;
/** Each with everything that a browser's address may hold. */
const addresses = [
  '/reports/7?a=b&c=%2Fd%3F#view/2?x=%2F',
  `${long}#row/7`,
  `/#${'state/'.repeat(1_000)}end`,
];

/** Each of them at the application's own host, which Portico leads through one address more, and one at Portico's. */
const atHosts = () => [
  `${origin}${addresses[0]}`,
  ...addresses.map((address) => `${origin.replace('localhost', 'app.localhost')}${address}`),
];

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.method === 'POST') received.push(`${request.url} ${body}`);
  response.setHeader('content-type', 'text/html');
  // No copy of the page is in the browser's caches.
  response.setHeader('cache-control', 'no-store');
  response.end(
    request.method === 'POST'
      ? '<h1>Saved</h1>'
      : `<h1>Application</h1><form method="post" action="/save?now=1" enctype="multipart/form-data">
         <label>Subject <input name="subject" /></label><label>File <input type="file" name="file" /></label><button>Save</button></form>`,
  );
}

async function startAll(settings: Record<string, string> = {}): Promise<Installation> {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  const { port: at } = application.address() as AddressInfo;
  const url = `http://127.0.0.1:${at}`;
  const upstreams = [
    { name: 'application', url },
    { name: 'there', url, host: 'app.localhost' },
  ];
  const file = join(folder, `upstreams-${port}.json`);
  writeFileSync(file, JSON.stringify({ upstreams }));
  return startInstallation({ PORT: String(port), BASE_PATH: '/portico', UPSTREAMS_FILE: file, ...settings });
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-way-back-'));
  writeFileSync(join(folder, 'drawing.txt'), 'drawn');
  application = createServer((request, response) => void answer(request, response));
  application.listen(0, '127.0.0.1');
  await once(application, 'listening');
  portico = await startAll(claimed);
});

test.afterAll(async () => {
  await portico.stop();
  application.closeAllConnections();
  application.close();
  rmSync(folder, { recursive: true });
});

test.beforeEach(() => {
  received = [];
});

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function signOut(page: Page): Promise<void> {
  await page.context().clearCookies();
}

/** Fills in the form of the application, and sends it. */
async function sendForm(page: Page): Promise<void> {
  await page.getByLabel('Subject').fill('Pump 7 leaks');
  await page.getByLabel('File').setInputFiles(join(folder, 'drawing.txt'));
  await page.getByRole('button', { name: 'Save' }).click();
}

const arrived = [expect.stringMatching(/^\/save\?now=1 [\s\S]*Pump 7 leaks[\s\S]*drawn/)];

test('GATE-1: a form that was sent after the session ended is sent again with its content and its file, after a sign-in in a second tab', async ({
  page,
}) => {
  const mia = await createApi(portico).person('Mia', ['member']);
  await page.goto(`${origin}/form`);
  await fillSignIn(page, mia);
  await expect(heading(page, 'Application')).toBeVisible();
  await signOut(page);
  await sendForm(page);
  await expect(heading(page, 'You are signed out')).toBeVisible();
  expect(received).toEqual([]);

  // Not signed in yet, it is refused again, and still there.
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(heading(page, 'You are signed out')).toBeVisible();
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in in a new tab' }).click();
  const tab = await opened;
  await fillSignIn(tab, mia);
  await expect(tab).toHaveURL(`${origin}/`);
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(heading(page, 'Saved')).toBeVisible();
  expect(received).toEqual(arrived);
});

test('GATE-2: a form that maintenance refuses is sent again when it is over, or is as it was filled in', async ({
  page,
}) => {
  const api = createApi(portico);
  const mia = await api.person('Mia', ['member']);
  await page.goto(`${origin}/form`);
  await fillSignIn(page, mia);
  await expect(heading(page, 'Application')).toBeVisible();
  const refuse = async (mode: 'full' | 'read-only', shown: string) => {
    await api.setMaintenance({ mode });
    await sendForm(page);
    await expect(heading(page, shown)).toBeVisible();
    expect(received).toEqual([]);
    await api.setMaintenance({ mode: 'off' });
  };
  await refuse('full', 'Maintenance is under way');
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(heading(page, 'Saved')).toBeVisible();
  expect(received.splice(0)).toEqual(arrived);

  await page.goto(`${origin}/form`);
  await refuse('read-only', 'Nothing can be changed right now');
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue('Pump 7 leaks');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(heading(page, 'Saved')).toBeVisible();
  expect(received).toEqual(arrived);
});

test('SES-1 GATE-1 GATE-6: path, query and fragment of an address come back after the sign-in, at each host', async ({
  browser,
}) => {
  const mia = await createApi(portico).person('Mia', ['member']);
  for (const at of atHosts()) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(at);
    await fillSignIn(page, mia);
    await expect(page).toHaveURL(at);
    await expect(heading(page, 'Application')).toBeVisible();
    await context.close();
  }
});

test('SES-1: the address of a screen of Portico’s own comes back after the sign-in, and to a tab that another one signs in', async ({
  page,
}) => {
  const own = `${origin}/portico/profile?x=1#below`;
  const other = await page.context().newPage();
  await other.goto(`${origin}/reports/8#other`);
  await expect(other.getByLabel('Email')).toBeVisible();
  await page.goto(own);
  await fillSignIn(page, operator);
  await expect(page).toHaveURL(own);
  await expect(other).toHaveURL(`${origin}/reports/8#other`);
});

test('MAINT-3 GATE-2: path, query and fragment come back after maintenance', async ({ page }) => {
  const api = createApi(portico);
  const mia = await api.person('Mia', ['member']);
  const own = `${origin}/portico/profile?x=1#below`;
  await page.goto(`${origin}/`);
  await fillSignIn(page, mia);
  await expect(heading(page, 'Application')).toBeVisible();
  const signedOut = await page.context().browser()?.newContext();
  const late = await signedOut?.newPage();
  await api.setMaintenance({ mode: 'full' });
  await page.goto(`${origin}${addresses[1]}`);
  await late?.goto(own);
  await expect(heading(page, 'Application')).toBeHidden();
  await api.setMaintenance({ mode: 'off' });
  await expect(heading(page, 'Application')).toBeVisible();
  await expect(page).toHaveURL(`${origin}${addresses[1]}`);
  await fillSignIn(late as Page, mia);
  await expect(late as Page).toHaveURL(own);
  await signedOut?.close();
});

test('SES-4 SES-1: path, query and fragment come back from another provider, whose pages lose them', async ({
  browser,
  provider,
}) => {
  const outside = await startAll(provider.settings);
  try {
    const claims = { email: 'mia@example.org', email_verified: true };
    await provider.serve(outside.url, { mia: { claims } });
    for (const at of atHosts()) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(at);
      await signInOutside(page, 'mia');
      await expect(page).toHaveURL(at);
      await expect(heading(page, 'Application')).toBeVisible();
      await context.close();
    }
  } finally {
    await outside.stop();
  }
});
