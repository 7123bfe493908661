import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { expectNoViolations } from '#e2e/accessible.ts';
import { callerWith, expect, restingBox, signInQuickly, test, tokenOf } from '#e2e/fixtures.ts';
import type { Installation } from '#e2e/installation.ts';

const second = 1000;
const minute = 60 * second;

/** The operator outside the browsers: plans windows and moves them. */
function operatorOf(installation: Installation) {
  const call = callerWith(tokenOf(installation), installation);
  const at = '/v1/maintenance/windows';
  type Fields = Pick<MaintenanceWindow, 'startsAt' | 'endsAt' | 'mode'>;
  const draft = (fields: Fields) => ({
    title: 'Upgrade',
    text: 'We move to a new database.',
    severity: 'INFO',
    leadMinutes: 120,
    endsByItself: false,
    ...fields,
  });
  return {
    plan: (fields: Fields) => call<MaintenanceWindow>('POST', at, draft(fields)),
    move: ({ id, version, mode }: MaintenanceWindow, startsAt: number) =>
      call<MaintenanceWindow>('PUT', `${at}/${id}`, {
        ...draft({ mode, startsAt, endsAt: startsAt + 60 * minute }),
        version,
      }),
    step: ({ id, version }: MaintenanceWindow, step: 'start' | 'end' | 'cancel') =>
      call<MaintenanceWindow>('POST', `${at}/${id}/${step}`, { version }),
  };
}

/** Gives the page a computer whose clock is wrong, and can be set while it is open. */
async function setClockWrong(page: Page, wrong: number): Promise<void> {
  await page.addInitScript((by) => {
    const right = Date;
    let wrongBy = by;
    class WrongDate extends right {
      constructor(...parts: [] | [number]) {
        if (parts.length === 0) super(right.now() + wrongBy);
        else super(...parts);
      }
      static override now(): number {
        return right.now() + wrongBy;
      }
    }
    Object.assign(globalThis, { Date: WrongDate, setWrong: (now: number) => void (wrongBy = now) });
  }, wrong);
}

