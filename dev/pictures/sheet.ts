import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { screens } from '#web/features.ts';
import { root } from '../prepare.mjs';

// One page with every screen in every width, scheme and language.

type Picture = Record<'file' | 'path' | 'language' | 'scheme', string> & { width: number; faults: string[] };

const folder = join(root, 'test-results/pictures');
const sizes = [
  [1440, 900],
  [768, 1024],
  [360, 740],
] as const;
const names: Record<string, string> = { en: 'English', de: 'Deutsch', fr: 'Français' };
/** The phases of the maintenance page, which has another text in each of them. */
const phases = ['maintenance-page', 'maintenance-page-late', 'maintenance-page-finished'];
/** The height in pixels at which the picture of a long screen ends. */
const highest = 2000;

/** How the address of a screen about one entry is found, by how its path begins: by which link of which list. */
const examples = [
  ['/flags/$flagKey', '/flags', 'a.table-open:has-text("NEW_SEARCH")'],
  ['/people/$personId?tab=reports', '/people', 'a.table-open:has-text("Mia")'],
  ['/people/$personId', '/people', 'a.table-open:has-text("Sam")'],
  ['/diagnostics/$errorId', '/diagnostics', 'a.error-row-link'],
  ['/reports?report=', '/reports', 'a.list-beside-row'],
  ['/audit?entry=', '/audit', 'a.list-beside-row'],
] as const;
/** Views that the list of screens does not name: tabs, and lists with one of their rows open. */
const views = [
  '/reports?report=',
  '/maintenance?tab=planned',
  '/maintenance?tab=history',
  '/flags/NEW_SEARCH?tab=json',
  '/flags/NEW_SEARCH?tab=details',
  ...['access', 'sessions', 'reports', 'activity'].map((tab) => `/people/$personId?tab=${tab}`),
  '/roles?show=matrix',
  '/roles?show=groups',
  '/roles?show=rights',
  '/audit?entry=',
];

type Parts = Record<'operator' | 'member' | 'stranger', Page> & {
  url: string;
  /** Opens a page for a person who is not signed in. */
  visitor: (locale: string) => Promise<Page>;
  languages: readonly string[];
  /** Names of pictures; empty: all. */
  only: readonly string[];
};

/**
 * Takes the sign-in, the home screen of a member, every screen with its tabs as the operator sees them, and the
 * maintenance page.
 */
export async function takeSheet(parts: Parts): Promise<void> {
  const { url, operator, member, stranger, visitor, languages, only } = parts;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const errors: string[] = [];
  const watch = (page: Page, expected = '(none)') => {
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes(expected)) errors.push(message.text());
    });
  };
  for (const page of [operator, member, stranger]) watch(page);
  const pictures: Picture[] = [];
  const take = async (page: Page, path: string, address: string, language: string) => {
    errors.length = 0;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(url + address);
    await takeShown(page, path, language);
  };
  const takeShown = async (page: Page, path: string, language: string) => {
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await drawn(page);
      for (const scheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        const file = `${nameOf(path)}-${language}-${width}-${scheme}.png`;
        const faults = [...errors, ...(await sideways(page))];
        const high = Number(await page.evaluate('document.documentElement.scrollHeight'));
        await page.screenshot({
          path: join(folder, file),
          fullPage: true,
          animations: 'disabled',
          caret: 'hide',
          clip: { x: 0, y: 0, width, height: Math.min(Math.max(high, height), highest) },
        });
        pictures.push({ file, path, language, scheme, width, faults });
      }
    }
    process.stdout.write(`${language} ${path}\n`);
  };

  const isWanted = (name: string) => only.length === 0 || only.includes(name);
  const paths = [...screens.map(({ path }) => path), ...views].filter(isWanted);
  for (const language of languages) {
    if (isWanted('sign-in')) {
      await stranger.goto(url);
      await stranger.locator(`button[lang=${language}]`).click();
      await take(stranger, 'sign-in', '/', language);
    }
    if (isWanted('home-of-a-member')) {
      await speak(member, url, language);
      await take(member, 'home-of-a-member', '/', language);
    }
    await speak(operator, url, language);
    for (const path of paths) {
      const address = await addressOf(operator, url, path);
      if (address === null) process.stdout.write(`${language} ${path}: the demo has none\n`);
      else await take(operator, path, address, language);
    }
  }
  if (phases.some(isWanted)) {
    // The steps of maintenance are taken in English.
    await speak(operator, url, 'en');
    await startMaintenance(operator, url);
    const visitors: (readonly [language: string, page: Page])[] = [];
    for (const language of languages) {
      const page = await visitor(language);
      watch(page, ' 503 ');
      await take(page, 'maintenance-page', '/', language);
      await beLate(page, url);
      await take(page, 'maintenance-page-late', '/', language);
      visitors.push([language, page]);
    }
    await endMaintenance(operator, url);
    for (const [language, page] of visitors) {
      await page.locator('.maintenance-page .button-primary').waitFor();
      errors.length = 0;
      await takeShown(page, 'maintenance-page-finished', language);
    }
  }
  writeFileSync(join(folder, 'index.html'), sheetOf(pictures));
  const faulty = pictures.filter(({ faults }) => faults.length > 0);
  for (const { file, faults } of faulty) process.stdout.write(`${file}: ${faults.join('; ')}\n`);
  process.stdout.write(
    `${pictures.length} pictures, ${faulty.length} with faults: ${join(folder, 'index.html')}\n`,
  );
}

