import type { Page } from '@playwright/test';
import type { MaintenanceWindow } from '#features/maintenance/contract/windows.ts';
import { expectAccessible } from '#e2e/accessible.ts';
import {
  callerWith,
  chooseOption,
  dateField,
  expect,
  expectDate,
  fillDate,
  tabTo,
  test as base,
  tokenOf,
} from '#e2e/fixtures.ts';

type Draft = Partial<Pick<MaintenanceWindow, 'title' | 'texts' | 'mode' | 'leadMinutes' | 'endsByItself'>> & {
  /** Minutes from now. */
  startsIn: number;
};

type Fixtures = {
  /** The operator's console; afterwards nothing is planned or in force any more. */
  console: Page;
  /** Plans a window without the form. */
  plan: (draft: Draft) => Promise<MaintenanceWindow>;
};

const minute = 60_000;
const berlin = 'Europe/Berlin';

const test = base.extend<Fixtures>({
  console: async ({ signIn, installation }, provide) => {
    const page = await signIn('operator', { at: '/maintenance' });
    await expect(page.getByRole('heading', { level: 2, name: 'Online', exact: true })).toBeVisible();
    await provide(page);
    await page.unrouteAll({ behavior: 'wait' });
    // The next test on this installation must find nothing planned.
    const call = callerWith(tokenOf(installation), installation);
    const { windows } = await call<{ windows: MaintenanceWindow[] }>('GET', '/v1/maintenance/windows');
    for (const { id, phase, version } of windows) {
      const step = phase === 'active' || phase === 'overdue' ? 'end' : 'cancel';
      await call('POST', `/v1/maintenance/windows/${id}/${step}`, { version });
    }
  },

  plan: async ({ installation }, provide) => {
    const call = callerWith(tokenOf(installation), installation);
    await provide(({ startsIn, ...draft }) =>
      call<MaintenanceWindow>('POST', '/v1/maintenance/windows', {
        title: 'Database upgrade',
        text: 'The database is faster afterwards.',
        severity: 'MEDIUM',
        mode: 'full',
        leadMinutes: 15,
        endsByItself: false,
        startsAt: Date.now() + startsIn * minute,
        endsAt: Date.now() + (startsIn + 40) * minute,
        ...draft,
      }),
    );
  },
});

test('MAINT-5 MAINT-7 LOOK-2: planning explains which times daylight saving skips and doubles, and what overlaps', async ({
  console: page,
}) => {
  const year = new Date().getUTCFullYear() + 1;
  const spring = lastSunday(year, 3);
  const autumn = lastSunday(year, 10);
  const title = `New roof ${Date.now()}`;
  const start = dateField(page, 'Start');
  const end = dateField(page, 'End');
  const submit = page.getByRole('button', { name: 'Plan the window' });

  await openPlan(page);
  await submit.click();
  await expect(page.getByText('Give it a title.')).toBeVisible();
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.getByRole('radio', { name: 'Phone' }).check();
  await expectAccessible(page, 'a plan with a mistake');
  await page.getByLabel('Title').fill(title);
  const zone = page.getByRole('combobox', { name: 'Time zone of these times' });
  await chooseOption(zone, 'berlin');
  await expect(zone).toHaveText(berlin);

  await fillDate(start, `${spring}T02:30`);
  await expect(page.getByText(/02:30 does not exist on .* in Europe\/Berlin/)).toBeVisible();
  await page.getByRole('button', { name: 'Use 03:30' }).click();
  await expectDate(start, `${spring}T03:30`);
  await expect(start).toHaveAccessibleDescription(/= 01:30 UTC/);

  await fillDate(start, `${autumn}T02:30`);
  await fillDate(end, `${autumn}T05:00`);
  await submit.click();
  await expect(page.getByText('This time occurs twice. Choose which one you mean.')).toBeVisible();
  await expect(start.getByRole('spinbutton').first()).toBeFocused();
  await page.getByRole('button', { name: '02:30 Central European Standard Time' }).click();
  await expect(start).toHaveAccessibleDescription(/= 01:30 UTC/);
  await expectDate(end, `${autumn}T05:00`);

  await page.getByLabel('Text while it lasts').fill('The <b>roof</b> is being mended.');
  await page.getByLabel('Text before it starts').fill('The <b>roof</b> will be mended.');
  for (const text of ['The <b>roof</b> will be mended.', 'The <b>roof</b> is being mended.'])
    await expect(page.locator('.preview').getByText(text)).toHaveCount(1);
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByLabel('Text while it lasts').fill('Das Dach wird repariert.');
  await expect(page.locator('.preview').getByText('Das Dach wird repariert.')).toHaveCount(1);
  await expect(page.getByRole('radio', { name: 'English ✓' })).not.toBeChecked();
  await submit.click();
  await expect(page.getByLabel('Title')).toHaveCount(0);
  await openTab(page, 'Planned');
  await expect(page.getByRole('row', { name: new RegExp(title) })).toContainText('01:30–04:00 UTC');

  await openPlan(page);
  await page.getByLabel('Title').fill('At the same time');
  await chooseOption(zone, 'utc');
  await fillDate(start, `${autumn}T03:00`);
  await fillDate(end, `${autumn}T06:00`);
  await expect(page.getByText(`This overlaps with “${title}”`)).toBeVisible();
  // Another operator has planned it in between: the server knows of it, this browser not yet.
  await page.route(/\/v1\/maintenance\/windows\?/, (route) =>
    route.fulfill({ json: { windows: [], next: null } }),
  );
  await expect(page.getByText(`This overlaps with “${title}”`)).toHaveCount(0);
  await submit.click();
  await expect(page.getByRole('alert').filter({ hasText: title })).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('row', { name: new RegExp(title) })).toBeVisible();
});

