import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from '@playwright/test';
import { type Account, bearerOf, createApi, expect, signInQuickly, test, watchConsole } from './fixtures.ts';
import { claimed } from './installation.ts';

const root = join(import.meta.dirname, '..');
const png = readFileSync(join(import.meta.dirname, '../dev/demo-pictures/notice-on-top.png'));
const language = 'de';

// Which of the languages makes no difference to a text that a screen has of its own; that each is translated
// is proved by web/src/app/catalogue.test.ts.
test('LOOK-3: every screen and every entry page is entirely in the language of the person', async ({
  browser,
  start,
}) => {
  // That of the other tests holds texts that they have written, in the history of maintenance too.
  const installation = await start(claimed);
  const api = createApi(installation);
  const { t, strangers } = germanCatalogue();
  const olga = await api.person('Olga', ['operator']);
  const { key } = await api.createFlag('SPOKEN', {
    killSwitch: true,
    description: '4711',
    tags: ['47'],
    rules: [{ force: true, coverage: 0.5, hashAttribute: 'id' }],
  });
  const page = await newPage(browser);
  const button = (name: string, more: Record<string, string> = {}) =>
    page.getByRole('button', { name: t(name, more), exact: true }).last();
  const dialog = page.getByRole('dialog');
  const known = [
    olga.email,
    'Olga',
    'Walker',
    'Olga Walker',
    key,
    'Portico',
    'OW',
    '4711',
    'Ctrl K',
    // The program with which this test calls the server.
    'node',
    // Names of products.
    'GrowthBook',
    'OpenFeature Node.js',
    'OpenFeature Web',
    'OpenFeature Python',
    'curl',
    ...dateParts(),
  ];
  const expectOwnLanguage = async (where: string) => {
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await expect.poll(async () => strangers(await visibleTexts(page), known), where).toEqual([]);
  };

  await test.step('the pages before the application', async () => {
    await page.goto(`${installation.url}/set-up`);
    await expect(page.getByText(t('SET_UP.CLAIMED.TITLE'))).toBeVisible();
    await expectOwnLanguage('set-up');
    await page.goto(await api.invite('Olga'));
    await expect(page.getByText(t('INVITATION.LEAD'))).toBeVisible();
    await button('INVITATION.ACTION').click();
    await expect(page.getByText(t('ACCOUNT.ERRORS.PASSWORD_SHORT'))).toBeVisible();
    await expectOwnLanguage('invitation');
    await page.goto(`${installation.url}/auth/failed?reason=blocked`);
    await expect(page.getByText(t('SIGN_IN.BLOCKED.TITLE'))).toBeVisible();
    await expectOwnLanguage('sign-in of a person who is blocked');
    await page.goto(installation.url);
    await button('SIGN_IN.ACTION').click();
    await expect(page.getByText(t('DOOR.ERRORS.EMAIL_REQUIRED'))).toBeVisible();
    await expectOwnLanguage('sign-in');
    await fillSignIn(page, { ...olga, password: 'not the password at all' });
    await expect(page.getByText(t('SIGN_IN.WRONG'))).toBeVisible();
    await expectOwnLanguage('sign-in with a wrong password');
    await fillSignIn(page, olga);
  });

  await test.step('home and what every person has', async () => {
    await expect(page.getByRole('heading', { name: t('OVERVIEW.TITLE'), level: 1 })).toBeVisible();
    await page.goto(installation.url);
    await expect(page.getByText(t('HOME.STATUS.RUNNING'))).toBeVisible();
    await page.getByRole('button', { name: t('SHELL.ACCOUNT.LABEL', { name: 'Olga Walker' }) }).click();
    await expect(page.getByRole('menuitem', { name: t('SHELL.ACCOUNT.SIGN_OUT') })).toBeVisible();
    await expectOwnLanguage('home');
    await page.keyboard.press('Escape');
    await button('SHELL.FIND').click();
    await expect(dialog.getByText(t('PALETTE.DO.NEW_FLAG'))).toBeVisible();
    await expectOwnLanguage('the palette');
    await page.goto(`${installation.url}/nothing-here`);
    await expect(page.getByRole('heading', { name: t('PAGES.NOT_FOUND.TITLE') })).toBeVisible();
    await expectOwnLanguage('not found');
  });

  await test.step('flags', async () => {
    await page.goto(`${installation.url}/flags?search=${key}`);
    await page.getByRole('switch').click();
    await expect(dialog).toBeVisible();
    await expectOwnLanguage('flags and their switch');
    await button('FLAGS.TURN.OFF.CANCEL').click();
    await expect(dialog).toHaveCount(0);
    await button('FLAGS.CONNECT.OPEN').click();
    await expect(dialog.getByText(t('FLAGS.CONNECT.EXAMPLE'))).toBeVisible();
    await expectOwnLanguage('connect');
    await page.keyboard.press('Escape');
    await button('FLAGS.NEW').click();
    await dialog.getByRole('textbox').first().fill('HALF');
    await page.keyboard.press('Escape');
    await expectOwnLanguage('the question about what is typed');
    await button('COMMON.LOSS.TYPED.LEAVE').click();
    await expect(dialog).toHaveCount(0);
    await button('FLAGS.NEW').click();
    await button('FLAGS.CREATE').click();
    await expect(page.getByText(t('FLAGS.ERRORS.KEY'))).toBeVisible();
    await expectOwnLanguage('new flag');
    await page.goto(`${installation.url}/flags/${key}`);
    await button('FLAGS.RULE.ADD').click();
    await button('FLAGS.RULE.ADD_SHARE').click();
    await expect(page.getByText(t('COMMON.UNSAVED'))).toBeVisible();
    known.push('id', 'roles', 'true', 'false', 'email', 'Portico itself');
    await expectOwnLanguage('a flag and its rules');
    await button('COMMON.RESTORED.DISCARD').click();
    await button('COMMON.LOSS.TYPED.LEAVE').click();
    await page.getByRole('tab', { name: t('FLAGS.TABS.USE') }).click();
    await expect(page.getByText(t('FLAGS.USE.HINT'))).toBeVisible();
    await expectOwnLanguage('the use of a flag');
    await button('FLAGS.ARCHIVE.ACTION').click();
    await expect(page.getByText(t('FLAGS.ARCHIVE.QUESTION', { key }))).toBeVisible();
    await expectOwnLanguage('edit and archive a flag');
    await page.goto(`${installation.url}/flags?enabled=archived`);
    await expect(page.getByText(t('FLAGS.ARCHIVE.EMPTY.TITLE'))).toBeVisible();
    await expectOwnLanguage('archived flags');
    await button('FLAGS.EXCHANGE.TITLE').click();
    await expect(dialog.getByText(t('FLAGS.EXCHANGE.LEAD'))).toBeVisible();
    await expectOwnLanguage('import and export');
  });

  await test.step('people', async () => {
    const { email } = await api.person('Olga', ['member', 'support']);
    await page.goto(`${installation.url}/people?search=${email}`);
    await expect(page.getByRole('row')).toHaveCount(2);
    known.push(email);
    await expectOwnLanguage('people');
    await page.getByRole('row').getByRole('checkbox').last().check();
    await page.getByRole('toolbar').getByRole('button').first().click();
    await page.getByRole('menuitem').first().click();
    await expectOwnLanguage('a role for many');
    await button('COMMON.CANCEL').click();
    await page.getByRole('row').getByRole('link', { name: 'Olga Walker' }).click();
    await expect(page.getByText(t('PEOPLE.OVERVIEW.ACTIVITY'))).toBeVisible();
    await expectOwnLanguage('person');
    for (const tab of ['ACCESS', 'SESSIONS', 'REPORTS', 'ACTIVITY']) {
      await page.getByRole('tab', { name: t(`PEOPLE.TABS.${tab}`) }).click();
      await expectOwnLanguage(`person, ${tab}`);
    }
    await button('PEOPLE.PERSON.ACTIONS').click();
    await page.getByRole('menuitem', { name: t('PEOPLE.PERSON.BLOCK'), exact: true }).click();
    await expect(page.getByText(t('PEOPLE.PERSON.BLOCK_TITLE', { name: 'Olga Walker' }))).toBeVisible();
    await expectOwnLanguage('block a person');
    await page.goto(`${installation.url}/people?state=blocked&search=zzz`);
    await button('PEOPLE.INVITE').click();
    await button('PEOPLE.INVITATION.SEND').click();
    await expect(page.getByText(t('PEOPLE.INVITATION.INVALID_EMAIL'))).toBeVisible();
    await expectOwnLanguage('no one found, and invite');
  });

  await test.step('reports', async () => {
    const written = '4711 0815';
    const response = await page.request.post(`${installation.url}/v1/feedback`, {
      headers: { authorization: `Bearer ${await bearerOf(page)}` },
      data: {
        message: written,
        name: 'Olga Walker',
        source: 'widget',
        tags: { 47: '11' },
        attachments: [
          { data: png.toString('base64'), filename: '4711.png', contentType: 'image/png' },
          { data: png.toString('base64'), filename: '4712.png', contentType: 'image/png' },
        ],
        context: {
          browser: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
          viewport: '1280 × 720 @2',
        },
      },
    });
    const { id, number } = (await response.json()) as { id: string; number: number };
    known.push('Firefox 150', 'Linux', '4711.png', '4712.png', '1280 × 720');
    known.push('Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0');
    await page.goto(`${installation.url}/reports?search=zzz`);
    await expect(page.getByText(t('REPORTS.NOTHING_FOUND.TITLE'), { exact: true })).toBeVisible();
    await expectOwnLanguage('no report found');
    await page.goto(`${installation.url}/reports?search=0815&report=${id}`);
    await expect(
      page.getByRole('heading', { name: t('REPORTS.REPORT.TITLE', { number: String(number) }) }),
    ).toBeVisible();
    await expect(page.locator('.picture-thumbnail img')).toHaveCount(2);
    await button('REPORTS.CHANGE.LABEL', { status: t('REPORT_STATUS.NEW') }).click();
    await page.getByRole('menuitemradio', { name: t('REPORT_STATUS.IN_PROGRESS') }).click();
    await expect(
      page.getByText(
        t('REPORTS.DID.STATUS', {
          reports: t('REPORTS.REPORT.TITLE', { number: String(number) }),
          status: t('REPORT_STATUS.IN_PROGRESS'),
        }),
      ),
    ).toBeVisible();
    await page.locator('.report-technical > summary').click();
    await page.keyboard.press('n');
    await page.keyboard.type('4711');
    await page.keyboard.press('Control+Enter');
    await expect(page.locator('.talk').getByText('4711', { exact: true })).toBeVisible();
    await expectOwnLanguage('a report');
    await page.locator('.inbox-pane h2').focus();
    await page.keyboard.press('p');
    await expect(dialog.getByRole('img')).toBeVisible();
    await expectOwnLanguage('a picture');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(dialog.getByText(t('PALETTE.KEYS.LETTERS'))).toBeVisible();
    await expectOwnLanguage('the keys of the inbox');
    await page.goto(`${installation.url}/my-reports?report=${id}`);
    await expect(page.getByText(t('MY_REPORTS.MEANS.IN_PROGRESS'))).toBeVisible();
    await expectOwnLanguage('my reports');
    await page.goto(installation.url);
    await expect(page.getByText(t('RECENT_REPORTS.ALL'))).toBeVisible();
    await expectOwnLanguage('home with reports');
  });

  await test.step('settings, audit and what belongs to the own account', async () => {
    await page.goto(`${installation.url}/settings`);
    await expect(page.getByText(t('SETTINGS.LEAD'))).toBeVisible();
    await expectOwnLanguage('settings');
    await page.goto(`${installation.url}/settings/api-tokens`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('API_TOKENS.TITLE'));
    await button('API_TOKENS.CREATE').click();
    await button('API_TOKENS.CREATE_ACTION').click();
    await expect(page.getByText(t('API_TOKENS.ERRORS.NO_RIGHTS'))).toBeVisible();
    await expectOwnLanguage('a token that is being created');
    // With the names of the first start, the same in every language.
    known.push('SDKs that evaluate', 'SDKs with remote evaluation', 'Portico itself', '#0b5e63', 'https://');
    await page.goto(`${installation.url}/settings/client-keys`);
    await page.getByRole('row').last().getByRole('button').first().click();
    await expect(dialog.getByText(t('CLIENT_KEYS.CONNECTED'), { exact: true })).toBeVisible();
    await expectOwnLanguage('a client key');
    await page.goto(`${installation.url}/settings/flags`);
    await expect(page.getByText(t('FLAG_REVIEW.REQUIRED'), { exact: true })).toBeVisible();
    await expectOwnLanguage('the settings of reviews');
    await page.goto(`${installation.url}/settings/branding`);
    await expect(page.getByText(t('BRANDING.ON_DARK'))).toBeVisible();
    await expectOwnLanguage('branding');
    await page.goto(`${installation.url}/settings/backups`);
    await expect(page.getByText(t('BACKUPS.EMPTY'), { exact: true })).toBeVisible();
    await expectOwnLanguage('backups');
    await page.goto(`${installation.url}/settings/reports`);
    await page.getByRole('checkbox', { name: t('ERASURE.RETENTION.LIMITED') }).check();
    await expect(page.getByText(t('ERASURE.RETENTION.DAYS_HINT'))).toBeVisible();
    await expectOwnLanguage('the fields that reports require, and how long they are stored');
    // Of the wrong password.
    known.push(`Chrome ${browser.version().split('.')[0]}`);
    await page.goto(`${installation.url}/audit?subject=${olga.id}`);
    await page
      .getByRole('list', { name: t('AUDIT.COLUMN') })
      .getByRole('link')
      .first()
      .click();
    await expect(page.getByText(t('AUDIT.ENTRY.MORE_SUBJECT'))).toBeVisible();
    await expectOwnLanguage('audit');
    await page.goto(`${installation.url}/people/${olga.id}/data`);
    await expect(page.getByText(t('ERASURE.ERASE.YOURSELF'))).toBeVisible();
    await expectOwnLanguage('data of a person');
    known.push('Chrome', 'Linux');
    await page.goto(`${installation.url}/sessions`);
    await expect(page.getByText(t('OWN_SESSIONS.HERE'), { exact: true })).toBeVisible();
    await expectOwnLanguage('own sessions');
  });

  await test.step('maintenance', async () => {
    await page.goto(`${installation.url}/maintenance`);
    await button('MAINTENANCE.CONSOLE.NOTICE.OPEN').click();
    await page.getByLabel(t('MAINTENANCE.CONSOLE.NOTICE.TEXT')).fill('4711');
    await button('MAINTENANCE.CONSOLE.NOTICE.PUBLISH').click();
    await expect(page.getByText(t('MAINTENANCE.CONSOLE.NOTICE.PUBLISHED'), { exact: true })).toBeVisible();
    known.push('Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So');
    for (const tab of ['NOW', 'PLANNED', 'HISTORY']) {
      await page.getByRole('tab', { name: t(`MAINTENANCE.CONSOLE.TABS.${tab}`) }).click();
      await expectOwnLanguage(`maintenance, ${tab}`);
    }
    await button('MAINTENANCE.CONSOLE.MODE.OPEN').click();
    await expect(dialog).toBeVisible();
    // Languages are offered by their own names; lengths of time are in the words of the browser.
    known.push('English', 'Deutsch', 'Français', '15 Minuten', '30 Minuten');
    await expectOwnLanguage('about to close');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await api.setMaintenance({ mode: 'full', expectedEnd: Date.UTC(2030, 2, 5, 14, 30) });
    await expect(button('MAINTENANCE.PASS')).toBeVisible();
    await expectOwnLanguage('maintenance page in the application');
    await button('MAINTENANCE.PASS').click();
    await expect(page.getByText(t('MAINTENANCE.RIBBON.PASSED'))).toBeVisible();
    await expectOwnLanguage('passed through');

    const stranger = await newPage(browser);
    await stranger.route('**/assets/*.js', (route) => route.abort());
    await stranger.goto(installation.url);
    await expect(stranger.getByText(t('MAINTENANCE.PAGE.TITLE'))).toBeVisible();
    await expect(stranger.locator('html')).toHaveAttribute('lang', language);
    await expect
      .poll(async () => strangers(await visibleTexts(stranger), known), 'maintenance page')
      .toEqual([]);
    await stranger.context().close();
  });
  await page.context().close();
});

