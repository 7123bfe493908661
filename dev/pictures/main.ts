import { spawn } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { freePort } from '#server/testing/free-port.ts';
import { ensureBrowser } from '../browser.ts';
import { readCommandLine } from '../command-line.ts';
import { confirm, fillDate, startMaintenance, takeSheet } from './sheet.ts';
import { buildWeb, root } from '../prepare.mjs';
import { encode } from 'modern-gif';

const size = { width: 620, height: 430 };
/** Pixels between the two windows. */
const gap = 12;

/**
 * Takes a moving picture of two browsers side by side: an operator switches a flag on, and a member's
 * application follows.
 *
 * @returns milliseconds between the press and the change in the other browser
 */
async function takeLiveFlag(operator: Page, member: Page, url: string, file: string): Promise<number> {
  for (const page of [operator, member]) await page.setViewportSize(size);
  await member.goto(new URL('/desks/', url).href);
  await member.getByText('Live', { exact: true }).waitFor();
  await operator.goto(`${url}/flags?search=DESKS_COMPACT`);
  for (const page of [operator, member])
    await page
      .getByRole('button', { name: /dismiss|close/i })
      .first()
      .click();
  const lever = operator.getByRole('switch');
  const frames = [{ data: await side(operator, member), delay: 1_800 }];
  await lever.hover();
  const begun = performance.now();
  await lever.click();
  await member.locator('ol.compact').waitFor();
  const took = Math.round(performance.now() - begun);
  await operator.getByRole('button', { name: 'Undo' }).waitFor();
  frames.push({ data: await side(operator, member), delay: 2_600 });
  const gif = await encode({ width: size.width * 2 + gap, height: size.height, frames, maxColors: 128 });
  writeFileSync(file, new Uint8Array(gif));
  return took;
}

/** Both pages in one picture, as RGBA. */
async function side(left: Page, right: Page): Promise<Uint8ClampedArray<ArrayBuffer>> {
  const shots = [];
  for (const page of [left, right])
    shots.push((await page.screenshot({ animations: 'disabled', caret: 'hide' })).toString('base64'));
  const drawing = await left.context().newPage();
  const text = String(
    await drawing.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(${size.width * 2 + gap}, ${size.height});
      const pen = canvas.getContext('2d');
      pen.fillStyle = '#9aa0a6';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      for (const [index, shot] of ${JSON.stringify(shots)}.entries()) {
        const picture = new Image();
        picture.src = 'data:image/png;base64,' + shot;
        await picture.decode();
        pen.drawImage(picture, index * ${size.width + gap}, 0);
      }
      return new Uint8Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer).toBase64();
    })()`),
  );
  await drawing.close();
  return new Uint8ClampedArray(Buffer.from(text, 'base64'));
}

// npm run pictures: the README's pictures, taken in the demo (`npm run demo`), light and dark.

const folder = join(root, 'docs/pictures');
/** The largest size of a picture in bytes: every clone contains the pictures. */
const largest = 200_000;
const desk = { viewport: { width: 1440, height: 810 } };
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const schemes: readonly ('light' | 'dark')[] = ['light', 'dark'];
type Clip = { x: number; y: number; width: number; height: number };

const options = {
  sheet: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  languages: { type: 'string' },
} as const;
const { values } = readCommandLine(
  { options },
  `Usage: npm run pictures
       npm run pictures -- --sheet [--only /flags]… [--languages en,de,fr]

Takes the README's pictures again, light and dark, in the demo with its own data, and writes them to docs/pictures. Uses an installed
Chromium or gets one. Takes a few minutes.

--sheet   takes every screen instead, 1440, 768 and 360 px wide, light and dark, in English, German and French, and puts them on one page,
          test-results/pictures/index.html, with what is wrong to a program: errors in the console, a page that scrolls sideways
