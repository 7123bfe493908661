import type { Page } from '@playwright/test';
import { dateField, expect, fillDate, test } from '#e2e/fixtures.ts';

// A maintenance from its plan to its end, and two people during it: one fills in a form, the other's computer
// is suspended.

test('MAINT-2 MAINT-3 MAINT-5 MAINT-6 MAINT-7: an operator plans, warns, works and ends; no work is lost, and all return to their page', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await signIn(await api.person('Mia', ['member']), {
    at: '/profile',
    before: setClockWrong,
  });
  const noah = await signIn(await api.person('Noah', ['member']), { at: '/my-reports' });
  const operator = await signIn('operator', { at: '/maintenance' });
  const step = (name: string) => operator.getByRole('button', { name, exact: true });
  async function take(name: string): Promise<void> {
    await step(name).click();
    await operator.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await expect(operator.getByRole('dialog')).toHaveCount(0);
  }

  /** The form takes minutes; this test needs seconds. */
  async function startIn(milliseconds: number): Promise<void> {
    const [planned] = await api.windows();
    if (planned === undefined) throw new Error('Nothing is planned.');
    const startsAt = Date.now() + milliseconds;
    await api.changeWindow(planned, { startsAt, endsAt: startsAt + 2_000 });
  }

  await test.step('plans a window for tomorrow', async () => {
    await step('Plan a window').first().click();
    await operator.getByLabel('Title').fill('New disks');
    await operator.getByLabel('Text before it starts').fill('We move to <b>new</b> disks.');
    await operator.getByRole('radio', { name: /^Offline/ }).check();
    await operator.getByRole('radio', { name: /^An operator ends it/ }).check();
    const day = (at: number) => new Date(at).toISOString().slice(0, 10);
    const tomorrow = day(Date.now() + 86_400_000);
    await fillDate(dateField(operator, 'Start'), `${tomorrow}T12:00`);
    await fillDate(dateField(operator, 'End'), `${tomorrow}T13:00`);
    await step('Plan the window').click();
    await expect(operator.getByText('“New disks” is planned')).toBeVisible();
  });

  await test.step('sees how many are working', async () => {
    await mia.getByLabel('Job title').fill('Half a surv');
    await expect(operator.getByRole('region', { name: 'Signed in now' })).toContainText(
      /3\s*in 3 tabs, 1 with unsaved work/,
    );
  });
  // From here on no page polls: what arrives is pushed.
  for (const asked of ['**/v1/maintenance/status', '**/api/features/**']) {
    await mia.route(asked, (route) => route.abort());
  }
  await sleep(noah);

  await test.step('warns: the notice counts down, and what is not saved is asked for', async () => {
    await take('Notify now');
    await expect(mia.getByText('We move to <b>new</b> disks.')).toBeVisible();
    await startIn(240_000);
    await expect(mia.getByText(/Begins in [34]:\d\d/)).toBeVisible();
    await expect(mia.locator('.notice-banner + [role=status]')).toHaveText(
      'Maintenance begins in 4 minutes.',
    );
    await expect(mia.getByText('Save your work: what is typed here is not saved yet.')).toBeVisible();
    const drain = (name: string) => operator.getByRole('progressbar', { name });
    await expect(drain('1 of 3 tabs still has unsaved work')).toHaveAttribute('value', '2');
    await mia.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(drain('No unsaved work in any of 3 tabs')).toHaveAttribute('value', '3');
    await mia.getByLabel('Job title').fill('Half a survey');
  });

  await test.step('it begins by itself, and who has the right works on', async () => {
    // A start that has passed on the way to a busy server is refused.
    await expect(() => startIn(3_000)).toPass();
    await expect(closed(mia)).toBeVisible();
    // It was started by time, not by this operator, who is taken to the page too.
    await operator.getByRole('button', { name: 'Continue as operator' }).click();
    await expect(operator.getByText(/It should have ended/)).toBeVisible();
    await expect(mia.getByText('This is taking a little longer than expected.')).toBeVisible();
    // What is typed behind the page is not saved yet.
    await expect(operator.getByText('1 of 3 tabs still has unsaved work').first()).toBeVisible();
  });

  await test.step('a restart of the server changes nothing', async () => {
    await installation.restart();
    await expect(closed(mia)).toBeVisible();
  });

  await test.step('who was asleep wakes up to the page', async () => {
    await wake(noah);
    await expect(closed(noah)).toBeVisible();
  });

  await test.step('is extended, which all pages show', async () => {
    await step('Extend…').click();
    const dialog = operator.getByRole('dialog');
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: /^Extend/ }).click();
    for (const page of [mia, noah]) await expect(page.getByRole('timer')).toHaveText(/^1\d:\d\d$/);
    // The tab has to know of the window before the server stops publishing it.
    await expect(dialog).toHaveCount(0);
    await expect(operator.getByRole('main').getByRole('timer').first()).toHaveText(/^1\d:\d\d$/);
  });

  await test.step('ends it, and people are where they were, with what they had typed', async () => {
    await take('End now');
    await expect(mia.getByLabel('Job title')).toHaveValue('Half a survey');
    await expect(mia).toHaveURL(`${installation.url}/profile`);
    await expect(noah).toHaveURL(`${installation.url}/my-reports`);
    await expect(noah.getByRole('heading', { level: 1, name: 'My reports' })).toBeVisible();
    await mia.getByLabel('Job title').fill('Half a surveyor');
    await mia.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(mia.getByText('Your profile was saved.')).toBeVisible();
  });

  await test.step('finds in the history what happened', async () => {
    await operator.getByRole('tab', { name: 'History' }).click();
    const history = operator.getByRole('region', { name: 'What happened' });
    for (const deed of [
      'operator@example.org ended “New disks”.',
      /^operator@example.org extended “New disks” until /,
      '“New disks” became overdue.',
      '“New disks” started on time.',
      'operator@example.org notified people of “New disks”.',
      'operator@example.org planned “New disks”.',
    ])
      await expect(history.getByText(deed)).toBeVisible();
  });
});

/** Gives the page a computer whose clock is three hours slow: what it counts down is the server's time. */
async function setClockWrong(page: Page): Promise<void> {
  await page.addInitScript((by) => {
    const right = Date;
    class WrongDate extends right {
      constructor(...parts: [] | [number]) {
        if (parts.length === 0) super(right.now() - by);
        else super(...parts);
      }
      static override now(): number {
        return right.now() - by;
      }
    }
    Object.assign(globalThis, { Date: WrongDate });
  }, 3 * 3_600_000);
}

const closed = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Portico is down for maintenance' });

/** A tab in the background of a computer that sleeps: not seen, and without a network. */
async function sleep(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await seen(page, 'hidden');
}

async function wake(page: Page): Promise<void> {
  await page.context().setOffline(false);
  await seen(page, 'visible');
}

function seen(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => now });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);
}
