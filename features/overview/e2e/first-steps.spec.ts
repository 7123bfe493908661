import { expect, withOwnInstallation } from '#e2e/fixtures.ts';

const test = withOwnInstallation();

test('CON-5: the first steps lead to what a new installation lacks, tick themselves, are hidden for good and found in the palette', async ({
  api,
  signIn,
  installation: { url },
}) => {
  const page = await signIn('operator', { at: '/console' });
  const list = page.getByRole('region', { name: 'First steps' });
  const step = (name: string) => list.getByRole('listitem').filter({ hasText: name });
  await expect(list).toContainText('0 of 7');

  await step('Invite a person').getByRole('link', { name: 'Invite' }).click();
  await expect(page.getByRole('dialog', { name: 'Invite a person' })).toBeVisible();
  await page.goto(`${url}/console`);
  await api.createFlag('FIRST');
  await expect(step('Create a flag')).toContainText('Done:');
  await expect(step('Create a flag').getByRole('link')).toHaveCount(0);
  await expect(list).toContainText('1 of 7');

  await list.getByRole('button', { name: 'Hide' }).click();
  await expect(list).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Needs attention' })).toBeVisible();
  await expect(list).toHaveCount(0);
  // The keys come after the page.
  await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('First steps');
  await page
    .getByRole('option', { name: /First steps/ })
    .first()
    .click();
  await expect(step('Make it yours')).toContainText('To do:');
});
