import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type Examples, startExamples } from '../../../dev/examples.ts';
import { createApi, expect, fillSignIn, test, tokenOf, watchConsole } from '#e2e/fixtures.ts';
import { freePort } from '#server/testing/free-port.ts';
import { claimed, type Installation, startInstallation } from '#e2e/installation.ts';
import { description, form, inboxOf, send, thanks, trigger } from '#features/feedback/e2e/report-form.ts';
import { wholeBrowser } from '#features/feedback/e2e/report-picture.ts';

// The applications of `examples/` and one that no one here wrote, each behind the same Portico.
test.use(wholeBrowser);
// They share one installation, whose maintenance closes it for all.
test.describe.configure({ mode: 'default' });

let folder: string;
let origin: string;
let examples: Examples;
let foreign: ChildProcess;
let portico: Installation;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-behind-'));
  const port = await freePort();
  origin = `http://localhost:${port}`;
  examples = await startExamples(`${origin}/portico`, folder);
  const foreignPort = await freePort();
  foreign = await startVite(foreignPort);
  const file = JSON.parse(readFileSync(examples.upstreamsFile, 'utf8')) as {
    upstreams: Record<string, unknown>[];
  };
  const leave = file.upstreams.find(({ name }) => name === 'leave');
  file.upstreams.push({ ...leave, name: 'leave-there', host: 'leave.localhost', audience: 'leave' });
  file.upstreams.push({ name: 'vite', url: `http://127.0.0.1:${foreignPort}`, path: '/vite/' });
  writeFileSync(examples.upstreamsFile, JSON.stringify(file));
  portico = await startInstallation({
    PORT: String(port),
    BASE_PATH: '/portico',
    UPSTREAMS_FILE: examples.upstreamsFile,
    ...claimed,
  });
  const own = ['LEAVE_APPROVE', 'DESKS_MANAGE'];
  tokenOf(portico, own);
  await createApi(portico).addRole('team-lead', own);
});

test.afterAll(async () => {
  await portico.stop();
  await examples.stop();
  const ended = once(foreign, 'exit');
  if (foreign.kill('SIGTERM')) await ended;
  rmSync(folder, { recursive: true });
});