test('LOOK-3: the sign-in page speaks the language of the browser, changes it live and stays with it', async ({
  api,
  browser,
  installation,
}) => {
  const mia = await api.person('Mia', ['member']);
  const heading = { en: 'Sign in', de: 'Anmelden', fr: 'Se connecter' };
  for (const [locale, language] of [
    ['es-ES', 'en'],
    ['fr-CA', 'fr'],
    ['de-AT', 'de'],
  ] as const) {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    await page.goto(installation.url);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading[language]);
    await expect(page.locator('html')).toHaveAttribute('lang', language);
    await context.close();
  }

  const context = await browser.newContext({ locale: 'de-DE' });
  const consoleErrors = watchConsole(context);
  const page = await context.newPage();
  await page.goto(installation.url);
  await page.locator('input[name=email]').fill(mia.email);
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading.fr);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Se connecter · Portico');
  await expect(page.locator('input[name=email]')).toHaveValue(mia.email);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading.fr);
  await fillSignIn(page, mia);
  await expect(page.getByText('Tout fonctionne.')).toBeVisible();
  expect(consoleErrors).toEqual([]);
  await context.close();
});

test('LOOK-3: dates and plurals follow the language at once', async ({ api, browser, installation }) => {
  const open = async (account: Account, path: string) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    const page = await context.newPage();
    await signInQuickly(page, installation.url, account, path);
    return page;
  };
  const choose = async (page: Page, menu: RegExp, name: string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };

  await test.step('plurals, and what is typed stays', async () => {
    const sam = await api.person('Sam', ['support']);
    const page = await open(sam, '/people?search=nobody-of-this-name');
    await expect(page.getByText('0 people', { exact: true })).toBeVisible();
    await choose(page, /Account of/, 'Deutsch');
    await expect(page.getByText('0 Personen', { exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page).toHaveTitle('Personen · Portico');
    await expect(page.getByRole('searchbox')).toHaveValue('nobody-of-this-name');
    await expect.poll(async () => (await api.profile(sam.id)).locale).toBe('de');
    await page.reload();
    await choose(page, /Konto von/, 'Français');
    // Nought is singular in French.
    await expect(page.getByText('0 personne', { exact: true })).toBeVisible();
    await page.context().close();
  });

  await test.step('dates', async () => {
    await api.setMaintenance({ mode: 'read-only', expectedEnd: Date.UTC(2030, 2, 5, 14, 30) });
    const page = await open(await api.person('Mia', ['member']), '/');
    const ribbon = page.locator('.notice-banner').filter({ visible: true });
    await expect(ribbon).toContainText('5 Mar 2030, 15:30');
    await choose(page, /Account of/, 'Deutsch');
    await expect(ribbon).toContainText('05.03.2030, 15:30');
    await choose(page, /Konto von/, 'Français');
    await expect(ribbon).toContainText('5 mars 2030, 15:30');
    await page.context().close();
  });
});

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Zurich' });
  return context.newPage();
}

