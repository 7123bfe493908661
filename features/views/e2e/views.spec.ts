import { expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('CON-7: a view is saved, shared, shown to others at once, renamed and removed by keyboard; columns and density stay', async ({
  signIn,
}) => {
  const word = `Views ${Date.now()}`;
  const page = await signIn('operator', { at: '/people?state=blocked&order=seen' });
  const other = await signIn('operator', { at: '/people' });
  const views = (name: string) => page.getByRole('button', { name, exact: true });

  await test.step('a column is hidden and the rows stand closer, also after a reload', async () => {
    const joined = other.getByRole('columnheader', { name: 'Joined' });
    await expect(joined).toBeVisible();
    const height = async () => (await other.getByRole('row').last().boundingBox())?.height ?? 0;
    const before = await height();
    await other.getByRole('button', { name: 'Columns and density' }).press('Enter');
    await other.getByRole('menuitemcheckbox', { name: 'Joined' }).press('Enter');
    await expect(joined).toHaveCount(0);
    await expectNoViolations(other, 'the columns of a table');
    await other.getByRole('menuitemradio', { name: 'Compact' }).press('Enter');
    await other.reload();
    await expect(other.getByRole('columnheader', { name: 'Last seen' })).toBeVisible();
    await expect(joined).toHaveCount(0);
    expect(await height()).toBeLessThan(before);
  });

  await test.step('the filter of the list gets a name', async () => {
    await views('Views').press('Enter');
    await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill(word);
    await page.getByRole('checkbox', { name: 'Share with all operators' }).press('Space');
    await expectNoViolations(page, 'a view is saved');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await expect(views(`View: ${word}`)).toBeVisible();
  });

  await test.step('another operator opens it', async () => {
    await other.getByRole('button', { name: 'Views', exact: true }).click();
    await other.getByRole('menuitemradio', { name: word }).click();
    await expect(other).toHaveURL(/order=seen/);
    await expect(other.getByRole('combobox', { name: 'Status' })).toHaveValue('blocked');
  });

  await test.step('it is renamed and removed', async () => {
    await views(`View: ${word}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Rename or remove…' }).press('Enter');
    await page.getByRole('button', { name: `Rename “${word}”` }).press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill(`${word} again`);
    await page.getByRole('button', { name: 'Rename', exact: true }).press('Enter');
    await page.getByRole('button', { name: `Remove “${word} again”` }).press('Enter');
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: `Remove “${word} again”` })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(views('Views')).toBeVisible();
    await expect(other.getByRole('button', { name: 'Views', exact: true })).toBeVisible();
  });
});
