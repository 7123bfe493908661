// npm run pictures: the README's pictures, taken in the demo (`npm run demo`), light and dark.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { readCommandLine } from './command-line.mjs';
import { buildWeb, install, requireNode, root } from './prepare.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/**
 * @typedef {{ url: string, email: string, member: string, password: string, stop: () => void }} Demo `email`
 * is the operator's
 */

const folder = join(root, 'docs/pictures');
/** Bytes: every clone contains the pictures. */
const largest = 200_000;
const desk = { viewport: { width: 1440, height: 810 } };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const schemes = /** @type {const} */ (['light', 'dark']);

readCommandLine(
  { options: {} },
  `Usage: npm run pictures

Takes the README's pictures anew, light and dark, in the demo with its own data, and writes them to docs/pictures. Uses an installed
Chromium or gets one. Takes a few minutes.`,
);
requireNode();
if (!(await install()) || !(await buildWeb())) process.exit(1);
const executablePath = await ensureBrowser();
mkdirSync(folder, { recursive: true });

const demo = await openDemo();
const fonts = pleasantFonts();
const { chromium } = await import('@playwright/test');
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: process.getuid?.() !== 0,
  // The browser answers its own question about capturing the tab.
  args: ['--auto-accept-this-tab-capture'],
  env: { ...process.env, FONTCONFIG_FILE: fonts.file },
});
try {
  const operator = await signIn(desk);
  const sameOperator = { storageState: await operator.context().storageState() };
  await takeScreens(operator, [
    ['home', '/', 'Everything is running.'],
    ['flags', '/flags', '1 client connected'],
    ['people', '/people', 'mia@example.org'],
  ]);
  const pocket = await open({ ...phone, ...sameOperator });
  await takeScreens(pocket, [['home-phone', '/', 'Everything is running.']], ['light']);
  await takeScreens(pocket, [['flags-phone', '/flags', '1 client connected']], ['dark']);
  await takeScreens(await open(desk), [['sign-in', '/', 'Trouble signing in?']]);
  await takeNotice(operator);
  await takeInbox(operator);
  await takeReport(await signIn(desk, demo.member));
  await takeConsole(operator);

  await close(operator);
  await takeScreens(await open(desk), [['maintenance-page', '/', 'until about']]);
} finally {
  await browser.close();
  demo.stop();
  fonts.remove();
}

/** @param {import('@playwright/test').BrowserContextOptions} options */
async function open(options) {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  return context.newPage();
}

/**
 * @param {import('@playwright/test').BrowserContextOptions} options
 * @param {string} [email]
 */
async function signIn(options, email = demo.email) {
  const page = await open(options);
  await page.goto(demo.url);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation').first().waitFor();
  return page;
}

/** @param {Page} page */
async function takeNotice(page) {
  await page.goto(demo.url);
  await page.getByText('Everything is running.').waitFor();
  await takeIn(page, 'notice', { x: 0, y: 0, width: desk.viewport.width, height: 200 });
}

/** @param {Page} page of the operator */
async function takeInbox(page) {
  await page.goto(`${demo.url}/reports`);
  await page.getByRole('link', { name: /no visits in Greenland/ }).click();
  await page.getByRole('main').locator('img').first().waitFor();
  await takeIn(page, 'inbox');
}

/**
 * The console while the planned window counts down, which does not take place afterwards.
 *
 * @param {Page} page of the operator
 */
