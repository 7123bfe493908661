import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('FLAG-12: a list is made, used in a rule by keyboard, and Try it says who gets what', async ({
  api,
  signIn,
}) => {
  const name = `People of ACME ${Date.now()}`;
  const { key } = await api.createFlag(`FOR_ACME_${Date.now()}`, { defaultValue: false });
  const page = await signIn('operator', { at: '/segments' });
  const dialog = page.getByRole('dialog');
  const rule = page.getByRole('listitem').filter({ hasText: `If in segment ${name}` });
  const go = (screen: string) =>
    page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();

  await test.step('makes a list and pastes values, after reading what plain keys publish', async () => {
    await page.getByRole('button', { name: 'New segment' }).first().click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Create segment' }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.getByRole('textbox', { name: 'Add values' }).fill('ada, bob\nada;cyd');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByText('3 new, 0 removed, 1 ignored')).toBeVisible();
    const bar = page.getByRole('region', { name: 'Not saved yet.' });
    await expect(bar).toContainText('publish these 3 values to every browser');
    await page.getByRole('button', { name: 'Remove cyd' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(bar).toHaveCount(0);
    await expectAccessible(page, 'the page of a segment');
  });

  await test.step('names it in a rule by keyboard alone', async () => {
    await go('Flags');
    await page.getByRole('link', { name: key }).click();
    await page.getByRole('button', { name: 'Add a rule' }).press('Enter');
    const operator = page.getByRole('combobox', { name: 'Comparison' });
    await operator.focus();
    await operator.pressSequentially('is in seg');
    await page.keyboard.press('Tab');
    const segment = page.getByRole('combobox', { name: 'Segment' });
    await expect(segment).toBeFocused();
    await page.keyboard.type(name.slice(0, -1));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(rule).toBeVisible();
  });

  await test.step('sees who gets what, saves, and finds the flag among the uses', async () => {
    const id = page.getByRole('textbox', { name: 'Value of id' });
    await id.fill('bob');
    await expect(rule).toContainText('decides');
    await id.fill('cyd');
    await expect(rule).not.toContainText('decides');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${key} saved`)).toBeVisible();
    await go('Segments');
    await page.getByRole('searchbox').fill(name);
    await expect(page.getByRole('row', { name })).toContainText('1 flag');
    await page.getByRole('row', { name }).getByRole('link').click();
    await expect(page.getByRole('link', { name: key })).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toContainText('cannot be deleted while these use it');
  });
});
