// npm run pictures: the README's pictures, taken in the demo (`npm run demo`), light and dark.
import { spawn } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { buildWeb, install, requireNode, root } from './prepare.mjs';

/** @typedef {import('@playwright/test').Page} Page */

const folder = join(root, 'docs/pictures');
const port = 4317;
/** Bytes: pictures travel with every clone. */
const largest = 150_000;

requireNode();
await install();
await buildWeb();
const executablePath = await ensureBrowser();
mkdirSync(folder, { recursive: true });

const demo = await openDemo();
const { chromium } = await import('@playwright/test');
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  for (const scheme of /** @type {const} */ (['light', 'dark'])) await takeAll(scheme);
} finally {
  await browser.close();
  demo.stop();
}

/** @param {'light' | 'dark'} scheme */
async function takeAll(scheme) {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
  });
  const page = await context.newPage();
  await page.goto(demo.url);
  await page.getByLabel('E-mail').waitFor();
  await take(page, `sign-in-${scheme}`);
  await page.getByLabel('E-mail').fill(demo.email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: /Olivia/ }).waitFor();
  await take(page, `home-${scheme}`);

  for (const [path, name] of [
    ['flags', 'NEW_SEARCH'],
    ['people', 'mia@example.org'],
  ]) {
    await page.goto(`${demo.url}/${path}`);
    await page.getByRole('row', { name: new RegExp(String(name)) }).waitFor();
    await take(page, `${path}-${scheme}`);
  }

  await page.goto(`${demo.url}/maintenance`);
  await choose(page, 'Closed', 'Start maintenance now');
  await page.getByRole('button', { name: 'Pass through and continue working' }).waitFor();
  await take(page, `maintenance-page-${scheme}`);
  await page.getByRole('button', { name: 'Pass through and continue working' }).click();
  await choose(page, 'Open', 'End maintenance now');
  await page.getByText('Maintenance has ended').waitFor();
  await context.close();
}

/**
 * Turns the switch of maintenance, and says yes to its question.
 *
 * @param {Page} page
 * @param {string} mode
 * @param {string} action
 */
async function choose(page, mode, action) {
  await page.getByRole('radio', { name: new RegExp(`^${mode}`) }).check();
  await page.getByRole('button', { name: action }).click();
  await page.getByRole('dialog').getByRole('button', { name: action }).click();
}

/**
 * @param {Page} page
 * @param {string} name
 */
async function take(page, name) {
  const path = join(folder, `${name}.png`);
  await page.mouse.move(0, 0);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = statSync(path);
  if (size > largest) throw new Error(`${name}.png has ${size} bytes; at most ${largest} are kept.`);
  process.stdout.write(`docs/pictures/${name}.png\n`);
}

/** Starts the demo and reads from what it prints where it is and who may come in. */
async function openDemo() {
  const child = spawn('npm', ['run', 'demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += String(chunk);
    const url = /open: (http\S+)/.exec(text)?.[1];
    const email = /Operator\s+(\S+@\S+)/.exec(text)?.[1];
    const password = /Password\s+(\S+)/.exec(text)?.[1];
    if (url !== undefined && email !== undefined && password !== undefined) {
      return { url, email, password, stop: () => child.kill('SIGTERM') };
    }
  }
  throw new Error(`The demo did not open:\n${text}`);
}
