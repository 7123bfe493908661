import type { Page } from '@playwright/test';
import { expectNoViolations } from '#e2e/accessible.ts';
import { dateField, expect, fillDate, watchConsole, withOwnInstallation } from '#e2e/fixtures.ts';
import { signInOutside, test as withProvider } from '#features/outside-provider/e2e/outside-provider.ts';

// A right of the installation's own is one that the token of other tests does not hold, and so cannot give.
const test = withOwnInstallation();
const dialog = (page: Page) => page.getByRole('dialog').last();
const row = (page: Page, right: string) => page.locator(`[data-right="${right}"]`);

async function openAccess(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('row').getByRole('link', { name }).click();
  await page.getByRole('tab', { name: 'Access' }).click();
}

test('RIGHT-2 RIGHT-3 RIGHT-4: a right and a role of one’s own, given, granted with an end and denied; the reason is shown in words, and a preview shows who loses what', async ({
  api,
  signIn,
}) => {
  const mia = await api.person('Mia', ['member']);
  const [page, hers] = [await signIn('operator', { at: '/roles?show=rights' }), await signIn(mia)];

  await page.getByRole('button', { name: 'New right' }).click();
  await dialog(page).getByLabel('Name in code').fill('ff_orders');
  await dialog(page).getByLabel('Right', { exact: false }).first().fill('Change <b>orders</b>');
  await dialog(page).getByLabel('Area').fill('Orders');
  await dialog(page).getByRole('button', { name: 'Create right' }).click();
  await expect(page.getByText('Names that begin with FF_ are reserved for flags.')).toBeVisible();
  await dialog(page).getByLabel('Name in code').fill('orders change');
  await dialog(page).getByRole('button', { name: 'Create right' }).click();
  await expect(page.getByRole('row', { name: /Change <b>orders<\/b>.*ORDERS_CHANGE.*Custom/ })).toBeVisible();

  await page.getByRole('button', { name: 'Roles', exact: true }).click();
  await page.getByRole('button', { name: 'New role' }).click();
  await dialog(page).getByRole('textbox', { name: 'Role' }).fill('Équipe 2');
  await expect(dialog(page).getByRole('textbox', { name: /^Key/ })).toHaveValue('equipe-2');
  await dialog(page).getByRole('searchbox').fill('orders');
  await dialog(page)
    .getByRole('checkbox', { name: /ORDERS_CHANGE/ })
    .check();
  await dialog(page).getByRole('button', { name: 'Create role' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Équipe 2' })).toBeVisible();
  await expect(page.getByText('Nobody has it.')).toBeVisible();

  await page.goto(`/people?search=${mia.email}`);
  await openAccess(page, 'Mia Walker');
  await expect(row(page, 'ORDERS_CHANGE')).toContainText('The role Équipe 2 would give it.');
  await page.getByRole('button', { name: 'Change roles' }).click();
  await page.getByRole('checkbox', { name: /Équipe 2/ }).check();
  await page.getByRole('button', { name: 'Save roles' }).click();
  await expect(row(page, 'ORDERS_CHANGE')).toContainText(/Allowed.*From the role Équipe 2, given by .+ on /);

  await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Grant See flags' }).click();
  await fillDate(dateField(dialog(page), 'Until'), '2020-01-01T10:00');
  await dialog(page).getByLabel('Reason').fill('Stands in for Olga');
  await dialog(page).getByRole('button', { name: 'Grant', exact: true }).click();
  await expect(page.getByText('Please choose a time in the future.')).toBeVisible();
  await fillDate(dateField(dialog(page), 'Until'), `${new Date().getFullYear() + 1}-01-01T10:00`);
  await dialog(page).getByRole('button', { name: 'Grant', exact: true }).click();
  await expect(row(page, 'FLAGS_READ')).toContainText(
    /Allowed.*Granted by .+ until 1 Jan .*Reason: Stands in for Olga/,
  );
  await expect(hers.getByRole('link', { name: 'Console' })).toBeVisible();

  await page.getByRole('button', { name: 'Deny Change <b>orders</b>' }).click();
  await dialog(page).getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(row(page, 'ORDERS_CHANGE')).toContainText(/Denied.*Denied by .*From the role Équipe 2/);
  await undoOf(page, 'Change <b>orders</b>').click();
  await expect(row(page, 'ORDERS_CHANGE')).toContainText('Allowed');
  await page.getByRole('button', { name: 'Remove the grant of See flags' }).click();
  await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);

  await page.goto('/roles?show=rights');
  await page.getByRole('button', { name: /Change <b>orders<\/b>/ }).click();
  await dialog(page).getByRole('link', { name: 'People who have it' }).click();
  await expect(page.getByRole('combobox', { name: 'Right' })).toHaveValue('ORDERS_CHANGE');
  await expect(page.getByRole('status').filter({ hasText: '1 person' })).toBeVisible();

  await page.goto('/roles?show=matrix');
  const cell = page.getByRole('checkbox', { name: 'Équipe 2: See flags' });
  const unsaved = page.getByRole('region', { name: 'Not saved: Équipe 2' });
  await cell.check();
  await page.getByRole('checkbox', { name: 'Équipe 2: Change <b>orders</b>' }).uncheck();
  await expect(unsaved).toContainText('Équipe 2 1 added, 1 removed');
  await expect(unsaved).toContainText('The rights of 1 person change.');
  await page.getByRole('button', { name: 'Groups', exact: true }).click();
  await page.getByRole('button', { name: 'Matrix', exact: true }).click();
  await unsaved.getByRole('button', { name: 'Discard' }).click();
  await expect(cell).not.toBeChecked();
  await cell.check();
  await unsaved.getByRole('button', { name: 'Save' }).click();
  // The focus holds the notification.
  await undoOf(page, 'Équipe 2').focus();
  await expect(hers.getByRole('link', { name: 'Console' })).toBeVisible();
  await expect(unsaved).toHaveCount(0);
  await expect(cell).toBeChecked();
  await undoOf(page, 'Équipe 2').click();
  await expect(cell).not.toBeChecked();
  await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);

  await page.goto('/roles');
  await page.getByRole('link', { name: /Équipe 2/ }).press('Enter');
  await expect(page.getByRole('link', { name: 'Mia Walker' })).toBeVisible();
  await expectNoViolations(page, 'the page of a role');
  await page.getByRole('checkbox', { name: 'See people PEOPLE_READ' }).press('Space');
  await page.getByRole('textbox', { name: 'Role' }).fill('Équipe 3');
  await expect(unsaved).toContainText('Équipe 2 1 added, 0 removed');
  await expect(unsaved).toContainText('The rights of 1 person change.');
  await expectNoViolations(page, 'a changed role');
  await unsaved.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Équipe 3' })).toBeVisible();
  await expect(unsaved).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(dialog(page)).toContainText('The rights of 1 person change.');
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    /^Mia Walker.*loses (?:See people.*Change <b>orders<\/b>|Change <b>orders<\/b>.*See people)$/,
  ]);
  await dialog(page).getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('row', { name: /Équipe/ })).toHaveCount(0);
});

