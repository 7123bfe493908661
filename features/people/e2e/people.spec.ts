import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('CON-4 CON-7: people are sorted, changed together after it is said whom that changes, and changed back, and one is looked at on their page and signed out there', async ({
  api,
  signIn,
}) => {
  const tag = `Q${Date.now()}`;
  const ada = await api.person(`Ada${tag}`, ['member']);
  const zoe = await api.person(`Zoe${tag}`, ['member', 'support']);
  const hers = await signIn(ada);
  const page = await signIn('operator', { at: `/people?search=${tag}` });
  const names = page.getByRole('row').getByRole('link');
  const dialog = page.getByRole('dialog');

  await test.step('the list is sorted by a press on a head', async () => {
    await expect(names).toHaveText([new RegExp(`^Ada${tag}`), new RegExp(`^Zoe${tag}`)]);
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect(names).toHaveText([new RegExp(`^Zoe${tag}`), new RegExp(`^Ada${tag}`)]);
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');
    await page.getByRole('button', { name: 'Last seen' }).click();
    await expect(page).toHaveURL(/order=seen/);
  });

  await test.step('both are selected by keyboard, and what a role changes is said before', async () => {
    await page.getByRole('checkbox', { name: `Select Ada${tag} Walker` }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Select all 2' }).press('Enter');
    const tools = page.getByRole('toolbar');
    await expect(tools.getByRole('status')).toHaveText('2 selected');
    await expectNoViolations(page, 'selected people');
    await tools.getByRole('button', { name: 'Roles' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Give a role' }).press('Enter');
    await dialog.getByLabel('Role').selectOption('support');
    await expect(dialog).toContainText('1 person gets the role Support and its rights, at once.');
    await expect(dialog.getByRole('listitem')).toHaveText([`Ada${tag} Walker`]);
    await expect(dialog).toContainText('1 has it already.');
    await expectNoViolations(page, 'a role for many');
    await dialog.getByRole('button', { name: 'Give role' }).click();
    await expect(page.getByText('1 person changed')).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).focus();
    const row = page.getByRole('row', { name: new RegExp(`Ada${tag}`) });
    await expect(row).toContainText('Support, Member');
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect(page.getByText('Undone')).toBeVisible();
    await expect(row).not.toContainText('Support');
  });

  await test.step('a person is signed out of one browser from their page, which their own browser shows at once', async () => {
    await names.filter({ hasText: `Ada${tag}` }).press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: `Ada${tag} Walker` })).toBeVisible();
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: /^Sessions/ })).toBeFocused();
    await page.getByRole('button', { name: /^Sign out there: / }).click();
    await dialog.getByRole('button', { name: 'Sign out' }).click();
    await expect(hers.getByText('An operator ended it.')).toBeVisible();
    await expect(page.getByText('Not signed in anywhere')).toBeVisible();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await expect(page.getByRole('tabpanel')).toContainText(`signed Ada${tag} Walker out of one browser`);
  });

  await test.step('who may only read people sees neither reports nor activity, and changes nothing', async () => {
    const role = `reader-${tag.toLowerCase()}`;
    await api.addRole(role, ['PEOPLE_READ']);
    const reader = await api.person(`Ron${tag}`, [role]);
    const his = await signIn(reader, { at: `/people/${zoe.id}` });
    await expect(his.getByRole('tab')).toHaveText(['Overview', 'Access', /^Sessions/]);
    await expect(his.getByText('You may look at people, not change them.')).toBeVisible();
    await expect(his.getByRole('button', { name: 'Actions', exact: true })).toHaveCount(0);
    await his.goto(`/people?search=${tag}`);
    await expect(his.getByRole('row')).toHaveCount(4);
    await expect(his.getByRole('checkbox')).toHaveCount(0);
    await his.setViewportSize({ width: 360, height: 740 });
    const row = his.getByRole('row', { name: new RegExp(`Zoe${tag}`) });
    await expect(row).toContainText('Support, Member');
    // Two lines, however many roles.
    await expect.poll(async () => (await row.boundingBox())?.height ?? 0).toBeLessThan(78);
  });
});