--only    this picture alone: the path of a screen, or a name that the command prints`,
);
if (!(await buildWeb())) process.exit(1);
const executablePath = await ensureBrowser();
mkdirSync(folder, { recursive: true });

const demo = await openDemo();
const browser = await chromium.launch({
  executablePath,
  chromiumSandbox: process.getuid?.() !== 0,
  // The browser itself answers its question whether this tab may be captured.
  args: ['--auto-accept-this-tab-capture'],
});
try {
  await (values['sheet'] === true ? sheet() : readme());
} finally {
  await browser.close();
  demo.stop();
}

async function sheet(): Promise<void> {
  await takeSheet({
    url: demo.url,
    operator: await signIn(desk),
    member: await signIn(desk, demo.member),
    stranger: await open(desk),
    visitor: (locale) => open({ ...desk, locale }),
    languages: (values.languages ?? 'en,de,fr').split(','),
    only: values['only'] ?? [],
  });
}

async function readme(): Promise<void> {
  const operator = await signIn(desk);
  const sameOperator = { storageState: await operator.context().storageState() };
  await takeScreens(operator, [
    ['home', '/', 'Everything is running.'],
    ['console', '/console', 'Needs attention'],
    ['flags', '/flags', 'NEW_SEARCH'],
    ['people', '/people', 'mia@example.org'],
  ]);
  const pocket = await open({ ...phone, ...sameOperator });
  await takeScreens(pocket, [['home-phone', '/', 'Everything is running.']], ['light']);
  await takeScreens(pocket, [['flags-phone', '/flags', 'NEW_SEARCH']], ['dark']);
  await takeScreens(await open(desk), [['sign-in', '/', 'Trouble signing in?']]);
  await operator.goto(demo.url);
  await operator.getByText('Everything is running.').waitFor();
  await takeIn(operator, 'notice', { x: 0, y: 0, width: desk.viewport.width, height: 200 });
  await takeInbox(operator);
  await takeReport(await signIn(desk, demo.member));
  const file = join(folder, 'live-flag.gif');
  const took = await takeLiveFlag(await signIn(desk), await signIn(desk, demo.member), demo.url, file);
  requireSmall(file);
  process.stdout.write(`docs/pictures/live-flag.gif, ${took} ms from the press to the other browser\n`);
  await takeConsole(operator);

  await startMaintenance(operator, demo.url);
  await takeScreens(await open(desk), [['maintenance-page', '/', 'until about']]);
}

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
  return context.newPage();
}

async function signIn(options: BrowserContextOptions, email = demo.email): Promise<Page> {
  const page = await open(options);
  await page.goto(demo.url);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(demo.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('navigation').first().waitFor();
  return page;
}

async function takeInbox(page: Page): Promise<void> {
  await page.goto(`${demo.url}/reports`);
  await page.getByRole('link', { name: /no visits in Greenland/ }).click();
  await page.getByRole('main').locator('img').first().waitFor();
  // A smaller window: the screenshot within the picture makes its file large.
  await page.setViewportSize({ width: 1200, height: 700 });
  await takeIn(page, 'inbox');
  await page.setViewportSize(desk.viewport);
}

/** Takes pictures of the console while the planned window counts down, and cancels the window afterwards. */
async function takeConsole(page: Page): Promise<void> {
  await page.goto(`${demo.url}/maintenance`);
  await page.getByRole('button', { name: 'Change', exact: true }).first().click();
  await page.getByRole('combobox', { name: 'Time zone of these times' }).click();
  await page
    .getByRole('option', { name: /^UTC\b(?!\+)/ })
    .first()
    .click();
  const inMinutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString().slice(0, 16);
  await fillDate(page, 'Start', inMinutes(13));
  await fillDate(page, 'End', inMinutes(43));
  await page.getByLabel('Text before it starts').fill('The database is upgraded, and is faster afterwards.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('People see the notice').first().waitFor();
  await page.getByText('is changed').first().waitFor({ state: 'detached' });
  await takeIn(page, 'maintenance-console');
  await page
    .getByRole('button', { name: /^Cancel window/ })
    .first()
    .click();
  await confirm(page, 'Cancel window');
}

async function takeReport(page: Page): Promise<void> {
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

/** @param clip the part to take; left out: all that is in sight */
async function takeIn(page: Page, name: string, clip?: Clip, inSchemes = schemes): Promise<void> {
  for (const colorScheme of inSchemes) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide', ...(clip && { clip }) });
    requireSmall(path);
    process.stdout.write(`docs/pictures/${name}-${colorScheme}.png\n`);
  }
}

/** @param screens each screen is ready once it shows its `text` */
async function takeScreens(
  page: Page,
  screens: readonly (readonly [name: string, path: string, text: string])[],
  inSchemes = schemes,
): Promise<void> {
  for (const [name, path, text] of screens) {
    await page.goto(demo.url + path);
    await page.getByText(text).first().waitFor();
    await takeIn(page, name, undefined, inSchemes);
  }
}

function requireSmall(path: string): void {
  const { size } = statSync(path);
  if (size > largest) throw new Error(`${path} has ${size} bytes; at most ${largest} are kept.`);
}

/** `email` is the operator's. */
type Demo = { url: string; email: string; member: string; password: string; stop: () => void };

/** Starts the demo and reads the accounts from its output. */
async function openDemo(): Promise<Demo> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dev/start.mjs'), '--demo'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const printed = (name: string) => new RegExp(String.raw`${name}\s+(\S+)`).exec(text)?.[1];
  return new Promise((opened, failed) => {
    child.once('exit', () => failed(new Error(`The demo did not open.\n${text}`)));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [email, member, password] = [printed('Operator'), printed('Member'), printed('Password')];
      if (email === undefined || member === undefined || password === undefined) return;
      const url = `http://localhost:${port}/portico`;
      opened({ url, email, member, password, stop: () => child.kill('SIGTERM') });
    });
  });
}