/** Vite's development server as it comes from npm: pages, scripts, and a WebSocket that reports changed files. */
async function startVite(port: number): Promise<ChildProcess> {
  writeFileSync(
    join(folder, 'index.html'),
    '<h1>Foreign</h1><p></p><script type="module" src="/main.js"></script>',
  );
  writeFileSync(
    join(folder, 'main.js'),
    "import { text } from './text.js';\ndocument.querySelector('p').textContent = text;\nif (import.meta.hot) import.meta.hot.accept('./text.js', (changed) => (document.querySelector('p').textContent = changed.text));\n",
  );
  writeFileSync(join(folder, 'text.js'), "export const text = 'as it was';\n");
  const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js');
  const words = ['--host', '127.0.0.1', '--port', String(port), '--strictPort', '--base', '/vite/'];
  const child = spawn(process.execPath, [vite, folder, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.stdout.resume();
  return child;
}

async function visit(page: Page, path: string, account: { email: string; password: string }): Promise<void> {
  await page.goto(`${origin}${path}`);
  await fillSignIn(page, account);
  await expect(page).toHaveURL(`${origin}${path}`);
}

test('GATE-1 GATE-2 GATE-3: a server-rendered application behind Portico knows the person, is closed and opened again with a form half filled, sends a report with its picture, and follows a right that is lost', async ({
  page,
}) => {
  const api = createApi(portico);
  const mia = await api.person('Mia', ['member', 'team-lead']);

  // The sign-in is Portico's and leads back; the application reads who it is from the request.
  await visit(page, '/new', mia);
  await expect(page.getByRole('banner')).toContainText(`Mia Walker ${mia.email}`);

  // Maintenance takes the page away with a form half filled, and gives it back.
  await page.getByLabel('First day').fill('2026-12-21');
  await page.getByLabel('Reason').fill('The year was long.');
  await api.setMaintenance({ mode: 'full' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/maintenance/i);
  // Who opens an address only now comes back to it too.
  const late = await page.context().newPage();
  expect((await late.goto(`${origin}/?year=2026`))?.status()).toBe(503);
  await expect(late.getByRole('link', { name: 'Sign in to work during maintenance' })).toBeVisible();
  await api.setMaintenance({ mode: 'off' });
  await expect(page).toHaveURL(`${origin}/new`);
  await expect(late.getByRole('banner')).toContainText(mia.email);
  await expect(late).toHaveURL(`${origin}/?year=2026`);
  await late.close();
  await expect(page.getByLabel('First day')).toHaveValue('2026-12-21');
  await expect(page.getByLabel('Reason')).toHaveValue('The year was long.');
  await page.getByLabel('Last day').fill('2026-12-31');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Your request was sent.')).toBeVisible();

  // A report shows the application itself.
  await trigger(page).click();
  await description(page).fill('The dates are in the wrong order.');
  await form(page).getByRole('button', { name: 'Add a screenshot' }).click();
  await form(page).getByRole('button', { name: 'Capture this tab' }).click();
  await expect(form(page).getByRole('group', { name: 'Edit the picture' })).toBeVisible();
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  expect(await inboxOf(portico).from(mia.email)).toMatchObject([
    { message: 'The dates are in the wrong order.', pictures: 1, url: `${origin}/` },
  ]);

  // A right that is lost: the page follows at once, and its address is refused with a page that explains it.
  const approval = page.getByRole('link', { name: 'Approval' });
  await approval.click();
  await expect(page.getByRole('cell', { name: 'The year was long.' })).toBeVisible();
  await api.setRoles(mia.id, ['member']);
  await expect(approval).toBeHidden();
  const refused = await page.goto(`${origin}/approval`);
  expect(refused?.status()).toBe(403);
  await expect(page.getByRole('main')).toContainText('Approve leave');
  await page.goto(`${origin}/`);
  await expect(page.getByRole('cell', { name: 'Open' })).toBeVisible();
});

test('GATE-6 GATE-3: the same application at a host of its own has the same sign-in, a report from there, and one sign-out', async ({
  page,
}) => {
  const there = origin.replace('localhost', 'leave.localhost');
  const noa = await createApi(portico).person('Noa', ['member']);
  await page.goto(`${there}/new`);
  await fillSignIn(page, noa);
  await expect(page).toHaveURL(`${there}/new`);
  await expect(page.getByRole('banner')).toContainText(noa.email);

  await trigger(page).click();
  await description(page).fill('There is no way to go half a day.');
  await send(page).click();
  await expect(thanks(page)).toBeVisible();
  expect(await inboxOf(portico).from(noa.email)).toMatchObject([{ url: `${there}/new` }]);

  await page.goto(`${origin}/`);
  await expect(page.getByRole('banner')).toContainText(noa.email);
  await page.goto(`${there}/`);
  await expect(page.getByRole('banner')).toContainText(noa.email);
  await page.evaluate(() => {
    void (window as unknown as { portico: { signOut(): Promise<void> } }).portico.signOut();
  });
  await expect(page).not.toHaveURL(`${there}/`);
  await page.goto(`${origin}/`);
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
});

test('GATE-1 GATE-2 GATE-3: a React application behind Portico follows its WebSocket, a flag and a right, and ends with the session', async ({
  browser,
}) => {
  const api = createApi(portico);
  const [ida, leo] = [await api.person('Ida', ['member']), await api.person('Leo', ['member', 'team-lead'])];
  const [one, other] = [await browser.newContext(), await browser.newContext()];
  const errors = [one, other].map(watchConsole);
  const [page, lead] = [await one.newPage(), await other.newPage()];
  await visit(page, '/desks/', ida);
  await visit(lead, '/desks/', leo);
  for (const each of [page, lead]) await expect(each.getByRole('status').first()).toHaveText('Live');
  const third = (each: Page) => each.getByRole('listitem', { name: 'Desk 3', exact: true });

  // What one person does the other sees; each backend call knows whose it is.
  await page.getByLabel('A note for your colleagues').fill('until noon');
  await third(page).getByRole('button', { name: 'Take' }).click();
  await expect(third(lead)).toContainText('Ida Walker until noon');
  await expect(third(lead).getByRole('button', { name: 'Free it' })).toBeVisible();
  await api.setRoles(leo.id, ['member']);
  await expect(third(lead).getByRole('button')).toHaveCount(0);
  await api.changeFlag('DESKS_COMPACT', { defaultValue: true });
  await expect(lead.locator('ol')).toHaveClass('compact');

  // While maintenance is read-only, what is unsafe is refused.
  await api.setMaintenance({ mode: 'read-only' });
  // The notice above the page moves what is below it.
  await expect(page.getByText('changes are refused')).toBeVisible();
  await third(page).getByRole('button', { name: 'Free it' }).click();
  await expect(page.getByRole('alert').first()).toContainText(/maintenance|read-only/i);
  await page.getByLabel('A note for your colleagues').fill('half typed');
  await api.setMaintenance({ mode: 'full' });
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/maintenance/i);
  await api.setMaintenance({ mode: 'off' });
  await expect(page).toHaveURL(`${origin}/desks/`);
  await expect(page.getByLabel('A note for your colleagues')).toHaveValue('half typed');
  await expect(page.getByRole('status').first()).toHaveText('Live');

  // A blocked person's WebSocket is ended by Portico, within seconds.
  await expect(page.getByRole('status').first()).toHaveText('Live');
  await api.setBlocked(ida.id, true);
  await expect(page.getByText('Live', { exact: true })).toBeHidden();
  expect(errors.flat().filter((text) => !/WebSocket connection/.test(text))).toEqual([]);
  await one.close();
  await other.close();
});

test('GATE-1: an application that no one here wrote works behind Portico as it is, with its WebSocket', async ({
  page,
}) => {
  const api = createApi(portico);
  const noah = await api.person('Noah', ['member']);
  expect(
    (
      await page.request.get(`${origin}/vite/text.js`, {
        maxRedirects: 0,
        headers: { 'sec-fetch-mode': 'cors' },
      })
    ).status(),
  ).toBe(401);
  // Its server greets each socket; what changes before that is not sent to it.
  const greeted = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await visit(page, '/vite/', noah);
  await expect(page.getByRole('paragraph')).toHaveText('as it was');
  await greeted;
  await page.evaluate(() => Reflect.set(window, 'same', true));
  writeFileSync(join(folder, 'text.js'), "export const text = 'changed while it was open';\n");
  await expect(page.getByRole('paragraph')).toHaveText('changed while it was open');
  expect(await page.evaluate(() => Reflect.get(window, 'same'))).toBe(true);
});