/** In whatever language the page is. */
async function fillSignIn(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

/**
 * Every text that is read or read out, except code, keys, times and names of languages, which need no
 * translation.
 */
function visibleTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const aside = 'code, kbd, pre, textarea, script, style, time, [role=tooltip], [lang]:not(html)';
    const texts = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      if (element.closest(aside) !== null || !element.checkVisibility()) continue;
      // A sentence with marked words is one text.
      if (element.closest('.sentence') !== null) {
        if (element.matches('.sentence')) texts.push(element.textContent ?? '');
        continue;
      }
      for (const node of element.childNodes)
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? '');
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-label'])
        texts.push(element.getAttribute(name) ?? '');
    }
    return [...new Set(texts.map((text) => text.trim()))];
  });
}

type Catalogue = { [key: string]: string | Catalogue };

/** All texts of a language by their keys. */
function textsOf(which: 'en' | 'de'): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of globSync(`{web/src/app,features/*/web}/texts/${which}.json`, { cwd: root }))
    collect(JSON.parse(readFileSync(join(root, file), 'utf8')) as Catalogue, '');
  return texts;

  function collect(catalogue: Catalogue, above: string): void {
    for (const [key, value] of Object.entries(catalogue)) {
      if (typeof value === 'string') texts.set(above + key, value);
      else collect(value, `${above}${key}.`);
    }
  }
}

