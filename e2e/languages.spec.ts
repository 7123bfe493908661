import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import {
  type Account,
  type Api,
  bearerOf,
  createApi,
  expect,
  signInQuickly,
  test as base,
  watchConsole,
} from './fixtures.ts';
import { claimed, type Installation, startInstallation } from './installation.ts';

const root = join(import.meta.dirname, '..');
const png = readFileSync(join(import.meta.dirname, '../dev/demo-pictures/notice-on-top.png'));
const language = 'de';

const { t, strangers } = germanCatalogue();
/** That of the first tests here, and what they read it with. */
let own: Installation;
let api: Api;
let olga: Account;
let url: string;

const test = base.extend<{ open: (at?: string, who?: Account) => Promise<ReturnType<typeof readerOf>> }>({
  open: async ({ page, signIn }, provide) =>
    provide(async (at, who = olga) => readerOf(at === undefined ? page : await signIn(who, { at }))),
});

/** @returns the page, what is on it by the keys of its texts, and a list of what is known in addition to these */
function readerOf(page: Page) {
  const dialog = page.getByRole('dialog');
  const known = [
    olga.email,
    'Olga',
    'Walker',
    'Olga Walker',
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
  return {
    page,
    known,
    dialog,
    button: (name: string, more: Record<string, string> = {}) =>
      page.getByRole('button', { name: t(name, more), exact: true }).last(),
    expectOwnLanguage,
    /** Also runs the accessibility scan, for screens that `look.spec.ts` does not open. */
    async expectSound(where: string) {
      await expectOwnLanguage(where);
      const open = page.locator('dialog[open]');
      await expectAccessible(page, where, (await open.count()) > 0 ? open.last() : undefined);
    },
  };
}

// Which of the languages makes no difference to a text that a screen has of its own; that each is translated
// is proved by web/src/app/catalogue.test.ts. `look.spec.ts` scans each screen as it opens; here are the entry
// pages, and what is opened on the screens.
test.describe('each in German, accessible and without a violation of the policy (API-2):', () => {
  // They share one installation: that of the other tests holds texts that they have written.
  test.describe.configure({ mode: 'default' });
  test.use({
    locale: 'de-DE',
    timezoneId: 'Europe/Zurich',
    installation: ({ playwright: _playwright }, provide) => provide(own),
  });

  test.beforeAll(async () => {
    own = await startInstallation(claimed);
    url = own.url;
    api = createApi(own);
    olga = await api.person('Olga', ['operator']);
  });

  test.afterAll(() => own.stop());

  test('LOOK-1 LOOK-2 LOOK-3: the pages before the application, home and what every person has', async ({
    browser,
    open,
    page: fresh,
  }) => {
    const errors = watchConsole(fresh.context());
    const { page, known, button, dialog, expectSound, expectOwnLanguage } = await open();
    known.push(`Chrome ${browser.version().split('.')[0]} (Linux) · 127.0.0.0/24`);
    await page.goto(`${url}/set-up`);
    await expect(page.getByText(t('SET_UP.CLAIMED.TITLE'))).toBeVisible();
    await expectSound('set-up');
    await page.goto(await api.invite('Olga'));
    await expect(page.getByText(t('INVITATION.LEAD'))).toBeVisible();
    await button('INVITATION.ACTION').click();
    await expect(page.getByText(t('ACCOUNT.ERRORS.PASSWORD_SHORT'))).toBeVisible();
    await expectSound('invitation');
    await page.goto(`${url}/invitation#${'x'.repeat(43)}`);
    await expect(page.getByText(t('INVITATION.REFUSED.TITLE'))).toBeVisible();
    await expectSound('invitation that does not work');
    await page.goto(`${url}/auth/failed?reason=blocked`);
    await expect(page.getByText(t('SIGN_IN.BLOCKED.TITLE'))).toBeVisible();
    await expectSound('sign-in of a person who is blocked');
    await page.goto(url);
    await button('SIGN_IN.ACTION').click();
    await expect(page.getByText(t('DOOR.ERRORS.EMAIL_REQUIRED'))).toBeVisible();
    await expectSound('sign-in');
    await fillSignIn(page, { ...olga, password: 'not the password at all' });
    await expect(page.getByText(t('SIGN_IN.WRONG'))).toBeVisible();
    await expectSound('sign-in with a wrong password');
    await fillSignIn(page, olga);
    await expect(page.getByRole('heading', { name: t('OVERVIEW.TITLE'), level: 1 })).toBeVisible();
    await page.goto(url);
    await expect(page.getByText(t('HOME.STATUS.RUNNING'))).toBeVisible();
    await page.getByRole('button', { name: t('SHELL.ACCOUNT.LABEL', { name: 'Olga Walker' }) }).click();
    await expect(page.getByRole('menuitem', { name: t('SHELL.ACCOUNT.SIGN_OUT') })).toBeVisible();
    await expectSound('home');
    await page.getByRole('menuitem', { name: t('SHELL.ACCOUNT.PASSWORD') }).click();
    await expect(dialog).toBeVisible();
    await expectSound('another password');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await button('SHELL.FIND').click();
    await expect(dialog.getByText(t('PALETTE.DO.NEW_FLAG'))).toBeVisible();
    await expectSound('the palette');
    await page.goto(`${url}/nothing-here`);
    await expect(page.getByRole('heading', { name: t('PAGES.NOT_FOUND.TITLE') })).toBeVisible();
    await expectOwnLanguage('not found');
    expect(errors).toEqual([]);
  });

  test('LOOK-1 LOOK-2 LOOK-3: flags', async ({ open }) => {
    const { page, button, dialog, known, expectSound } = await open('/flags');
    await expect(page.getByText(t('FLAGS.EMPTY.TITLE'), { exact: true })).toBeVisible();
    await expectSound('no flags');
    await page.route('**/v1/flags', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('alert').filter({ hasText: t('FLAGS.FAILED.TITLE') })).toBeVisible();
    await expectSound('flags that could not be loaded');
    await page.unrouteAll();
    const { key } = await api.createFlag('SPOKEN', {
      killSwitch: true,
      description: '4711',
      tags: ['47'],
      rules: [{ force: true, coverage: 0.5, hashAttribute: 'id' }],
    });
    known.push(key);
    await page.goto(`${url}/flags?search=${key}`);
    await page.getByRole('switch').click();
    await expect(dialog).toBeVisible();
    await expectSound('flags and their switch');
    await button('FLAGS.TURN.OFF.CANCEL').click();
    await expect(dialog).toHaveCount(0);
    await button('FLAGS.CONNECT.OPEN').click();
    await expect(dialog.getByText(t('FLAGS.CONNECT.EXAMPLE'))).toBeVisible();
    // A headless browser refuses to copy without this permission.
    await page.context().grantPermissions(['clipboard-write']);
    await dialog
      .getByRole('button', { name: t('FLAGS.CONNECT.COPY') })
      .first()
      .click();
    await expect(dialog.getByText(t('COMMON.COPIED'))).toBeVisible();
    await expectSound('connect');
    await page.keyboard.press('Escape');
    await button('FLAGS.NEW').click();
    await dialog.getByRole('textbox').first().fill('HALF');
    await page.keyboard.press('Escape');
    await expectSound('the question about what is typed');
    await button('COMMON.LOSS.TYPED.LEAVE').click();
    await expect(dialog).toHaveCount(0);
    await button('FLAGS.NEW').click();
    await button('FLAGS.CREATE').click();
    await expect(page.getByText(t('FLAGS.ERRORS.KEY'))).toBeVisible();
    await expectSound('new flag');
    await page.goto(`${url}/flags/${key}`);
    await button('FLAGS.RULE.ADD').click();
    await button('FLAGS.RULE.ADD_SHARE').click();
    await expect(page.getByText(t('COMMON.UNSAVED'))).toBeVisible();
    known.push('id', 'roles', 'true', 'false', 'email', 'Portico itself');
    await expectSound('a flag and its rules');
    await page.getByRole('tab', { name: t('FLAGS.TABS.JSON') }).click();
    await expectSound('a flag as JSON');
    await button('COMMON.RESTORED.DISCARD').click();
    await button('COMMON.LOSS.TYPED.LEAVE').click();
    await page.getByRole('tab', { name: t('FLAGS.TABS.USE') }).click();
    await expect(page.getByText(t('FLAGS.USE.HINT'))).toBeVisible();
    await expectSound('the use of a flag');
    await button('FLAGS.ARCHIVE.ACTION').click();
    await expect(page.getByText(t('FLAGS.ARCHIVE.QUESTION', { key }))).toBeVisible();
    await expectSound('edit and archive a flag');
    await page.goto(`${url}/flags?search=zzz`);
    await expect(page.getByText(t('FLAGS.NOTHING_FOUND.TITLE'))).toBeVisible();
    await expectSound('no flag found');
    await page.goto(`${url}/flags?enabled=archived`);
    await expect(page.getByText(t('FLAGS.ARCHIVE.EMPTY.TITLE'))).toBeVisible();
    await expectSound('archived flags');
    await button('FLAGS.EXCHANGE.TITLE').click();
    await expect(dialog.getByText(t('FLAGS.EXCHANGE.LEAD'))).toBeVisible();
    await expectSound('import and export');
  });

  test('LOOK-1 LOOK-2 LOOK-3: people', async ({ open }) => {
    const { page, button, dialog, known, expectSound, expectOwnLanguage } = await open('/people');
    const { email } = await api.person('Olga', ['member', 'support']);
    await page.goto(`${url}/people?search=${email}`);
    await expect(page.getByRole('row')).toHaveCount(2);
    known.push(email);
    await expectOwnLanguage('people');
    await page.getByRole('row').getByRole('checkbox').last().check();
    await page.getByRole('toolbar').getByRole('button').first().click();
    await page.getByRole('menuitem').first().click();
    await expectSound('a role for many');
    await button('COMMON.CANCEL').click();
    await page.getByRole('row').getByRole('link', { name: 'Olga Walker' }).click();
    await expect(page.getByText(t('PEOPLE.OVERVIEW.ACTIVITY'))).toBeVisible();
    await expectSound('person');
    for (const tab of ['ACCESS', 'SESSIONS', 'REPORTS', 'ACTIVITY']) {
      await page.getByRole('tab', { name: t(`PEOPLE.TABS.${tab}`) }).click();
      await expectSound(`person, ${tab}`);
    }
    await page.getByRole('tab', { name: t('PEOPLE.TABS.ACCESS') }).click();
    await button('PEOPLE.PERSON.CHANGE_ROLES').click();
    await expect(dialog.getByRole('checkbox').first()).toBeVisible();
    await expectSound('roles of a person');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await button('PEOPLE.OWN.ADD').click();
    await expect(dialog).toBeVisible();
    await expectSound('a right of a person');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await button('PEOPLE.PERSON.ACTIONS').click();
    await page.getByRole('menuitem', { name: t('PEOPLE.BULK.BLOCK.OPEN'), exact: true }).click();
    await expect(page.getByText(t('PEOPLE.PERSON.BLOCK_TITLE', { name: 'Olga Walker' }))).toBeVisible();
    await expectSound('block a person');
    await page.goto(`${url}/people?state=blocked&search=zzz`);
    await button('PEOPLE.INVITE').click();
    await button('PEOPLE.INVITATION.SEND').click();
    await expect(page.getByText(t('PEOPLE.INVITATION.INVALID_EMAIL'))).toBeVisible();
    await expectSound('no one found, and invite');
  });

  test('LOOK-1 LOOK-2 LOOK-3: reports', async ({ open }) => {
    // A report shows the errors that the person had before it: this one has had none.
    const reporter = await api.person('Olga', ['operator']);
    const { page, button, dialog, known, expectSound, expectOwnLanguage } = await open('/reports', reporter);
    known.push(reporter.email);
    const written = '4711 0815';
    const response = await page.request.post(`${url}/v1/feedback`, {
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
    await page.goto(`${url}/reports?search=zzz`);
    await expect(page.getByText(t('REPORTS.NOTHING_FOUND.TITLE'), { exact: true })).toBeVisible();
    await expectSound('no report found');
    await page.goto(`${url}/reports?search=0815&report=${id}`);
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
    await expectSound('a report');
    await page.locator('.inbox-pane h2').focus();
    await page.keyboard.press('p');
    await expect(dialog.getByRole('img')).toBeVisible();
    await expectSound('a picture');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press('?');
    await expect(dialog.getByText(t('PALETTE.KEYS.LETTERS'))).toBeVisible();
    await expectSound('the keys of the inbox');
    await page.goto(`${url}/my-reports?report=${id}`);
    await expect(page.getByText(t('MY_REPORTS.MEANS.IN_PROGRESS'))).toBeVisible();
    await expectOwnLanguage('my reports');
    await page.goto(url);
    await expect(page.getByText(t('RECENT_REPORTS.ALL'))).toBeVisible();
    await expectSound('home with reports');
  });

  test('LOOK-1 LOOK-2 LOOK-3: settings, audit and what belongs to the own account', async ({
    open,
    browser,
  }) => {
    const { page, button, dialog, known, expectSound, expectOwnLanguage } = await open('/settings');
    await expect(page.getByText(t('SETTINGS.LEAD'))).toBeVisible();
    await expectOwnLanguage('settings');
    await page.goto(`${url}/settings/api-tokens`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('API_TOKENS.TITLE'));
    await button('API_TOKENS.CREATE').click();
    await button('API_TOKENS.CREATE_ACTION').click();
    await expect(page.getByText(t('API_TOKENS.ERRORS.NO_RIGHTS'))).toBeVisible();
    await expectSound('a token that is being created');
    // With the names of the first start, the same in every language.
    known.push('SDKs that evaluate', 'SDKs with remote evaluation', 'Portico itself', '#0b5e63', 'https://');
    await page.goto(`${url}/settings/client-keys`);
    await page.getByRole('row').last().getByRole('button').first().click();
    await expect(dialog.getByText(t('CLIENT_KEYS.CONNECTED'), { exact: true })).toBeVisible();
    await expectSound('a client key');
    await page.goto(`${url}/settings/flags`);
    await expect(page.getByText(t('FLAG_REVIEW.REQUIRED'), { exact: true })).toBeVisible();
    await expectOwnLanguage('the settings of reviews');
    await page.goto(`${url}/settings/branding`);
    await expect(page.locator('figcaption', { hasText: t('BRANDING.ON_DARK') })).toBeVisible();
    await expectOwnLanguage('branding');
    await page.goto(`${url}/settings/backups`);
    await expect(page.getByText(t('BACKUPS.EMPTY'), { exact: true })).toBeVisible();
    await expectOwnLanguage('backups');
    await page.goto(`${url}/settings/reports`);
    await page.getByRole('checkbox', { name: t('ERASURE.RETENTION.LIMITED') }).check();
    await expect(page.getByText(t('ERASURE.RETENTION.DAYS_HINT'))).toBeVisible();
    await expectSound('the fields that reports require, and how long they are stored');
    // Of the wrong password.
    known.push(
      `Chrome ${browser.version().split('.')[0]}`,
      'Linux',
      'person.sign-in-failed',
      'invitation.accept',
    );
    await page.goto(`${url}/audit?subject=${olga.id}`);
    await page
      .getByRole('list', { name: t('AUDIT.COLUMN') })
      .getByRole('link')
      .first()
      .click();
    await expect(page.getByText(t('AUDIT.ENTRY.THROUGH'), { exact: true })).toBeVisible();
    await expectSound('audit');
    await page.goto(`${url}/people/${olga.id}/data`);
    await expect(page.getByText(t('ERASURE.ERASE.YOURSELF'))).toBeVisible();
    await expectOwnLanguage('data of a person');
    known.push('Chrome', 'Linux');
    await page.goto(`${url}/sessions`);
    await expect(page.getByText(t('OWN_SESSIONS.HERE'), { exact: true })).toBeVisible();
    await expectOwnLanguage('own sessions');
  });

  test('LOOK-1 LOOK-2 LOOK-3: maintenance', async ({ open }) => {
    const { page, button, dialog, known, expectSound } = await open('/maintenance');
    await button('MAINTENANCE.CONSOLE.NOTICE.OPEN').click();
    await page.getByLabel(t('MAINTENANCE.CONSOLE.NOTICE.TEXT')).fill('4711');
    await button('MAINTENANCE.CONSOLE.NOTICE.PUBLISH').click();
    await expect(page.getByText(t('MAINTENANCE.CONSOLE.NOTICE.PUBLISHED'), { exact: true })).toBeVisible();
    known.push('Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So');
    for (const [tab, severity] of [
      ['NOW', 'INFO'],
      ['PLANNED', 'MEDIUM'],
      ['HISTORY', 'HIGH'],
    ] as const) {
      await api.setMaintenance({ severity });
      await expect(page.locator(`.notice-banner.tone-${severity.toLowerCase()}`).first()).toBeVisible();
      await page.getByRole('tab', { name: t(`MAINTENANCE.CONSOLE.TABS.${tab}`) }).click();
      await expectSound(`maintenance, ${tab}`);
    }
    await button('MAINTENANCE.CONSOLE.MODE.OPEN').click();
    await expect(dialog).toBeVisible();
    // Languages are offered by their own names; lengths of time are in the words of the browser.
    known.push('English', 'Deutsch', 'Français', '15 Minuten', '30 Minuten');
    await expectSound('about to close');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await api.setMaintenance({ mode: 'full', expectedEnd: Date.UTC(2030, 2, 5, 14, 30) });
    await expect(button('MAINTENANCE.PASS')).toBeVisible();
    await expectSound('maintenance page in the application');
    await button('MAINTENANCE.PASS').click();
    await expect(page.getByText(t('MAINTENANCE.RIBBON.PASSED'))).toBeVisible();
    await expectSound('passed through');
  });

  test('LOOK-1 LOOK-2 LOOK-3: the page of maintenance, without its scripts and with them', async ({
    open,
  }) => {
    const { page, expectSound } = await open();
    await api.setMaintenance({ mode: 'full', text: '4711', expectedEnd: Date.now() + 3_600_000 });
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(url);
    await expect(page.getByText(t('MAINTENANCE.PAGE.TITLE'))).toBeVisible();
    await expectSound('maintenance page as the server sends it');
    await page.unrouteAll();
    await page.goto(url);
    await expect(page.getByRole('timer')).toHaveText(/^\d+:\d\d$/);
    await expectSound('maintenance page');
    await api.setMaintenance({ mode: 'off', text: '' });
  });
});

test('LOOK-3: the sign-in page speaks the language of the browser, changes it live and stays with it', async ({
  api,
  browser,
  installation,
}) => {
  const mia = await api.person('Mia', ['member']);
  // None of Portico's languages.
  const other = await browser.newPage({ locale: 'es-ES' });
  await other.goto(installation.url);
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Sign in');
  await expect(other.locator('html')).toHaveAttribute('lang', 'en');
  await other.close();

  const context = await browser.newContext({ locale: 'de-DE' });
  const consoleErrors = watchConsole(context);
  const page = await context.newPage();
  await page.goto(installation.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden');
  await page.locator('input[name=email]').fill(mia.email);
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Se connecter');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveTitle('Se connecter · Portico');
  await expect(page.locator('input[name=email]')).toHaveValue(mia.email);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Se connecter');
  await fillSignIn(page, mia);
  await expect(page.getByText('Tout fonctionne.')).toBeVisible();
  expect(consoleErrors).toEqual([]);
  await context.close();
});

test('LOOK-3: dates and plurals follow the language at once', async ({ api, browser, installation }) => {
  const sam = await api.person('Sam', ['support']);
  const page = await browser.newPage({ timezoneId: 'Europe/Berlin' });
  await signInQuickly(page, installation.url, sam, '/people?search=nobody-of-this-name');
  const choose = async (menu: RegExp, name: string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByRole('menuitemradio', { name }).click();
  };

  await test.step('plurals, and what is typed stays', async () => {
    await expect(page.getByText('0 people', { exact: true })).toBeVisible();
    await choose(/Account of/, 'Deutsch');
    await expect(page.getByText('0 Personen', { exact: true })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page).toHaveTitle('Personen · Portico');
    await expect(page.getByRole('searchbox')).toHaveValue('nobody-of-this-name');
    await expect.poll(async () => (await api.profile(sam.id)).locale).toBe('de');
    await page.reload();
    await choose(/Konto von/, 'Français');
    // Nought is singular in French.
    await expect(page.getByText('0 personne', { exact: true })).toBeVisible();
  });

  await test.step('dates', async () => {
    // Who may work during maintenance is not told until when it lasts.
    await api.setRoles(sam.id, ['member']);
    await api.setMaintenance({ mode: 'read-only', expectedEnd: Date.UTC(2030, 2, 5, 14, 30) });
    const ribbon = page.locator('.notice-banner').filter({ visible: true });
    await expect(ribbon).toContainText('5 mars 2030, 15:30');
    await choose(/Compte de/, 'Deutsch');
    await expect(ribbon).toContainText('05.03.2030, 15:30');
    await choose(/Konto von/, 'English');
    await expect(ribbon).toContainText('5 Mar 2030, 15:30');
  });
  await page.close();
});

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
    `^(?:(?:${dayNames().join('|')}),? )*\\d{1,2}[. ]+(?:${months().join('|')}|\\d{2})[. ]*(?:\\d{4}(?:,? (?:à |um )?\\d{2}:\\d{2})?)?$`,
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
  api,
  page: signedOut,
  installation,
  signIn,
}) => {
  const text = 'שלום: notice 1.';
  const olga = await api.person('Olga', ['operator']);
  await api.setProfile(olga.id, { firstName: 'אולגה' });
  const { key } = await api.createFlag(`RIGHT_TO_LEFT_${Date.now()}`, { description: text });
  await api.setMaintenance({ mode: 'off', text, severity: 'INFO' });
  const expectRightToLeft = (shown: Locator) => expect(shown).toHaveCSS('direction', 'rtl');

  await signedOut.goto(`${installation.url}/auth/login`);
  await expectRightToLeft(signedOut.getByText(text));
  const page = await signIn(olga, { at: `/flags?search=${key}` });
  await expect(page.locator('html')).toHaveCSS('direction', 'ltr');
  await expectRightToLeft(page.getByText(text).first());
  await expectRightToLeft(page.getByRole('table').getByText(text));
  await page.goto(`/people?search=${olga.email}`);
  await expectRightToLeft(page.getByRole('table').getByText('אולגה Walker'));
  await page.goto('/profile');
  await expectRightToLeft(page.locator('input[autocomplete="given-name"]'));
});
