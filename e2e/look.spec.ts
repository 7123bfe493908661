import type { Page, Request } from '@playwright/test';
import { screens } from '#web/features.ts';
import { expectFits, expectNoViolations } from './accessible.ts';
import { comeBack, expect, fillSignIn, test, watchShifts } from './fixtures.ts';
import { operator } from './installation.ts';

const addresses = screens.map(({ path }) => path);
const mainScreens = ['/', '/profile', '/flags', '/maintenance', '/people', '/roles', '/webhooks'];
/** Scanned in the tests of reports, of diagnostics and of the map, where they hold some. */
const elsewhere = ['/my-reports', '/reports', '/diagnostics/$errorId', '/map', '/map-layers'];

test.describe('every screen', () => {
  test('LOOK-1 LOOK-2: is accessible in light and dark, and fits from 320 px to 4K', async ({
    api,
    signIn,
  }) => {
    await api.createFlag(`LOOKED_AT_${Date.now()}`, {
      description: 'A description that is long enough to need more than one line on a phone, as they are.',
    });
    await api.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'MEDIUM' });
    await look(await signIn('operator', { at: '/sessions' }), [...mainScreens, '/nothing-here']);
  });

  test('LOOK-1 LOOK-2 CON-1: so are the settings, the audit, the own sessions and a person’s data', async ({
    api,
    signIn,
  }) => {
    const { id } = await api.person('Wolfeschlegelsteinhausenbergerdorff', ['member']);
    const page = await signIn('operator', { at: '/roles' });
    const parts: Record<string, string> = {
      '/people/$personId': `/people/${id}?tab=access`,
      '/people/$personId/data': `/people/${id}/data`,
      '/audit': `/audit?subject=${id}`,
    };
    const others = addresses.filter((path) => ![...mainScreens, ...elsewhere].includes(path));
    await look(
      page,
      others.map((path) => parts[path] ?? path),
    );
  });
});

test('LOOK-1 LOOK-2: on a phone the bar holds the menu, the title and the button for bugs in each language, a row has two lines, and the navigation holds a long title, at the side too', async ({
  api,
  signIn,
}) => {
  const olga = await api.person('Olga', ['operator']);
  await api.createFlag(`IN_TWO_LINES_${Date.now()}`, { description: 'Not shown on a phone.', tags: ['tag'] });
  const page = await signIn(olga, { at: '/flags' });
  await page.setViewportSize({ width: 320, height: 600 });
  const bar = page.getByRole('banner');
  for (const [title, report, language, next] of [
    ['Flags', 'Report a Bug', /Account of/, 'Deutsch'],
    ['Flags', 'Fehler melden', /Konto von/, 'Français'],
    ['Flags', 'Signaler un bug', /Compte de/, 'English'],
  ] as const) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(bar.getByText(title)).toBeInViewport({ ratio: 1 });
    await expect(bar.getByRole('button', { name: report })).toBeInViewport({ ratio: 1 });
    const cut = await bar.evaluate((element) =>
      [element, ...element.querySelectorAll('*')]
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 1)
        .map((part) => part.outerHTML),
    );
    expect(cut, `${title}, before ${next}`).toEqual([]);
    await bar.getByRole('button', { name: language }).click();
    await page.getByRole('menuitemradio', { name: next }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitemradio')).toHaveCount(0);
  }
  const heading = page.getByRole('heading', { level: 1, name: 'Flags' });
  expect((await heading.boundingBox())?.width, 'the title stands in the bar').toBe(1);
  const row = page.getByRole('row', { name: /IN_TWO_LINES_/ });
  await expect(row.getByText('Not shown on a phone.')).toBeHidden();
  const key = await row.getByRole('link').boundingBox();
  const serves = await row.getByText(/ for everyone$/).boundingBox();
  expect(serves?.y).toBeGreaterThanOrEqual((key?.y ?? 0) + (key?.height ?? 0));
  expect((await row.boundingBox())?.height).toBeLessThan(72);

  const entry = page.locator('.shell-side-list [aria-current] > span').filter({ visible: true });
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 800 });
    if (width === 360) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('dialog').getByRole('link', { name: 'My reports' })).toBeVisible();
      await expectNoViolations(page, 'the drawer');
    }
    for (const title of ['Write and send announcements', 'Benachrichtigungseinstellungen für alle']) {
      await entry.evaluate((span, text) => {
        span.textContent = text;
        span.dataset['text'] = text;
      }, title);
      expect(await cutTitles(page), `${title} at ${width}`).toEqual([]);
    }
  }
});

