import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, fillSignIn, test as base, watchShifts } from './fixtures.ts';
import { screens } from '#web/features.ts';
import { freePort } from '#server/testing/free-port.ts';

type Demo = { url: string; process: ChildProcess; email(role: string): string; password: string };

// It fills a whole installation before it says that it is ready.
base.describe.configure({ timeout: 300_000 });

// `npm run demo` hands it a folder and removes that afterwards (`dev/start.test.ts`); here is what opens in
// it.
const test = base.extend<{ demo: Demo }>({
  demo: async ({ playwright: _playwright }, provide) => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-e2e-demo-'));
    const port = await freePort();
    const child = spawn(process.execPath, [join(import.meta.dirname, '../dev/demo.ts')], {
      env: { ...process.env, DATA_DIR: folder, PORT: String(port), HOST: '0.0.0.0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    await expect.poll(() => output, { timeout: 240_000 }).toContain('Ctrl-C');
    const printed = (name: string) => new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(output)?.[1] ?? '';
    await provide({
      url: /(http:\S+)/.exec(output)?.[1] ?? '',
      process: child,
      email: printed,
      password: printed('Password'),
    });
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  },
});

test('START-7: the demo prints accounts of each role, has flags, people, a notice, planned maintenance and reports with their history, and is there for this machine alone; none of its screens moves while it loads (LOOK-1)', async ({
  browser,
  demo,
}) => {
  for (const [role, destinations] of [
    [
      'Operator',
      [
        'Overview',
        'Reports',
        'Maintenance',
        'Flags',
        'Segments',
        'Diagnostics',
        'People',
        'Roles and rights',
        'Audit',
        'Webhooks',
        'Map layers',
        'Settings',
      ],
    ],
    ['Support', ['Overview', 'Reports', 'Diagnostics', 'People', 'Roles and rights']],
    ['Member', ['Map', 'My reports', 'Desks', 'Leave']],
  ] as const) {
    const page = await browser.newPage();
    await page.goto(demo.url);
    await fillSignIn(page, { email: demo.email(role), password: demo.password });
    await expect(page.getByRole('alert').filter({ hasText: 'The database is upgraded' })).toBeVisible();
    const places =
      role === 'Member'
        ? page.getByRole('region', { name: 'Apps' })
        : page.getByRole('navigation', { name: 'Console screens' });
    const links = places.getByRole('link');
    // An application without a picture shows its first letter.
    await expect(links).toHaveText(destinations.map((name) => new RegExp(`^.?${name}`)));
    if (role === 'Member') {
      await expect(page.getByText('Everything is running.')).toBeVisible();
      const own = page.getByRole('region', { name: 'Your reports' });
      for (const status of ['New', 'In progress', 'Duplicate']) await expect(own).toContainText(status);
    }
    if (role === 'Operator') {
      await expect(page.getByRole('region', { name: 'Needs attention' })).toContainText(/new reports?/);
      const work = page.getByRole('list', { name: 'Work' }).getByRole('listitem');
      await expect(work).toHaveText([/^Reports.*\d new$/, 'Maintenance', 'Flags', 'Segments', 'Diagnostics']);
      await page.getByRole('link', { name: 'Reports', exact: true }).click();
      const inbox = page.getByRole('list', { name: 'Reports' });
      const tabs = page.getByRole('navigation', { name: 'Parts of the inbox' });
      for (const [tab, statuses] of [
        ['Spam', ['Spam']],
        ['Done', ['Resolved', 'Closed', 'Duplicate']],
        ['Open', ['New', 'Triaged', 'In progress']],
      ] as const) {
        await tabs.getByRole('link', { name: tab }).click();
        for (const status of statuses)
          await expect(inbox.getByText(status, { exact: true }).first()).toBeVisible();
      }
      await inbox.getByRole('link', { name: /no visits in Greenland/ }).click();
      await expect(page.getByRole('main').locator('img').first()).toHaveAttribute('src', /^blob:/);
      await page.getByRole('link', { name: 'Maintenance', exact: true }).click();
      await expect(page.getByRole('main').getByText('Database upgrade').first()).toBeVisible();
      await page.getByRole('tab', { name: 'History' }).click();
      await expect(page.getByRole('main').getByText('New storage').first()).toBeVisible();
      await page.getByRole('link', { name: 'Flags', exact: true }).click();
      await expect(page.getByRole('switch')).not.toHaveCount(0);
      await expect(page.getByRole('row', { name: /NEW_SEARCH/ })).toContainText(
        '2 rules → true, otherwise false',
      );
      await page.getByRole('link', { name: 'Diagnostics', exact: true }).click();
      await page.getByRole('link', { name: /TypeError/ }).click();
      // It opens at its latest event, and there are older ones to see.
      await expect(page.getByRole('button', { name: 'Older' })).toBeEnabled();
      await expect(page.getByRole('button', { name: 'Newer' })).toBeDisabled();
      await page.getByRole('link', { name: 'People', exact: true }).click();
      for (const state of ['Blocked', 'Invited'])
        await expect(page.getByRole('cell', { name: state, exact: true }).first()).toBeVisible();
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      // Until the screen has changed, the search field is that of the people.
      await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
      for (const [word, done] of [
        ['Frida', 'gave Frida Fieldwork the role surveyor'],
        ['Nightly', 'created the API token “Nightly export”'],
      ] as const) {
        await page.getByRole('searchbox').fill(word);
        await expect(page.getByRole('link', { name: done }).first()).toBeVisible();
      }
      const moved = await watchShifts(page);
      for (const { path } of screens.filter((screen) => !screen.path.includes('$'))) {
        await page.goto(demo.url + path);
        await expect(page.getByRole('heading', { level: 1 }), path).toBeAttached();
        await expect(page.locator('.skeleton, [aria-busy=true]'), path).toHaveCount(0);
        await page.evaluate(() => new Promise(requestAnimationFrame));
        expect(await moved(), path).toEqual([]);
      }
    }
    await page.close();
  }

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  for (const { address } of outside) {
    const reached = fetch(`http://${address}:${new URL(demo.url).port}/healthz`).then(
      () => 'reached',
      () => 'refused',
    );
    expect(await reached, address).toBe('refused');
  }

  demo.process.kill('SIGINT');
  expect(await once(demo.process, 'exit')).toEqual([0, null]);
});