/** By how many milliseconds the countdown in the banner is wrong. */
async function errorOfBanner(page: Page, startsAt: number): Promise<number> {
  const face = (await page.getByRole('timer').textContent()) ?? '';
  const [seconds = 0, minutes = 0, hours = 0] = (/[\d:]+/.exec(face)?.[0] ?? '')
    .split(':')
    .map(Number)
    .toReversed();
  return Math.abs(startsAt - Date.now() - ((hours * 60 + minutes) * 60 + seconds) * second);
}

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

  await test.step('pushes the page down, and closes in the open tabs at once, after a reload, and in new ones', async () => {
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
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(bannerOf(page)).toHaveCount(0);
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

  // Also after a reload, until it is discarded.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByRole('dialog')).toContainText('These changes are from before and not saved yet.');
  await expect(page.getByRole('dialog').getByLabel('First name')).toHaveValue('Half typed');
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
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mia');
  await api.switchFlag(key, false);

  await api.setMaintenance({ expectedEnd: Date.now() + 60 * minute });
  await page.goto('/profile');
  const before = page.getByRole('main').getByText('accepts no changes now. What you type');
  await expect(before).toBeVisible();
  await expectNoViolations(page, 'a form while everything is read only');
  await page.getByLabel('First name').fill('Maria');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const sentence = page.getByText(
    /^Not saved\. Portico is under maintenance and accepts no changes until about \d/,
  );
  for (let tries = 0; tries < 3; tries += 1) {
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

test("MAINT-5 MAINT-2 MAINT-3: the notice counts down by the server's time and asks to save, and what is typed survives the maintenance", async ({
  api,
  signIn,
  installation,
}) => {
  const planner = operatorOf(installation);
  const page = await signIn(await api.person('Mia', ['member']), {
    at: '/profile',
    before: (opened) => setClockWrong(opened, -3 * 60 * minute),
  });
  page.on('dialog', (dialog) => void dialog.accept());
  // Another tab, in which nothing is typed.
  const calm = await page.context().newPage();
  await calm.goto(`${installation.url}/`);
  await expect(calm.getByRole('heading', { level: 1 })).toContainText('Mia');
  await page.bringToFront();
  const banner = page.locator('.notice-banner');
  const spoken = page.locator('.notice-banner + [role=status]');
  const prompt = page.getByRole('alert').filter({ hasText: 'Save your work' });
  const name = page.getByLabel('First name');

  const window = await test.step('counts down, wherever the clock of the computer stands', async () => {
    const startsAt = Date.now() + 20 * minute;
    const planned = await planner.plan({ mode: 'full', startsAt, endsAt: startsAt + 60 * minute });
    await expect(banner).toContainText('We move to a new database.');
    await expect(banner).toContainText('offline until about');
    await expect.poll(() => errorOfBanner(page, startsAt)).toBeLessThan(2 * second);
    await expect(spoken).toBeEmpty();
    await page.evaluate(() =>
      (globalThis as unknown as { setWrong(by: number): void }).setWrong(40 * 60_000),
    );
    const sooner = Date.now() + 15 * minute;
    const moved = await planner.move(planned, sooner);
    await expect(spoken).toHaveText('Maintenance begins in 15 minutes.');
    await expect.poll(() => errorOfBanner(page, sooner)).toBeLessThan(2 * second);
    return moved;
  });

  const moved =
    await test.step('closed, it is shown again five minutes before, and asks a person who has typed to save', async () => {
      await name.fill('Maria');
      let startsAt = 0;
      let sooner = window;
      await expect(async () => {
        startsAt = Date.now() + 5 * minute + 12 * second;
        sooner = await planner.move(sooner, startsAt);
        await expect(banner).toContainText(/Begins in 5:[01]/, { timeout: 12 * second });
        await banner.getByRole('button', { name: 'Close notice' }).click();
        await expect(banner).toHaveCount(0, { timeout: 12 * second });
        // A slow computer may take longer to close it than until then, and tries again.
        expect(startsAt - Date.now()).toBeGreaterThan(5 * minute);
      }).toPass();
      await expect(prompt).toContainText('Maintenance begins in 5 minutes');
      await expect(banner).toContainText(/Begins in (5:00|4:\d\d)/);
      await expect(calm.locator('.notice-banner')).toContainText('Begins in');
      await expect(calm.locator('.notification')).toHaveCount(0);
      const later = await planner.move(sooner, startsAt + 30 * minute);
      await expect(prompt).toHaveCount(0);
      await expect(name).toHaveValue('Maria');
      return later;
    });

  await test.step('covers the screen, and what is typed survives a reload', async () => {
    const started = await planner.step(moved, 'start');
    await expect(page.getByText('What you have typed stays where it is until then.')).toBeVisible();
    await expect(page).toHaveURL(/\/system-maintenance/);
    await page.reload();
    await expect(page.getByRole('timer')).toContainText(':');
    await expect(page.getByText('What you have typed')).toHaveCount(0);
    await planner.step(started, 'end');
    await expect(page).toHaveURL(`${installation.url}/profile`);
    await expect(name).toHaveValue('Maria');
    await expect(calm.getByRole('heading', { level: 1 })).toContainText('Mia');
  });

  await test.step('shows that it was restored, and can be discarded', async () => {
    await expect(page.getByText('These changes are from before and not saved yet.')).toBeVisible();
    await page.getByRole('status').getByRole('button', { name: 'Discard' }).click();
    await expect(name).toHaveValue('Mia');
    await page.reload();
    await expect(name).toHaveValue('Mia');
    await expect(page.getByText('These changes are from before')).toHaveCount(0);
  });
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
  await expectNoViolations(page, 'the sign-in page');

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
