// One page with every screen in every width, scheme and language.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { screens } from '#web/features.ts';
import { root } from '../prepare.mjs';

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ file: string, path: string, language: string, scheme: string, width: number, faults: string[] }} Picture */

const folder = join(root, 'test-results/pictures');
const sizes = /** @type {const} */ ([
  [1440, 900],
  [768, 1024],
  [360, 740],
]);
const schemes = /** @type {const} */ (['light', 'dark']);
/** @type {Record<string, string>} */
const names = { en: 'English', de: 'Deutsch', fr: 'Français' };
/** The phases of the maintenance page, in which it says other things. */
const phases = ['maintenance-page', 'maintenance-page-late', 'maintenance-page-finished'];
/** Pixels of a long screen that are taken. */
const highest = 2000;

/** Where the address of a screen of one thing is found: on which screen, by which link, with what behind it. */
const examples = /** @type {Record<string, readonly [list: string, link: string, rest?: string]>} */ ({
  '/flags/$flagKey': ['/flags', 'a.table-open:has-text("NEW_SEARCH")'],
  '/people/$personId': ['/people', 'a.table-open:has-text("Sam")'],
  '/people/$personId/data': ['/people', 'a.table-open:has-text("Sam")', '/data'],
  '/people/$personId?tab=access': ['/people', 'a.table-open:has-text("Sam")', '?tab=access'],
  '/people/$personId?tab=sessions': ['/people', 'a.table-open:has-text("Sam")', '?tab=sessions'],
  '/people/$personId?tab=reports': ['/people', 'a.table-open:has-text("Mia")', '?tab=reports'],
  '/people/$personId?tab=activity': ['/people', 'a.table-open:has-text("Sam")', '?tab=activity'],
  '/diagnostics/$errorId': ['/diagnostics', 'a.error-row-link'],
  '/reports?report=': ['/reports', 'a.list-beside-row'],
  '/audit?entry=': ['/audit', 'a.list-beside-row'],
});
/** What the list of screens does not name: tabs, and a list with one of its rows open. */
const views = [
  '/reports?report=',
  '/maintenance?tab=planned',
  '/maintenance?tab=history',
  '/flags/NEW_SEARCH?tab=json',
  '/flags/NEW_SEARCH?tab=details',
  ...Object.keys(examples).filter((path) => path.includes('tab=')),
  '/roles?show=matrix',
  '/roles?show=groups',
  '/roles?show=rights',
  '/audit?entry=',
];

/**
 * @typedef {{ visitor: (locale: string) => Promise<Page>, start: () => Promise<void>, end: () => Promise<void> }} Maintenance `visitor`: a
 * window of a person who is not signed in; the operator speaks English while it starts and ends
 */

/**
 * Takes the sign-in, the home screen of a member, every screen with its tabs as the operator sees them, and the
 * maintenance page.
 *
 * @param {{ url: string, operator: Page, member: Page, stranger: Page, maintenance: Maintenance, languages: readonly string[], only: readonly string[] }} options `only`:
 * names of pictures; empty: all
 */
export async function takeSheet({ url, operator, member, stranger, maintenance, languages, only }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  /** @type {string[]} */
  const errors = [];
  const watch = (/** @type {Page} */ page, expected = '(none)') => {
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes(expected)) errors.push(message.text());
    });
  };
  for (const page of [operator, member, stranger]) watch(page);
  /** @type {Picture[]} */
  const pictures = [];
  /** @param {Page} page @param {string} path @param {string} address @param {string} language */
  const take = async (page, path, address, language) => {
    errors.length = 0;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(url + address);
    await takeShown(page, path, language);
  };
  /** @param {Page} page @param {string} path @param {string} language */
  const takeShown = async (page, path, language) => {
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await rest(page);
      for (const scheme of schemes) {
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

  const isWanted = (/** @type {string} */ name) => only.length === 0 || only.includes(name);
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
    await speak(operator, url, 'en');
    await maintenance.start();
    /** @type {(readonly [language: string, page: Page])[]} */
    const visitors = [];
    for (const language of languages) {
      const page = await maintenance.visitor(language);
      watch(page, ' 503 ');
      await take(page, 'maintenance-page', '/', language);
      await beLate(page, url);
      await take(page, 'maintenance-page-late', '/', language);
      visitors.push([language, page]);
    }
    await maintenance.end();
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

/**
 * From now on the page receives an expected end that has passed, and stays where it is when maintenance ends.
 *
 * @param {Page} page
 * @param {string} url
 */
async function beLate(page, url) {
  const earlier = (/** @type {string} */ text) =>
    text.replace(/"expectedEnd":\d+/, `"expectedEnd":${Date.now() - 60_000}`);
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

/** @param {string} path */
const nameOf = (path) => (path === '/' ? 'home' : path.replaceAll(/[^\w-]+/g, '-').replace(/^-/, ''));

/**
 * @param {Page} page
 * @param {string} url
 * @param {string} path
 * @returns {Promise<string | null>} null where the demo has nothing of the kind
 */
async function addressOf(page, url, path) {
  const example = examples[path];
  if (example === undefined) return path.includes('$') ? null : path;
  const [list, link, rest = ''] = example;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url + list);
  const found = await page
    .locator(link)
    .first()
    .getAttribute('href', { timeout: 10_000 })
    .catch(() => null);
  return found === null ? null : new URL(found, url + list).href.replace(url, '') + rest;
}

/**
 * Chooses a language in the menu of the account.
 *
 * @param {Page} page
 * @param {string} url
 * @param {string} language
 */
async function speak(page, url, language) {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(url);
  await page.locator('.shell-person').click();
  await page.getByRole('menuitemradio', { name: names[language] ?? language }).click();
  await page.locator(`html[lang=${language}]`).waitFor();
}

/**
 * Waits until the screen is there with what it loads, and at rest.
 *
 * @param {Page} page
 */
async function rest(page) {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 15_000 });
  await page.evaluate('document.fonts.ready.then(() => new Promise((drawn) => setTimeout(drawn, 250)))');
}

/**
 * @param {Page} page
 * @returns {Promise<string[]>} a sentence where the page is wider than its window
 */
async function sideways(page) {
  const more = Number(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  );
  return more > 0 ? [`scrolls ${more} px sideways`] : [];
}

/** @param {readonly Picture[]} pictures */
function sheetOf(pictures) {
  const paths = [...new Set(pictures.map(({ path }) => path))];
  const escaped = (/** @type {string} */ text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  /** @param {Picture} picture */
  const figure = ({ file, width, scheme, language, faults }) => `<figure class="w${width}">
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
