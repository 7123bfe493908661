import { expectNoViolations } from './accessible.ts';
import { expect, stands, test } from './fixtures.ts';
import {
  message,
  trigger,
  form,
  description,
  send,
  thanked,
  openForm,
  write,
  inboxOf,
} from './report-form.ts';

test('BUG-1: a form that cannot be downloaded says so, and can be tried again', async ({
  backstage,
  signIn,
}) => {
  const page = await signIn(await backstage.person('Mia', ['member']));
  await page.route('**/assets/late-report-bug-*', (route) => route.abort());
  await trigger(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The form could not be loaded' })).toBeVisible();
  await expect(trigger(page)).toBeFocused();
  await page.unroute('**/assets/late-report-bug-*');
  await openForm(page);
});

test('BUG-7: what is sent along is shown, and left out where the person wants it', async ({
  backstage,
  house,
  signIn,
}) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await write(page);
  await form(page).getByText('What is sent along').click();
  await expect(form(page).getByText(`${house.url}/`, { exact: true })).toBeVisible();
  for (const part of ['Release', 'Browser', 'Window size', 'Language', 'Time zone', 'Time'])
    await expect(
      form(page)
        .getByRole('checkbox', { name: new RegExp(`^${part}`) })
        .first(),
    ).toBeChecked();
  await form(page)
    .getByRole('checkbox', { name: /^Browser/ })
    .uncheck();
  await form(page)
    .getByRole('checkbox', { name: /^Address/ })
    .uncheck();
  await send(page).click();
  await expect(thanked(page)).toBeVisible();
  const [report] = await inboxOf(house).from(mia.email);
  expect(report?.url).toBe('');
  expect(Object.keys(report?.context ?? {}).toSorted()).toEqual([
    'language',
    'release',
    'time',
    'timeZone',
    'viewport',
  ]);
});

test('BUG-1 LOOK-2: by keyboard alone, with the focus in the form and back', async ({
  backstage,
  house,
  signIn,
}) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await trigger(page).focus();
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
  expect((await inboxOf(house).from(mia.email)).map((report) => report.message)).toEqual([message]);
});

test('NOTE-1: a notification stays reachable above the open form', async ({ backstage, signIn }) => {
  const mia = await backstage.person('Mia', ['member']);
  const page = await signIn(mia);
  await write(page);
  await backstage.setRoles(mia.id, ['member', 'support']);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  const warning = page.getByRole('alert').filter({ hasText: 'Reload' });
  await expect(warning).toBeVisible();
  await warning.getByRole('button', { name: 'Close' }).click();
  await expect(warning).toHaveCount(0);
  await expect(description(page)).toHaveValue(message);
});

test('LOOK-2 BUG-1: the trigger and the form are accessible in light and dark, fit 320 px and cover nothing', async ({
  backstage,
  house,
  signIn,
}) => {
  const page = await signIn('operator');
  const name = `LONG_LIST_${Date.now()}`;
  for (let index = 0; index < 40; index += 1) await backstage.createFlag(`${name}_${index}`);
  await backstage.setMaintenance({ text: 'Save your work before ten tonight.', severity: 'MEDIUM' });
  for (const [width, height] of [
    [1280, 720],
    [360, 740],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto(`${house.url}/flags`);
    await expect(page.getByRole('row', { name: new RegExp(`${name}_`) })).toHaveCount(40);
    const last = page.getByRole('row').last();
    await stands(page);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect(trigger(page)).toBeInViewport({ ratio: 1 });
    const room = async () => {
      const [row, button] = await Promise.all([last.boundingBox(), trigger(page).boundingBox()]);
      return (button?.y ?? 0) - (row?.y ?? 0) - (row?.height ?? 0);
    };
    await expect.poll(room, `below the last row at ${width} px`).toBeGreaterThanOrEqual(0);
  }

  await openForm(page);
  await send(page).click();
  await form(page).getByText('What is sent along').click();
  await form(page).getByLabel('Email').fill('nobody');
  await send(page).click();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectNoViolations(page, colorScheme);
  }
  const wide = () => form(page).evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(wide).toBe(0);

  // A page at 400 %, or what a keyboard leaves of a phone.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(form(page), 'the form has heard of it').toHaveAttribute('data-low');
  await send(page).scrollIntoViewIfNeeded();
  await expect(send(page)).toBeInViewport({ ratio: 1 });
  await description(page).scrollIntoViewIfNeeded();
  await expect(description(page)).toBeInViewport();
});

test("LOOK-2: a phone's keyboard covers neither the buttons nor what is typed", async ({
  backstage,
  signIn,
}) => {
  const page = await signIn(await backstage.person('Mia', ['member']));
  await page.setViewportSize({ width: 360, height: 740 });
  await write(page);
  // As a phone tells it: the page keeps its height, and less of it is seen.
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