test('LOOK-1 MAINT-2: nothing moves while the page loads, with a notice on it, and the chosen appearance is there from the first paint', async ({
  api,
  signIn,
}) => {
  await api.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'INFO' });
  const page = await signIn(await api.person('Mia', ['member']));
  const moved = await watchShifts(page);
  // The scripts wait until the page has been painted without them, as they do on a slow line.
  const painted = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await painted.promise;
    await route.continue();
  });
  await page.reload({ waitUntil: 'commit' });
  await expect(
    page.locator('.notice-banner', { hasText: 'Save your work before ten tonight.' }),
  ).toBeVisible();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  painted.resolve();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  expect(await moved()).toEqual([]);

  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // The page itself alone: no script file, no answer.
  await page.route(/\/(?:assets\/.*\.js|auth\/token)/, (route) => route.abort());
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('.shell-brand')).toBeVisible();
});

test('LOOK-4: a member downloads at most 160 kB of script and style, and nothing of the console', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const sizes = new Map<string, Promise<number>>();
  // After the first paint the page loads the field of the palette with its keys, the reader of events, the recorder
  // of steps, the reporter of errors, and the end of the home screen with its texts; `dev/sizes.ts` has a budget for
  // them.
  const atRest = /at-rest|send-faults|home-late|late-texts/;
  const isText = (url: string) => /\/en-[^/]+$/.test(url);
  let isAtRest = false;
  const sizeOf = async (request: Request) => {
    await (await request.response())?.finished();
    return (await request.sizes()).responseBodySize;
  };
  const count = (request: Request) => {
    // What is loaded at rest begins with the form of a report, on a busy machine before this test sees the heading.
    isAtRest ||= request.url().includes('/lazy-report-bug');
    if (isAtRest || !/\.(?:js|css)$/.test(new URL(request.url()).pathname) || atRest.test(request.url()))
      return;
    if (isText(request.url()) && [...sizes.keys()].some(isText)) return;
    sizes.set(request.url(), sizeOf(request));
  };
  const page = await signIn(mia, { before: (opened) => opened.on('request', count) });
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  page.off('request', count);
  const total = async () => (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0);
  const late = /flags-screen|people-screen|inbox-screen|my-reports|screen-parts/;
  // Fewer would mean that nothing was compressed, or that nothing was counted. The browser reports sizes with
  // a delay.
  await expect.poll(total).toBeGreaterThan(60_000);
  expect(await total()).toBeLessThanOrEqual(160_000);
  expect([...sizes.keys()].filter((url) => late.test(url))).toEqual([]);
});

test('LOOK-4: what an operator’s first screen needs is downloaded while they type their password, in few files that the page names at once', async ({
  page,
  installation,
}) => {
  const loaded = () =>
    page.evaluate(() =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
        .filter(({ name }) => /\.(?:js|css)$/.test(name))
        .map(({ name, transferSize }) => ({ name, isNew: transferSize > 0 })),
    );
  await page.goto(`${installation.url}/console`);
  await expect
    .poll(async () => (await loaded()).map(({ name }) => name))
    .toContainEqual(expect.stringContaining('screen-parts'));
  await fillSignIn(page, operator);
  await expect(page.getByRole('heading', { name: 'Needs attention' })).toBeVisible();
  const all = await loaded();
  // The form of a report and what follows it come once the page is at rest.
  const rest = all.findIndex(({ name }) => name.includes('/lazy-report-bug'));
  const files = rest < 0 ? all : all.slice(0, rest);
  expect(files.length).toBeLessThanOrEqual(25);
  const shared = files.filter(({ name }) => /first-page|screen-parts/.test(name));
  expect(shared.map(({ isNew }) => isNew)).toEqual([false, false, false, false]);
  const named = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  const ofScreen = files.filter(({ name }) =>
    /(?:overview-screen|lazy-screens|late-texts).*\.js$/.test(name),
  );
  expect(ofScreen).toHaveLength(3);
  expect(named).toEqual(expect.arrayContaining(ofScreen.map(({ name }) => name)));
});

