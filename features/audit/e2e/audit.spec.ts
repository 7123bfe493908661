import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';
import type { Installation } from '#e2e/installation.ts';

const rows = (page: Page) => page.getByRole('list', { name: 'What was done' }).getByRole('link');
const entry = (page: Page) => page.locator('.list-beside-side').getByRole('heading', { level: 2 });

async function openAudit(page: Page, installation: Installation, query = ''): Promise<void> {
  await page.goto(`${installation.url}/audit${query}`);
  await expect(rows(page).first()).toBeVisible();
}

test('AUD-1 CON-1: an operator finds in words who changed what, sees before and after, and follows the links there and back', async ({
  installation,
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  await api.setRoles(mia.id, ['member', 'operator']);
  const key = `AUDIT_${Math.random().toString(36).slice(2, 8).toUpperCase()}`;
  await api.createFlag(key, { description: 'Shown to everybody at noon' });
  await api.switchFlag(key, false);
  const page = await signIn('operator', { at: `/audit?subject=${mia.id}` });

  // From the person to what was done to them, and to one entry of it, by keyboard alone.
  await expect(rows(page)).toHaveText([
    /^The API token “browser-tests@example.org” gave Mia Walker the role Operator/,
    /^Mia Walker accepted the invitation/,
    /^The API token “browser-tests@example.org” invited Mia Walker/,
  ]);
  await expect(page.getByRole('button', { name: 'About: Mia Walker' })).toBeVisible();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).nth(0)).toBeFocused();
  await page.keyboard.press('End');
  await expect(rows(page).nth(2)).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(entry(page)).toHaveText(/gave Mia Walker the role Operator$/);
  await expect(entry(page)).toBeFocused();
  await expect(page.locator('.audit-field')).toHaveText(/Roles.*Member.*now Operator/);
  await expect(page.locator('.audit-field ins')).toHaveText('now Operator');
  await page.keyboard.press('Escape');
  await expect(entry(page)).toHaveCount(0);
  await expect(rows(page).nth(0)).toBeFocused();

  // Search, area and origin are in the address.
  await page.getByRole('button', { name: 'About: Mia Walker' }).click();
  await page.getByRole('searchbox').fill(key);
  await expect(rows(page)).toHaveText([
    new RegExp(`^The API token “browser-tests@example.org” turned the flag ${key} off`),
    new RegExp(`^The API token “browser-tests@example.org” created the flag ${key}`),
  ]);
  await page.getByRole('combobox', { name: 'Area' }).selectOption('Flags');
  await page.getByRole('combobox', { name: 'Source' }).selectOption('Command line');
  await expect(page.getByText('No matching entries')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`search=${key}&area=flag&through=command-line$`));
  await page.getByRole('button', { name: 'Show everything' }).click();
  // By a person, with their initials, under the heading of the day; and of the last 24 hours.
  await page.getByRole('button', { name: 'By anyone' }).click();
  await page.keyboard.type('Mia');
  await page.getByRole('option', { name: new RegExp(mia.email) }).click();
  await expect(rows(page)).toHaveText([/^Mia Walker accepted the invitation.*InvitationsSign-in$/]);
  await expect(rows(page).locator('.face')).toHaveAttribute('data-text', 'MW');
  await expect(page.getByRole('heading', { name: /^Today, / })).toBeVisible();
  await page.getByRole('button', { name: /^Period/ }).click();
  await page.getByRole('button', { name: '24 h', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(new RegExp(`actor=${mia.id}&last=24h$`));
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove this filter' }).click();
  await expect(page.getByRole('button', { name: 'By anyone' })).toBeVisible();

  // However far the list is scrolled, the entry opens in sight. It is longer than the navigation next to it.
  for (const n of [1, 2, 3, 4, 5, 6]) await api.createFlag(`${key.replace('AUDIT', 'ROW')}_${n}`, {});
  await page.setViewportSize({ width: 1280, height: 400 });
  await openAudit(page, installation);
  const row = rows(page).last();
  await row.scrollIntoViewIfNeeded();
  expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100);
  const pressed = await row.boundingBox();
  await row.click();
  await expect(entry(page)).toBeFocused();
  // The rows are higher now, and the pressed one is where it was.
  await expect.poll(async () => (await row.boundingBox())?.height).toBeGreaterThan(pressed?.height ?? 0);
  await expect
    .poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - (pressed?.y ?? 0)))
    .toBeLessThan(2);
  await expect(entry(page)).toBeInViewport({ ratio: 1 });
  const [title, bar] = [await entry(page).boundingBox(), await page.getByRole('banner').boundingBox()];
  expect(title?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));

  // To the thing itself; on a phone the entry has the screen for itself, and an address.
  await page.setViewportSize({ width: 360, height: 760 });
  await openAudit(page, installation, `?search=${key}`);
  await expect(rows(page)).toHaveCount(2);
  await expect.poll(async () => (await rows(page).first().boundingBox())?.y).toBeLessThan(260);
  // The choices are in a sheet; the button says how many narrow the list.
  const filter = page.getByRole('button', { name: /^Filter/ });
  await filter.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Filter' });
  await sheet.getByRole('combobox', { name: 'Area' }).selectOption({ label: 'People' });
  await expectNoViolations(page, 'the filters on a phone');
  await page.keyboard.press('Escape');
  await expect(filter).toBeFocused();
  await expect(filter).toHaveText('Filter (1)');
  await expect(rows(page)).toHaveCount(0);
  await filter.click();
  await sheet.getByRole('button', { name: 'Clear filters' }).click();
  await sheet.getByRole('button', { name: 'Done' }).click();
  await expect(rows(page)).toHaveCount(2);
  await rows(page).nth(1).click();
  await expect(page.locator('.audit-field').filter({ hasText: 'Description' })).toContainText('at noon');
  await expect(rows(page).first()).toBeHidden();
  await expect(page).toHaveURL(/entry=/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByText('Raw JSON').click();
  await expect(page.locator('.audit-raw pre')).toContainText(`"key": "${key}"`);
  await expectNoViolations(page, 'the audit on a phone');
  await page.getByRole('link', { name: key }).click();
  await expect(page).toHaveURL(new RegExp(`/flags/${key}$`));
  await page.goBack();
  await page.getByRole('button', { name: 'Back to the list' }).click();
  await expect(rows(page)).toHaveCount(2);

  // So does what has its place in the settings, and leads back.
  await openAudit(page, installation, '?area=api-token&search=browser-tests');
  await rows(page).first().click();
  await page
    .getByRole('definition')
    .getByRole('link', { name: /^browser-tests/ })
    .click();
  await expect(page).toHaveURL(/\/settings\/api-tokens\?token=/);
  await page.getByRole('dialog').getByRole('link', { name: 'History' }).click();
  await expect(rows(page)).toHaveText([/created the API token “browser-tests@example.org”/]);
  await openAudit(page, installation, `?subject=${mia.id}`);
  await rows(page).first().click();
  await page.getByRole('link', { name: 'Mia Walker' }).click();
  await page.getByRole('button', { name: 'Actions', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Download data' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Data of a person' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Mia' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mia Walker' })).toBeVisible();
});

