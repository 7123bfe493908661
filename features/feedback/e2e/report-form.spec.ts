import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, allowConsoleError, settled, test } from '#e2e/fixtures.ts';
import { message, trigger, form, description, send, thanks, openForm, inboxOf } from './report-form.ts';

test('BUG-7 §4: recorded steps and errors are attached, shown before, without what was typed, and the operator reads them', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia);
  const problem = { type: 'about:blank', title: 'secret words', status: 500, code: 'INTERNAL' };
  await page.route(
    '**/v1/users/current/profile',
    (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({ ...problem, requestId: 'req-of-mia' }),
      }),
    { times: 1 },
  );
  await page.goto(`${installation.url}/my-reports?secret=words`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  allowConsoleError(page.context(), /secret words/);
  // Errors that no code catches, thrown as a script of the application throws them.
  for (const thrown of ['throw', 'reject'])
    await page.evaluate((how) => {
      queueMicrotask(() => {
        const error = new TypeError('secret words');
        if (how === 'throw') throw error;
        void Promise.reject(error);
      });
    }, thrown);
  await openForm(page);
  // The profile, which fills it in, could not be loaded.
  await form(page).getByLabel('Email').fill(mia.email);
  await description(page).fill(message);
  const along = form(page).locator('.report-along');
  await along.locator('summary').first().click();
  await expect(along.getByText('3 errors')).toBeVisible();
  await expect(along.getByText('The profile could not be loaded')).toBeVisible();
  await expect(along.getByText('An unexpected error on the page').first()).toBeVisible();
  await expect(along.getByText(/on \/my-reports · 500 INTERNAL · request req-of-mia/)).toBeVisible();
  await along.getByText(/^\d+ steps?$/).click();
  await expect(along.getByText('Failed: GET /v1/users/:userId/profile').first()).toBeVisible();
  await expectNoViolations(page, 'what is sent along', { within: 'dialog' });
  await along.getByRole('checkbox', { name: 'Feature flags' }).uncheck();
  await send(page).click();
  await expect(thanks(page)).toBeVisible();

  const [report] = await inboxOf(installation).from(mia.email);
  const { errors = [], breadcrumbs = [], flags, rights } = report?.context ?? {};
  expect(report?.associatedEventId).toBe(errors.at(-1)?.id);
  expect(errors.map(({ what }) => what)).toEqual(['profile.load', 'page.error', 'page.rejection']);
  expect(errors[0]).toMatchObject({ screen: '/my-reports', status: 500, requestId: 'req-of-mia' });
  expect(errors[1]).toMatchObject({ kind: 'TypeError', screen: '/my-reports' });
  expect(breadcrumbs).toContainEqual(
    expect.objectContaining({ kind: 'call', call: 'GET /v1/users/:userId/profile', status: 500 }),
  );
  expect(flags).toBeUndefined();
  expect(rights).toContain('MAP_VIEW');
  expect(JSON.stringify([errors, breadcrumbs])).not.toContain('secret');

  const operator = await signIn('operator', { at: `/reports?report=${report?.id}` });
  const pane = operator.getByRole('region', { name: /^Report #\d+/ });
  await pane.getByText('Technical details').click();
  await expect(pane.getByText('The profile could not be loaded')).toBeVisible();
  await expect(pane.getByText(/on \/my-reports · 500 INTERNAL · request req-of-mia/)).toBeVisible();
  await expect(pane.getByText(report?.associatedEventId ?? 'none').first()).toBeVisible();
  await expect(pane.locator('.timeline').getByText('Opened /my-reports').first()).toBeVisible();
  await pane.getByText(/^\d+ rights?$/).click();
  await expect(pane.getByText('MAP_VIEW', { exact: true })).toBeVisible();
  await expect(pane.getByText('{"')).toHaveCount(0);
  await expectNoViolations(operator, 'the report');
});

test('BUG-1 LOOK-2: a form that cannot be downloaded can be tried again, and works by keyboard alone, with the focus in the form and back', async ({
  api,
  installation,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const page = await signIn(mia, {
    before: (started) => void started.route('**/assets/lazy-report-bug-*', (route) => route.abort()),
  });
  await trigger(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'The form could not be loaded' })).toBeVisible();
  await expect(trigger(page)).toBeFocused();
  await page.unroute('**/assets/lazy-report-bug-*');
  await page.keyboard.press('Enter');
  await expect(description(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(trigger(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(description(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(form(page).getByLabel('Name')).toBeFocused();
  // An empty form, sent from a field.
  await page.keyboard.press('Enter');
  await expect(form(page).locator('.report-problem')).toBeFocused();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Tab');
  await expect(description(page)).toBeFocused();
  await page.keyboard.type(message);
  // Nothing leads out of the form.
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    expect(
      await form(page).evaluate(
        (element) =>
          document.hasFocus() &&
          !element.contains(document.activeElement) &&
          document.activeElement !== document.body,
      ),
    ).toBe(false);
  }
  await send(page).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('.report-thanks')).toBeFocused();
  await expect(trigger(page)).toBeFocused();
  expect((await inboxOf(installation).from(mia.email)).map((report) => report.message)).toEqual([message]);
});

test('LOOK-2 BUG-1: the trigger and the form are accessible in light and dark, fit 320 px and cover nothing', async ({
  api,
  signIn,
}) => {
  const page = await signIn('operator');
  const name = `LONG_LIST_${Date.now()}`;
  for (let index = 0; index < 20; index += 1) await api.createFlag(`${name}_${index}`);
  await api.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'MEDIUM' });
  await page.goto(`/flags?search=${name}`);
  await expect(page.getByRole('row', { name: new RegExp(`${name}_`) })).toHaveCount(20);
  for (const [width, height] of [
    [1280, 720],
    [360, 740],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    const last = page.getByRole('row').last();
    await settled(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(trigger(page)).toBeInViewport({ ratio: 1 });
    const above = async () => {
      const [row, button] = await Promise.all([last.boundingBox(), trigger(page).boundingBox()]);
      return (row?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0);
    };
    await expect.poll(above, `above the last row at ${width} px`).toBeGreaterThanOrEqual(0);
    const label = trigger(page).getByText('Report a Bug');
    const shown = (await label.boundingBox())?.width ?? 0;
    expect(shown > 1, `the label at ${width} px`).toBe(width > 760);
  }

  await openForm(page);
  await send(page).click();
  await form(page).getByText('Technical details included').click();
  await form(page).getByLabel('Email').fill('nobody');
  await send(page).click();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNoViolations(page, 'the form');
  // The scheme changes colours alone.
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNoViolations(page, 'the form, dark', { rules: ['color-contrast'] });
  const wide = () => form(page).evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(wide).toBe(0);

  // A page at 400 %, or the part of a phone above its keyboard.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(form(page), 'the form knows of it').toHaveAttribute('data-low');
  await send(page).scrollIntoViewIfNeeded();
  await expect(send(page)).toBeInViewport({ ratio: 1 });
  await description(page).scrollIntoViewIfNeeded();
  await expect(description(page)).toBeInViewport();

  // A phone's keyboard covers neither the buttons nor what is typed.
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(form(page)).not.toHaveAttribute('data-low');
  // As a phone reports it: the page has the same height, and less of it is seen.
  await page.evaluate(() => {
    const seen = window.visualViewport;
    Object.defineProperty(seen, 'height', { value: 440 });
    seen?.dispatchEvent(new Event('resize'));
  });
  const bottom = async () => {
    const box = await send(page).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0);
  };
  await expect.poll(bottom).toBeLessThanOrEqual(440);
  await description(page).scrollIntoViewIfNeeded();
  await expect.poll(async () => (await description(page).boundingBox())?.y).toBeLessThan(440);
  await expect(form(page).getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});