async function takeConsole(page) {
  await page.goto(`${demo.url}/maintenance`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Change', exact: true }).first().click();
  await page.getByLabel('Time zone of these times').selectOption('UTC');
  const start = new Date(Date.now() + 13 * 60_000).toISOString().slice(0, 16);
  await page.getByRole('textbox', { name: /^Start/ }).fill(start);
  await page.getByLabel('Text that people read').fill('The database is upgraded, and is faster afterwards.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('People see the notice').waitFor();
  await page.getByText('is changed').first().waitFor({ state: 'detached' });
  await takeIn(page, 'maintenance-console');
  await page
    .getByRole('button', { name: /^Cancel window/ })
    .first()
    .click();
  await dialog.getByRole('button', { name: 'Cancel window' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** @param {Page} page of a person who reports a bug */
async function takeReport(page) {
  await page.getByRole('button', { name: 'Report a Bug' }).click();
  const form = page.getByRole('dialog', { name: 'Report a Bug' });
  await form.getByLabel(/^Description/).fill('The notice tells a time. Is that ours, or yours?');
  await form.getByRole('button', { name: 'Add a screenshot' }).click();
  await form.getByRole('button', { name: 'Capture this tab' }).click();
  await form.getByRole('button', { name: 'Highlight' }).click();
  const box = await form.getByRole('img', { name: /^Picture, / }).boundingBox();
  if (box === null) throw new Error('There is no picture to mark.');
  await page.mouse.move(box.x + 6, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.3, box.y + box.height * 0.03);
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.06);
  await page.mouse.up();
  await takeIn(page, 'report');
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {import('@playwright/test').PageScreenshotOptions['clip']} [clip] the part to take; left out: all
 * that is in sight
 */
async function takeIn(page, name, clip) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await take(page, `${name}-${colorScheme}`, clip);
  }
}

/**
 * @param {Page} page
 * @param {readonly (readonly [name: string, path: string, text: string])[]} screens each ready once it shows
 * its text
 * @param {readonly ('light' | 'dark')[]} [inSchemes]
 */
async function takeScreens(page, screens, inSchemes = schemes) {
  for (const [name, path, text] of screens) {
    await page.goto(demo.url + path);
    await page.getByText(text).first().waitFor();
    for (const colorScheme of inSchemes) {
      await page.emulateMedia({ colorScheme });
      await take(page, `${name}-${colorScheme}`);
    }
  }
}

/**
 * @param {Page} page
 * @param {string} name
 * @param {import('@playwright/test').PageScreenshotOptions['clip']} [clip]
 */
async function take(page, name, clip) {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip && { clip }) });
  const { size } = statSync(path);
  if (size > largest) throw new Error(`${name}.png has ${size} bytes; at most ${largest} are kept.`);
  process.stdout.write(`docs/pictures/${name}.png\n`);
}

/**
 * Starts maintenance of the demo, with a near end.
 *
 * @param {Page} page of the operator
 */
async function close(page) {
  await page.goto(`${demo.url}/maintenance`);
  await page.getByRole('button', { name: 'Start maintenance …' }).click();
  const text = 'The database is being upgraded, and is faster afterwards.';
  await page.getByLabel('Text while it lasts').fill(text);
  // As the field expects it: the local time of this browser.
  const end = await page.evaluate(() => {
    const now = new Date();
    now.setMinutes(now.getMinutes() + 25 - now.getTimezoneOffset());
    return now.toISOString().slice(0, 16);
  });
  await page.getByLabel('Expected end').fill(end);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Start maintenance now' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/**
 * Where no desktop is installed, Linux draws in fonts that few people have.
 *
 * @returns {{ file: string, remove: () => void }} a configuration for fontconfig, which other systems do not
 * look at
 */
function pleasantFonts() {
  const place = mkdtempSync(join(tmpdir(), 'portico-fonts-'));
  const file = join(place, 'fonts.conf');
  const better = ['Inter', 'Cantarell', 'Noto Sans', 'Liberation Sans'].map(
    (name) => `<string>${name}</string>`,
  );
  const rules = ['system-ui', 'sans-serif'].map(
    (family) => `  <match target="pattern">
    <test name="family"><string>${family}</string></test>
    <edit name="family" mode="prepend" binding="strong">${better.join('')}</edit>
  </match>`,
  );
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
${rules.join('\n')}
</fontconfig>
`,
  );
  return { file, remove: () => rmSync(place, { recursive: true, force: true }) };
}

/**
 * Starts the demo and reads the accounts from its output.
 *
 * @returns {Promise<Demo>}
 */
async function openDemo() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dev/start.mjs'), '--demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  /** @type {Promise<Demo>} */
  const open = new Promise((opened, failed) => {
    child.once('exit', () => failed(new Error(`The demo did not open.\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => {
      text += chunk;
      const email = /Operator\s+(\S+)/.exec(text)?.[1];
      const member = /Member\s+(\S+)/.exec(text)?.[1];
      const password = /Password\s+(\S+)/.exec(text)?.[1];
      if (email === undefined || member === undefined || password === undefined) return;
      opened({
        url: `http://localhost:${port}/portico`,
        email,
        member,
        password,
        stop: () => child.kill('SIGTERM'),
      });
    });
  });
  return open;
}

/** @returns {Promise<number>} a free port */
function freePort() {
  return new Promise((found, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => found(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
