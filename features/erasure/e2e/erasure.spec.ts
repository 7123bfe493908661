import { readFileSync } from 'node:fs';
import { expectFits, expectNoViolations } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('BUG-10: a person downloads their data, is erased, and is signed out everywhere', async ({
  api,
  signIn,
}) => {
  const ada = await api.person('Adalgunde', ['member']);
  const member = await signIn(ada, { at: '/profile' });
  const operator = await signIn('operator', { at: `/people/${ada.id}/data` });
  const dialog = operator.getByRole('dialog');

  await test.step('downloads what is stored about them', async () => {
    const downloading = member.waitForEvent('download');
    await member.getByRole('button', { name: 'Download my data' }).click();
    const zip = readFileSync(await (await downloading).path());
    expect(zip.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
    expect(zip.toString('utf8')).toContain(ada.email);
    await expect(member.getByText('The data has been downloaded')).toBeVisible();
  });

  await test.step('the operator reads what is removed and what stays, and mistypes', async () => {
    await expect(operator.getByText(ada.email)).toBeVisible();
    await operator.getByRole('button', { name: 'Erase this person…' }).click();
    await expect(dialog.getByRole('heading', { name: 'What is kept' })).toBeVisible();
    await dialog.getByLabel(/^To confirm, type/).fill('somebody@example.org');
    await operator.keyboard.press('Enter');
    await expect(dialog.getByRole('alert')).toContainText('Nothing was erased');
    await expectNoViolations(operator, 'erasing', { within: 'dialog' });
    await expectFits(operator, 'erasing', 320);
  });

  await test.step('the member is signed out everywhere', async () => {
    await dialog.getByLabel(/^To confirm, type/).fill(ada.email.toUpperCase());
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    await expect(
      operator.getByText(/^What they did is shown as done by “erased person [0-9a-f]{6}”/),
    ).toBeVisible();
    await expect(operator).toHaveURL(/\/people$/);
    await expect(member.getByRole('button', { name: 'Download my data' })).toHaveCount(0);
    await expect(member.getByRole('heading', { name: 'Your account has been erased' })).toBeVisible();
  });

  await test.step('how long reports are stored is shown with them, and changed', async () => {
    await operator.goto('/reports');
    await expect(operator.getByText('Reports are kept until somebody deletes them.')).toBeVisible();
    await operator.getByRole('link', { name: 'Change', exact: true }).click();
    await operator.getByRole('checkbox', { name: 'Delete old reports' }).check();
    await operator.getByLabel('Days').fill('1.5');
    await operator.keyboard.press('Enter');
    await expect(operator.getByRole('alert')).toContainText('Type a whole number');
    await operator.getByLabel('Days').fill('365');
    const retention = operator.getByRole('region', { name: 'Data retention' });
    await retention.getByRole('button', { name: 'Save' }).click();
    await expect(operator.getByText('Saved', { exact: true })).toBeVisible();
    await operator.goto('/reports');
    await expect(operator.getByText('Reports are kept for 365 days.')).toBeVisible();
  });
});