function germanCatalogue() {
  const texts = textsOf(language);
  const english = textsOf('en');
  // Languages share words, such as “Description”; a whole sentence that is the same has not been translated.
  const translated = [...texts].filter(
    ([key, text]) => text !== english.get(key) || (text.match(/(?<!\{)\b\p{L}{2,}/gu) ?? []).length < 3,
  );
  const whole = new Set(translated.map(([, text]) => text).filter((text) => !text.includes('{{')));
  const withValues = translated.map(([, text]) => text).filter((text) => text.includes('{{'));
  const patterns = withValues.map((text) => {
    const parts = text.split(/\{\{[^}]*\}\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('(.+?)')}$`, 'su');
  });
  const date = new RegExp(
    `^(?:(?:${dayNames().join('|')}),? )*\\d{1,2}[. ]+(?:${months().join('|')}|\\d{2})[. ]*\\d{4}(?:,? (?:à |um )?\\d{2}:\\d{2})?$`,
    'iu',
  );

  return {
    t(key: string, values: Record<string, string> = {}): string {
      const text = texts.get(key);
      if (text === undefined) throw new Error(`No catalogue has ${key}.`);
      return text.replaceAll(
        /\{\{(\w+)\}\}/g,
        (_, name: string) => values[name] ?? (name === 'product' ? 'Portico' : ''),
      );
    },
    /** The texts that neither the catalogues nor the people themselves have written. */
    strangers(found: readonly string[], known: readonly string[]): string[] {
      const isAtHome = (text: string): boolean => {
        if (!/\p{L}/u.test(text) || known.includes(text) || whole.has(text) || date.test(text)) return true;
        if (amount.test(text)) return true;
        if (/^(?:\S+@example\.org|true|false|UTC|Europe\/\w+|SDK)$/.test(text)) return true;
        const inPattern = patterns.some((pattern) => {
          const match = pattern.exec(text);
          return match !== null && match.slice(1).every(isAtHome);
        });
        if (inPattern) return true;
        const parts = text.split(/ · |, | und | et /u);
        return parts.length > 1 && parts.every(isAtHome);
      };
      return found.filter((text) => !isAtHome(text));
    },
  };
}

/** The words of a date's field, which are the browser's: what an empty one shows, and the names of its parts. */
function dateParts(): string[] {
  const names = new Intl.DisplayNames(language, { type: 'dateTimeField' });
  const parts = (['day', 'month', 'year', 'hour', 'minute'] as const).map((part) => names.of(part) ?? part);
  return ['tt', 'mm', 'jjjj', ...parts];
}

/** An amount with its unit, as `Intl` writes it: 1 Stunde, 30 Min. */
const amount = new RegExp(
  `^\\d[\\d.,]*\\s(?:${[
    'second',
    'minute',
    'hour',
    'day',
    'byte',
    'kilobyte',
    'megabyte',
    'meter',
    'kilometer',
  ]
    .flatMap((unit) =>
      (['short', 'long'] as const).flatMap((unitDisplay) =>
        [1, 2].flatMap((count) =>
          new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay })
            .formatToParts(count)
            .flatMap(({ type, value }) => (type === 'unit' ? [value.replaceAll('.', '\\.')] : [])),
        ),
      ),
    )
    .join('|')})$`,
  'u',
);

function months(): string[] {
  return (['short', 'long'] as const).flatMap((month) => {
    const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
    return Array.from({ length: 12 }, (_, at) => format.format(Date.UTC(2026, at, 15)));
  });
}

/** Today, yesterday and the days of the week. */
function dayNames(): string[] {
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const week = Array.from({ length: 7 }, (_, day) => weekday.format(Date.UTC(2026, 0, day + 1)));
  return [...week, near.format(0, 'day'), near.format(-1, 'day')];
}

test('LOOK-3: what people write in a script from right to left is shown so, whatever the language of the page', async ({
  browser,
  start,
}) => {
  const installation = await start(claimed);
  const api = createApi(installation);
  const text = 'שלום: notice 1.';
  const olga = await api.person('Olga', ['operator']);
  await api.setProfile(olga.id, { firstName: 'אולגה' });
  await api.createFlag('RIGHT_TO_LEFT', { description: text });
  await api.setMaintenance({ mode: 'off', text, severity: 'INFO' });
  const page = await newPage(browser);
  const expectRightToLeft = (shown: Locator) => expect(shown).toHaveCSS('direction', 'rtl');

  await page.goto(`${installation.url}/auth/login`);
  await expectRightToLeft(page.getByText(text));
  await signInQuickly(page, installation.url, olga);
  await page.goto(`${installation.url}/flags`);
  await expect(page.locator('html')).toHaveCSS('direction', 'ltr');
  await expectRightToLeft(page.getByText(text).first());
  await expectRightToLeft(page.getByRole('table').getByText(text));
  await page.goto(`${installation.url}/people?search=Walker`);
  await expectRightToLeft(page.getByRole('table').getByText('אולגה Walker'));
  await page.goto(`${installation.url}/profile`);
  await expectRightToLeft(page.locator('input[autocomplete="given-name"]'));
});