/** From now on the page receives an expected end that has passed, and does not reload when maintenance ends. */
async function beLate(page: Page, url: string): Promise<void> {
  const earlier = (text: string) => text.replace(/"expectedEnd":\d+/, `"expectedEnd":${Date.now() - 60_000}`);
  let loaded = false;
  await page.route(
    ({ href }) => href.startsWith(`${url}/`),
    async (route) => {
      const request = route.request();
      if (request.resourceType() === 'document') {
        if (loaded) return route.abort('aborted');
        loaded = true;
      } else if (!request.url().endsWith('/v1/maintenance/status')) return route.fallback();
      const response = await route.fetch();
      return route.fulfill({ response, body: earlier(await response.text()) });
    },
  );
}

const nameOf = (path: string) => (path === '/' ? 'home' : path.replaceAll(/[^\w-]+/g, '-').replace(/^-/, ''));

/** The address of a screen; null where the demo has no entry for it. */
async function addressOf(page: Page, url: string, path: string): Promise<string | null> {
  const example = examples.find(([begin]) => path.startsWith(begin));
  if (example === undefined) return path.includes('$') ? null : path;
  const [, list, link] = example;
  const rest = path.replace(/^.*(?:\$\w+|=$)/, '');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url + list);
  const found = await page
    .locator(link)
    .first()
    .getAttribute('href', { timeout: 10_000 })
    .catch(() => null);
  return found === null ? null : new URL(found, url + list).href.replace(url, '') + rest;
}

/** Chooses a language in the menu of the account. */
async function speak(page: Page, url: string, language: string): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.locator('.shell-person').click();
  await page.getByRole('menuitemradio', { name: names[language] ?? language }).click();
  await page.locator(`html[lang=${language}]`).waitFor();
}

/** Waits until the screen has loaded its data and fonts, and is drawn. */
async function drawn(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 15_000 });
  await page.evaluate('document.fonts.ready.then(() => new Promise((drawn) => setTimeout(drawn, 250)))');
}

/** Returns a sentence where the page is wider than its window. */
async function sideways(page: Page): Promise<string[]> {
  const more = Number(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  );
  return more > 0 ? [`scrolls ${more} px sideways`] : [];
}

function sheetOf(pictures: readonly Picture[]): string {
  const paths = [...new Set(pictures.map(({ path }) => path))];
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const figure = ({ file, width, scheme, language, faults }: Picture) => `<figure class="w${width}">
<a href="${file}"><img src="${file}" alt="" loading="lazy"></a>
<figcaption>${language} · ${width} px · ${scheme}${faults.map((fault) => ` <b>${escaped(fault)}</b>`).join('')}</figcaption></figure>`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Every screen</title>
<style>
body{margin:24px;background:#cfccc4;color:#1c1f21;font:14px/1.5 system-ui,sans-serif}
nav{display:flex;flex-wrap:wrap;gap:4px 12px}
section>div{display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}
figure{margin:0}img{display:block;width:100%;border-radius:6px;background:#fff}
.w1440{width:720px}.w768{width:384px}.w360{width:240px}b{color:#a8201a}
</style>
<h1>Every screen</h1>
<nav>${paths.map((path) => `<a href="#${nameOf(path)}">${path}</a>`).join('')}</nav>
${paths
  .map(
    (path) => `<section id="${nameOf(path)}"><h2>${path}</h2><div>
${pictures
  .filter((picture) => picture.path === path)
  .map(figure)
  .join('\n')}
</div></section>`,
  )
  .join('\n')}
</html>
`;
}

/** Starts maintenance, with an end in 25 minutes, on the page of an operator, in English. */
export async function startMaintenance(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'Start maintenance…' }).click();
  const text = 'The database is being upgraded, and is faster afterwards.';
  await page.getByLabel('Text while it lasts').fill(text);
  // As the field expects it: the local time of this browser.
  const end = await page.evaluate(() => {
    const now = new Date();
    now.setMinutes(now.getMinutes() + 25 - now.getTimezoneOffset());
    return now.toISOString().slice(0, 16);
  });
  await fillDate(page, 'Expected end', end);
  await confirm(page, 'Start maintenance now');
}

/** Ends maintenance. */
async function endMaintenance(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenance`);
  await page.getByRole('button', { name: 'End maintenance now' }).click();
  await confirm(page, 'End maintenance now');
}

/** Pastes a time into its field. @param time `2026-11-24T22:00` */
export async function fillDate(page: Page, name: string, time: string): Promise<void> {
  const field = page.getByRole('group', { name, exact: true });
  await field.getByRole('spinbutton').first().focus();
  // The script is a text, because DOM types are not known here.
  await page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '${time}');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
  await field.filter({ hasText: time.slice(11) }).waitFor();
}

/** Presses a button of the open dialog, which closes it. */
export async function confirm(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name }).click();
  await dialog.waitFor({ state: 'detached' });
}