test('MAINT-5 MAINT-7 LOOK-2: warn, start, change, end, and take off what people still read', async ({
  console: page,
  plan,
  api,
  signIn,
  installation,
}) => {
  const mia = await signIn(await api.person('Mia', ['member']));
  const { id } = await plan({ startsIn: 40, texts: { finished: { en: 'It is faster now.' } } });
  await api.setMaintenance({ text: 'An upgrade is near.', severity: 'INFO' });
  await page.reload();
  const dialog = page.getByRole('dialog');
  const here = page.locator('[aria-current="step"]');

  await expect(here).toContainText('Planned');
  await expect(page.getByRole('timer').first()).toHaveText(/^(?:40|3\d):\d\d$/);
  await page.getByRole('button', { name: 'Notify now' }).click();
  await expect(dialog).toContainText('2 people are working now, in 2 tabs');
  await dialog.getByRole('button', { name: 'Notify now' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(here).toContainText('Notified');
  await expect(mia.getByText('The database is faster afterwards.').first()).toBeVisible();
  await expectAccessible(page, 'counting down');

  await openTab(page, 'Planned');
  await expectAccessible(page, 'what is planned');
  await openTab(page, 'Now');
  await page.getByRole('button', { name: 'Start now' }).click();
  await expectAccessible(page, 'question before the start', dialog);
  await dialog.getByRole('button', { name: 'Start now' }).click();
  await expect(mia).toHaveURL(/\/system-maintenance/);
  // The operator who starts it stays where it is run from.
  await expect(page.getByText('Maintenance is on. You can continue to work')).toBeVisible();
  expect(page.url()).toBe(`${installation.url}/maintenance`);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2, name: 'Offline', exact: true })).toBeVisible();
  await expect(here).toContainText('Active');
  await expect(here).toContainText('planned: ');
  await expect(page.getByRole('listitem').filter({ hasText: 'Ends' })).toContainText(
    /\d\d:\d\d.*an operator ends it/,
  );

  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await page.getByRole('radio', { name: /^Read only/ }).check();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toContainText('“Database upgrade” is active. Change it to “Read only” now?');
  await expect(dialog).toContainText('2 people are working now');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2, name: 'Read only', exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'End now' }).click();
  await dialog.getByRole('button', { name: 'End now' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 2, name: 'Online', exact: true })).toBeVisible();
  await expect(mia).not.toHaveURL(/\/system-maintenance/);

  // What people still read is taken off: the text of the finished window, and the notice from before it.
  await expect(mia.getByText('It is faster now.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove its text' }).click();
  await dialog.getByRole('button', { name: 'Remove its text' }).click();
  await expect(page.getByText(/It ended at .* there is nothing left to do/)).toBeVisible();
  await expect(mia.getByText('It is faster now.')).toHaveCount(0);
  await expect(mia.getByText('An upgrade is near.')).toBeVisible();
  await expect(page.getByText(/“Database upgrade” ended at .* people still read this notice/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove notice' }).click();
  // The focus holds the notification.
  await page.getByRole('button', { name: 'Undo' }).focus();
  await expect(page.getByText(/people still read this notice/)).toHaveCount(0);
  await expect(mia.getByText('An upgrade is near.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(mia.getByText('An upgrade is near.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove notice' }).click();
  await expect(mia.getByText('An upgrade is near.')).toHaveCount(0);

  // The next window can be warned of while the one that has just ended is still listed.
  await plan({ startsIn: 40, title: 'More memory' });
  await expect(page.getByText(/It ended at .* there is nothing left to do/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notify now' })).toBeVisible();

  await page.goto(`${installation.url}/maintenance?window=${id}`);
  await expect(dialog.getByRole('listitem')).toHaveText([
    / removed the text of “Database upgrade”/,
    / ended “Database upgrade”/,
    / changed “Database upgrade”/,
    / started “Database upgrade”/,
    / notified people of “Database upgrade”/,
    / planned “Database upgrade”/,
  ]);
});

test('MAINT-7 PRO-3 LOOK-3: by hand, in the operator’s own time zone, ended where it is shown to be on; the history shows what changed', async ({
  api,
  signIn,
  installation,
}) => {
  const olga = await api.person('Olga', ['operator']);
  // As a browser that has the names of CLDR calls it; this one runs in UTC.
  await api.setProfile(olga.id, { timeZone: 'Asia/Calcutta' });
  const page = await signIn(olga, { at: '/profile' });
  const dialog = page.getByRole('dialog');
  const panel = page.getByRole('region', { name: /^(Online|Offline|Read only)$/ });
  const immediate = page.getByRole('region', { name: 'Immediate maintenance' });
  const history = page.getByRole('region', { name: 'What happened' });
  const endNow = 'End maintenance now';

  await test.step('a zone is shown by its present name, and saved by it', async () => {
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await expect(zone).toHaveText('Asia/Kolkata');
    await expect(page.getByText('Not saved yet.')).toHaveCount(0);
    await page.getByLabel('Job title').fill('Operator');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Your profile was saved.')).toBeVisible();
    expect(await api.profile(olga.id)).toMatchObject({
      jobTitle: 'Operator',
      timeZone: 'Asia/Kolkata',
    });
  });

  await page.goto(`${installation.url}/maintenance`);
  await api.setMaintenance({ text: 'Slow today.', severity: 'HIGH' });
  await api.setMaintenance({ severity: 'MEDIUM' });
  await openTab(page, 'History');
  await expect(history.getByText('changed the severity of the notice: High → Medium')).toBeVisible();

  const end = Math.floor(Date.now() / minute + 90) * minute;
  await test.step('the expected end is typed in the zone of the profile, not of this computer', async () => {
    await openTab(page, 'Now');
    await page.getByRole('button', { name: 'Start maintenance…' }).click();
    await expect(dialog.getByRole('radio', { name: /^Offline/ })).toBeChecked();
    await expect(dialog).toContainText(/working now, in/);
    const field = dateField(page, 'Expected end');
    await field.getByRole('spinbutton').first().pressSequentially('25');
    await dialog.getByRole('button', { name: 'Start maintenance now' }).click();
    await expect(dialog).toContainText('complete the date and the time');
    await dialog.getByRole('button', { name: '30 minutes' }).click();
    await expect(dialog.locator('.preview-stage')).toContainText(/(?:30|29):\d\d/);
    await fillDate(field, wallIn('Asia/Kolkata', end));
    await expect(field).toHaveAccessibleDescription(/in your time zone, Asia\/Kolkata\..*= .*\d\d:\d\d UTC/);
    // The notice from before the start is no text for the page, unless the operator takes it over.
    await expect(dialog.getByLabel('Text while it lasts')).toHaveValue('');
    await expect(dialog.locator('.preview-stage')).not.toContainText('Slow today.');
    await dialog.getByRole('button', { name: 'Use its text' }).click();
    await expect(dialog.locator('.preview-stage')).toContainText('Slow today.');
    await dialog.getByLabel('Text while it lasts').fill('Being repaired.');
    await dialog.getByRole('button', { name: 'Start maintenance now' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(panel).toContainText('Offline');
    const status = (await (await fetch(`${installation.url}/v1/maintenance/status`)).json()) as {
      expectedEnd: number;
    };
    expect(status.expectedEnd).toBe(end);
    await immediate.getByRole('button', { name: 'Change' }).click();
    await expectDate(field, wallIn('Asia/Kolkata', end));
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('the time is shown with that in UTC, and once where the person lives in UTC', async () => {
    const utc = wallIn('UTC', end).slice(11);
    await expect(panel).toContainText(`${utc} UTC)`);
    await api.setProfile(olga.id, { timeZone: 'Africa/Abidjan' });
    await expect(panel).toContainText(`${utc} UTC`);
    await expect(panel).not.toContainText('(');
    await immediate.getByRole('button', { name: 'Change' }).click();
    await expectDate(dateField(page, 'Expected end'), wallIn('UTC', end));
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('it ends where it is shown to be on, after a question that explains what that does', async () => {
    await api.setMaintenance({ expectedEnd: end + 30 * minute });
    await openTab(page, 'History');
    await expect(history.getByText(/changed the expected end: .*\d\d:\d\d → .*\d\d:\d\d/)).toBeVisible();
    await openTab(page, 'Now');
    await page.getByRole('link', { name: 'End maintenance' }).click();
    await expect(dialog).toContainText('Everyone returns automatically to where they were.');
    await expect(
      dialog.getByRole('checkbox', { name: 'Keep showing its text as a notice' }),
    ).not.toBeChecked();
    // What was published before it started is shown again unless the operator decides otherwise.
    await expect(
      dialog.getByRole('checkbox', { name: 'Show the notice from before again Slow today.' }),
    ).toBeChecked();
    await expectAccessible(page, 'question before the end', dialog);
    await dialog.getByRole('button', { name: endNow }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 2, name: 'Online', exact: true })).toBeVisible();
    await expect(immediate).toHaveCount(0);
    await expect(page.getByRole('alert').filter({ hasText: 'Please note: Slow today.' })).toBeVisible();
    await openTab(page, 'History');
    await expect(history.getByRole('listitem').first()).toContainText('Olga');
  });
});

test('LOOK-2 MAINT-7: a window is planned, opened and cancelled by keyboard alone', async ({
  console: page,
}) => {
  const open = page.getByRole('button', { name: 'Plan a window' }).first();
  const press = (key: string) => page.keyboard.press(key);
  await tabTo(page, open);
  await press('Enter');
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.keyboard.type('By keyboard');
  const zone = page.getByRole('combobox', { name: 'Time zone of these times' });
  await tabTo(page, zone);
  await press('ArrowDown');
  await page.keyboard.type('tokyo');
  await press('Enter');
  await expect(zone).toHaveText('Asia/Tokyo');
  await expect(zone).toBeFocused();
  await fillDate(dateField(page, 'Start'), wallIn('Asia/Tokyo', Date.now() + 180 * minute));
  await tabTo(page, page.getByRole('radio', { name: /^Offline/ }));
  await press('ArrowDown');
  await expect(page.getByRole('radio', { name: /^Read only/ })).toBeChecked();
  await tabTo(page, page.getByRole('button', { name: 'Plan the window' }));
  await press('Enter');
  await expect(open).toBeFocused();

  await tabTo(page, page.getByRole('tab', { name: 'Now' }));
  await press('ArrowRight');
  await expect(page.getByRole('tab', { name: /^Planned/ })).toBeFocused();
  const row = page.getByRole('row', { name: /By keyboard/ });
  await tabTo(page, row.getByRole('button', { name: 'By keyboard', exact: true }));
  await press('Enter');
  await expect(page.getByRole('dialog')).toContainText('Asia/Tokyo');
  await press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Tab stops once in the row; arrows lead to its other controls.
  await expect(row.getByRole('button', { name: 'By keyboard', exact: true })).toBeFocused();
  const cancel = row.getByRole('button', { name: /^Cancel window/ });
  await cancel.waitFor();
  while (!(await cancel.evaluate((element) => element === document.activeElement))) await press('ArrowRight');
  await press('Enter');
  // The focus starts on the other button: what cannot be undone must not be done by pressing Enter twice.
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Keep it' })).toBeFocused();
  await press('Tab');
  await press('Enter');
  await expect(page.getByText('“By keyboard” is cancelled')).toBeVisible();
  await expect(row.filter({ hasText: 'Planned' })).toHaveCount(0);
});

async function openPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Plan a window' }).first().click();
  await expect(page.getByLabel('Title')).toBeFocused();
}

async function openTab(page: Page, name: 'Now' | 'Planned' | 'History'): Promise<void> {
  const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) });
  await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** `2027-03-28`: when the clocks of Europe change. */
function lastSunday(year: number, month: number): string {
  const last = new Date(Date.UTC(year, month, 0));
  last.setUTCDate(last.getUTCDate() - last.getUTCDay());
  return last.toISOString().slice(0, 10);
}

/** As the field of a time takes it. */
function wallIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(at)
    .replace(' ', 'T');
}