test('AUD-1: the audit is exported as CSV and JSON, and people without its right do not see it', async ({
  api,
  signIn,
}) => {
  const key = `EXPORT_${Math.random().toString(36).slice(2, 8).toUpperCase()}`;
  await api.createFlag(key, { description: '=1+1' });
  const page = await signIn('operator', { at: `/audit?subject=${key}` });
  const saved = async (button: string) => {
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: button }).click(),
    ]);
    const text = readFileSync(await download.path(), 'utf8');
    await expect(page.getByText('The export is in your downloads').first()).toBeVisible();
    return { name: download.suggestedFilename(), text };
  };
  const csv = await saved('CSV');
  expect(csv.name).toMatch(/^portico-audit-\d{4}-\d\d-\d\d\.csv$/);
  const [head, line, ...rest] = csv.text.split('\r\n');
  expect(head).toMatch(/^\ufeffid,time,local_time,/);
  expect(line).toContain(`,flag.create,${key},`);
  expect(rest).toEqual(['']);
  const json = await saved('JSON');
  expect(json.name).toMatch(/\.jsonl$/);
  expect(JSON.parse(json.text)).toMatchObject({ action: 'flag.create', subject: key });

  // A failure is reported, and what is listed stays.
  await page.route('**/v1/audit/export**', (route) => route.abort());
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'CSV' }).click();
  await expect(page.getByRole('alert')).toContainText('There is no connection to Portico');
  await expect(rows(page)).toHaveCount(1);

  const ada = await api.person('Ada', ['support']);
  const other = await signIn(ada, { at: '/audit' });
  await expect(other.getByRole('heading', { name: 'You do not have access to this screen' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'Audit' })).toHaveCount(0);
});
