import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, restingBox, signInQuickly, test } from '#e2e/fixtures.ts';

test('MAINT-2: closed, the banner is closed in every tab until the browser is closed', async ({
  api,
  installation,
  playwright,
}) => {
  const mia = await api.person('Mia', ['member']);
  const profile = mkdtempSync(join(tmpdir(), 'portico-browser-'));
  const openBrowser = async () => {
    const browser = await playwright.chromium.launchPersistentContext(
      profile,
      test.info().project.use.launchOptions,
    );
    const [page = await browser.newPage()] = browser.pages();
    await signInQuickly(page, installation.url, mia);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
    return { browser, page };
  };
  const bannerOf = (page: Page) => page.locator('.notice-banner');
  const { browser, page } = await openBrowser();
  const openTab = async () => {
    const tab = await browser.newPage();
    await tab.goto(`${installation.url}/profile`);
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
    return tab;
  };
  const second = await openTab();
  const both = [page, second];

  await test.step('pushes the page down, and closes in the open tabs at once, and in new ones', async () => {
    await api.setMaintenance({ text: 'Save your work before ten.', severity: 'MEDIUM' });
    for (const one of both) await expect(bannerOf(one)).toContainText('Save your work before ten.');
    await expect(bannerOf(page)).toHaveAttribute('role', 'alert');
    const shown = await restingBox(bannerOf(page));
    const pushed = await restingBox(page.getByRole('banner'));
    expect(pushed.y).toBeGreaterThanOrEqual(shown.y + shown.height);

    await api.setMaintenance({ text: `${'Save your work. '.repeat(9)}Now.`, severity: 'INFO' });
    await expect(bannerOf(page)).toHaveAttribute('role', 'status');
    await second.setViewportSize({ width: 360, height: 740 });
    const whole = bannerOf(second).getByRole('button', { name: 'Whole notice' });
    await expect(whole).toHaveAttribute('aria-expanded', 'false');
    expect((await restingBox(bannerOf(second))).height).toBeLessThan(50);
    await whole.press('Enter');
    expect((await restingBox(bannerOf(second))).height).toBeGreaterThan(80);
    await expectNoViolations(second, 'an unfolded notice');

    await bannerOf(page).getByRole('button', { name: /close/i }).click();
    for (const one of both) await expect(bannerOf(one)).toHaveCount(0);
    const later = await openTab();
    await expect(bannerOf(later)).toHaveCount(0);
    await later.close();
  });

  await test.step('a new session of the same browser shows it again', async () => {
    await browser.close();
    const next = await openBrowser();
    await expect(bannerOf(next.page)).toContainText('Save your work.');
    await next.browser.close();
    rmSync(profile, { recursive: true, force: true });
  });
});

test('MAINT-3 MAINT-4: typed-in work is stored, and those who may pass through work under a ribbon', async ({
  api,
  signIn,
}) => {
  const olga = await api.person('Olga', ['operator']);
  const page = await signIn(olga, { at: '/people' });
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await page.getByRole('dialog').getByLabel('First name').fill('Half typed');

  await api.setMaintenance({ mode: 'full', text: 'Closed.' });
  await expect(page).toHaveURL(/\/system-maintenance(\?|$)/);
  await page.getByRole('button', { name: 'Continue as operator' }).click();
  await expect(page.getByText('Maintenance is on. You can continue to work')).toBeVisible();
  const icon = page.locator('link[rel=icon]');
  await expect(icon).toHaveAttribute('href', /\/favicon-maintenance\.svg$/);
  await expect(page).toHaveURL('/people');
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');

  await api.setMaintenance({ mode: 'off', text: '' });
  await expect(page.getByText('You can continue to work')).toHaveCount(0);
  await expect(icon).toHaveAttribute('href', /\/favicon\.svg$/);
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');

  // Also after a reload during maintenance, until it is discarded.
  page.on('dialog', (dialog) => void dialog.accept());
  await api.setMaintenance({ mode: 'full' });
  await expect(page.getByText('What you have typed stays where it is until then.')).toBeVisible();
  await page.reload();
  await expect(page.getByText('What you have typed')).toHaveCount(0);
  await api.setMaintenance({ mode: 'off' });
  await expect(page).toHaveURL('/people');
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');
  await expect(page.getByRole('dialog')).toContainText('These changes are from before and not saved yet.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard', exact: true }).last().click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Invite a person' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('MAINT-6: while read only, reading goes on and a change is refused in words, once', async ({
  api,
  signIn,
}) => {
  const { key } = await api.createFlag(`CALM_${Date.now()}`);
  // No built-in role may write and not bypass; so the server is called directly with the person's own token.
  const page = await signIn(await api.person('Mia', ['member']));
  await api.setMaintenance({ mode: 'read-only', text: 'Reading only.', severity: 'MEDIUM' });
  await expect(page.getByRole('alert').filter({ hasText: 'Reading only.' })).toBeVisible();
  await expect(page).toHaveURL('/');
  await api.switchFlag(key, false);

  await api.setMaintenance({ expectedEnd: Date.now() + 3_600_000 });
  await page.goto('/profile');
  const before = page.getByRole('main').getByText('accepts no changes now. What you type');
  await expect(before).toBeVisible();
  await expectNoViolations(page, 'a form while everything is read only');
  await page.getByLabel('First name').fill('Maria');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const sentence = page.getByText(
    /^Not saved\. Portico is under maintenance and accepts no changes until about \d/,
  );
  for (let tries = 0; tries < 2; tries += 1) {
    const refused = page.waitForResponse((answer) => answer.status() === 503);
    await save.click();
    await refused;
    await expect(sentence).toHaveCount(1);
  }
  await expect(page.locator('.notification')).toHaveCount(0);
  await api.setMaintenance({ mode: 'off', text: '', expectedEnd: null });
  await expect(page.getByText(/^Read only/)).toHaveCount(0);
  await expect(before).toHaveCount(0);
  await expect(page.getByLabel('First name')).toHaveValue('Maria');
  await save.click();
  await expect(page.getByText('Your profile was saved.')).toBeVisible();
  await expect(sentence).toHaveCount(0);
});

test('MAINT-2: the sign-in page shows the notice and full maintenance, live, before anyone signs in', async ({
  page,
  installation,
  api,
}) => {
  await api.setMaintenance({ mode: 'off', text: 'Back at noon.', severity: 'INFO', expectedEnd: null });
  await page.goto(`${installation.url}/auth/login`);
  const notice = page.getByText('Back at noon.');
  await expect(notice).toBeVisible();
  await expect(page.getByLabel('Email')).toBeVisible();

  await api.setMaintenance({ mode: 'full', text: 'The database moves.', severity: 'HIGH' });
  const closed = page.getByRole('alert').filter({ hasText: 'is down for maintenance' });
  await expect(closed).toContainText('The database moves.');
  await expect(closed).toContainText('only people who may work during maintenance');
  await expect(notice).toBeHidden();
  await expectNoViolations(page, 'the sign-in page');

  await api.setMaintenance({ mode: 'off', text: '', severity: 'INFO' });
  await expect(closed).toBeHidden();
  await api.setMaintenance({ mode: 'off', text: 'Slow today.', severity: 'MEDIUM' });
  const alert = page.getByRole('alert').filter({ hasText: 'Slow today.' });
  await expect(alert).toBeVisible();
  await alert.getByRole('button', { name: 'Close notice' }).click();
  await expect(alert).toBeHidden();
  await page.reload();
  await expect(page.getByLabel('Email')).toBeVisible();
  await expect(alert).toBeHidden();
  await api.setMaintenance({ mode: 'off', text: '', severity: 'INFO' });
});