withProvider(
  'SES-4 RIGHT-4 RIGHT-5: a group of the company’s provider gives a role, after a preview of who gets it; the open tab follows, and the last administrator stays one',
  async ({ browser, provider, start }) => {
    const group = '/staff/"field" & 100%_<b>crew</b>';
    const installation = await start({ ...provider.settings, OPERATOR_EMAIL: 'olga@example.org' });
    const claims = (email: string, given_name: string, groups: string[]) => ({
      claims: { email, email_verified: true, given_name, family_name: 'Keller', groups },
    });
    await provider.serve(installation.url, {
      olga: claims('olga@example.org', 'Olga', ['/board']),
      mia: claims('mia@example.org', 'Mia', [group, '/staff']),
    });
    const signIn = async (account: string) => {
      const context = await browser.newContext();
      const consoleErrors = watchConsole(context);
      const page = await context.newPage();
      await page.goto(installation.url);
      await signInOutside(page, account);
      await expect(page.getByRole('navigation').first()).toBeVisible();
      return { page, consoleErrors };
    };
    const [{ page, consoleErrors }, { page: hers, consoleErrors: herErrors }] = [
      await signIn('olga'),
      await signIn('mia'),
    ];
    await expect(hers.getByRole('heading', { level: 1 })).toContainText('Mia');
    await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);

    await page.goto(`${installation.url}/roles?show=groups`);
    await page.getByRole('button', { name: 'Map a group' }).click();
    const name = dialog(page).getByRole('combobox', { name: 'Group' });
    await name.fill('100%_');
    await expect(dialog(page).getByRole('listbox').getByRole('option')).toHaveText([`${group}1 person`]);
    await name.fill(group);
    await dialog(page).getByRole('checkbox', { name: 'Support' }).check();
    await expect(dialog(page)).toContainText('The rights of 1 person change.');
    await expect(dialog(page).getByRole('listitem')).toHaveText([/^Mia Keller.*gains .*See people/]);
    await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);
    await dialog(page).getByRole('button', { name: 'Map a group' }).click();
    await expect(hers.getByRole('link', { name: 'Console' })).toBeVisible();

    await page.goto(`${installation.url}/people`);
    await openAccess(page, 'Mia Keller');
    await expect(row(page, 'PEOPLE_READ')).toContainText(
      `From the group “${group}”, which gives the role Support.`,
    );
    await page.getByRole('link', { name: group }).click();
    await expect(page.getByRole('button', { name: `In ${group}` })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: '@example.org' })).toHaveText([/Mia Keller/]);

    await page.goto(`${installation.url}/roles?show=groups`);
    await page.getByRole('button', { name: group }).click();
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(dialog(page).getByRole('listitem')).toHaveText([/^Mia Keller.*loses .*See people/]);
    await dialog(page).getByRole('button', { name: 'Remove' }).click();
    await expect(hers.getByRole('link', { name: 'Console' })).toHaveCount(0);

    await page.goto(`${installation.url}/people?search=olga`);
    await openAccess(page, /^Olga Keller/);
    await page.getByRole('button', { name: 'Change roles' }).click();
    await page.getByRole('checkbox', { name: /Operator/ }).uncheck();
    await page.getByRole('button', { name: 'Save roles' }).click();
    await expect(dialog(page).getByRole('alert')).toContainText(
      'At least one person must have the right to manage people',
    );
    expect([...consoleErrors, ...herErrors], 'errors in the browser console').toEqual([]);
    await Promise.all([page.context().close(), hers.context().close()]);
  },
);

/** What takes back the change whose notification has these words. */
const undoOf = (page: Page, words: string) =>
  page.locator('.notification').filter({ hasText: words }).getByRole('button', { name: 'Undo' });