test('NOTE-1 LOOK-2: a notification stands top right, 24 px from the edge and from the bar, covers neither that nor the notice above it, and can be closed above an open dialog', async ({
  api,
  signIn,
}) => {
  const olga = await api.person('Olga', ['operator']);
  await api.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'INFO' });
  const page = await signIn(olga, { at: '/people' });
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('First name').fill('Half typed');
  await api.setRoles(olga.id, ['support']);
  await comeBack(page);

  const warning = page.getByRole('alert').filter({ hasText: 'permissions' });
  await expect(warning).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  // It slides to its place.
  const place = async () => {
    const box = await warning.boundingBox();
    return [box?.y, Math.round((box?.x ?? 0) + (box?.width ?? 0))];
  };
  const bar = page.locator('.shell-top');
  const barEnd = async () => bar.evaluate((element) => element.getBoundingClientRect().bottom);
  expect(await barEnd()).toBeGreaterThan(80);
  await expect.poll(place).toEqual([(await barEnd()) + 24, width - 24]);
  await api.setMaintenance({ text: '', severity: 'INFO' });
  await expect.poll(barEnd).toBe(52);
  await expect.poll(place).toEqual([52 + 24, width - 24]);

  await expectNoViolations(page, 'a warning above a dialog');
  await warning.getByRole('button', { name: 'Close' }).click();
  await expect(warning).toHaveCount(0);
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');
});

/**
 * Shows each screen at every width, and has it measured on a phone and on a desk, in light and in dark. The
 * page is loaded once: loading it for each screen takes longer than the scans.
 */
async function look(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.locator('h1').evaluateAll((titles) => {
      for (const title of titles) title.setAttribute('data-before', '');
    });
    await page.evaluate((to) => window.history.pushState(null, '', to), path);
    const title = page.getByRole('heading', { level: 1 }).and(page.locator(':not([data-before])'));
    await expect(title).toBeVisible();
    await expect(page.locator('.skeleton')).toHaveCount(0);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    for (const width of [3840, 768, 320, 1280]) {
      await expectFits(page, path, width);
      expect(await cutTitles(page), `${path} at ${width}, titles that run out of the navigation`).toEqual([]);
      if (width === 3840) expect(await measures(page), `${path} at ${width}`).toEqual(['24px', true]);
      if (width === 320 || width === 1280) await expectNoViolations(page, `${path} at ${width}`);
    }
    // The scheme changes colours alone.
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expectNoViolations(page, `${path}, dark`, { rules: ['color-contrast'] });
  }
}

/** The size of the title, and whether the screen is at most as wide as a list. */
async function measures(page: Page): Promise<[string, boolean]> {
  return page.getByRole('main').evaluate((main) => {
    const title = main.querySelector('h1');
    const widest = Math.max(...[...main.children].map(({ clientWidth }) => clientWidth));
    return [title === null ? '' : getComputedStyle(title).fontSize, widest <= 1280];
  });
}

/**
 * The entries of the console's navigation, where it is shown, that run out of it or do not hold their text.
 */
async function cutTitles(page: Page): Promise<string[]> {
  return page
    .locator('.shell-side-list:visible')
    .evaluateAll((lists) =>
      lists.flatMap((list) =>
        [...list.querySelectorAll('.shell-link')]
          .filter((entry) => entry.scrollWidth > Math.min(entry.clientWidth, list.clientWidth))
          .map((entry) => entry.textContent),
      ),
    );
}
