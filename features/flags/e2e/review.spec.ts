import { expectAccessible } from '#e2e/accessible.ts';
import { expect, withOwnInstallation } from '#e2e/fixtures.ts';

/** Reviews are switched on for everyone. */
const test = withOwnInstallation();

test('FLAG-22: a change is proposed, sent back, approved by another person and published', async ({
  api,
  signIn,
}) => {
  await api.createFlag('MAP', { enabled: true });
  await api.createFlag('BETA', { enabled: false });
  const ben = await api.person('Ben', ['operator']);
  const page = await signIn('operator', { at: '/settings/flags' });
  const dialog = page.getByRole('dialog');
  const proposed = page.getByRole('region', { name: 'Proposed change' });

  await test.step('switches reviews on', async () => {
    await page.getByRole('checkbox', { name: /^Changes need a review/ }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  });

  const propose = async (note: string, noted = '') => {
    await page.getByRole('button', { name: 'Propose change…' }).click();
    await expect(dialog).toContainText('another person approves it first');
    await expect(dialog.getByRole('textbox', { name: 'What is it for?' })).toHaveValue(noted);
    await dialog.getByRole('textbox', { name: 'What is it for?' }).fill(note);
    await expectAccessible(page, 'a change that is proposed', dialog);
    await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
    await expect(dialog).toBeHidden();
    // The notification of the previous proposal may still be shown.
    await expect(page.getByText('The change of MAP waits for a review').last()).toBeVisible();
  };

  await test.step('proposes a rollout', async () => {
    await page.goto(new URL('/flags/MAP', page.url()).href);
    await page.getByRole('button', { name: 'Add a rollout' }).click();
    await propose('For the pilots');
    await expect(proposed).toContainText('Waits for a review');
    await expect(proposed).toContainText(/Rule 1 added: .*; another person reviews it\./s);
    await expect(proposed.getByRole('button', { name: 'Approve' })).toBeHidden();
  });

  const reviewer = await signIn(ben, { at: '/flags' });
  const waiting = reviewer.getByRole('region', { name: 'Proposed change' });

  await test.step('sends it back with a reason', async () => {
    await reviewer.getByRole('link', { name: 'MAP Change waits' }).click();
    await expectAccessible(reviewer, 'a proposed change');
    await waiting.getByRole('button', { name: 'Ask for changes' }).click();
    const asked = reviewer.getByRole('dialog');
    await asked.getByRole('textbox', { name: 'What should be different?' }).fill('Begin with fewer people.');
    await asked.getByRole('button', { name: 'Ask for changes' }).click();
    await expect(waiting).toContainText('Begin with fewer people.');
  });

  await test.step('proposes it again, and cannot publish it before it is approved', async () => {
    await expect(proposed).toContainText('Begin with fewer people.');
    await proposed.getByRole('button', { name: 'Open in the form' }).click();
    await page.getByRole('slider').fill('5');
    await page.getByRole('button', { name: 'Add a note' }).press('Enter');
    await page.keyboard.type('For 5 %');
    await propose('For 5 % of the pilots', 'For 5 %');
    await expect(proposed).toContainText('5%');
    await expect(proposed.getByRole('button', { name: 'Publish' })).toBeHidden();
  });

  await test.step('approves it by keyboard, and it is published', async () => {
    // The proposal before can be approved still, until this one is there.
    await expect(waiting).toContainText('For 5 % of the pilots');
    await waiting.getByRole('button', { name: 'Approve' }).press('Enter');
    await expect(waiting).toContainText('approved it on');
    await proposed.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('The change of MAP is published')).toBeVisible();
    await expect(proposed).toBeHidden();
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('tabpanel')).toContainText(`approved by ${ben.email}`);
    await expect(page.getByRole('tabpanel')).toContainText('For 5 % of the pilots');
  });

  await test.step('turns a flag on without a review, for a reason', async () => {
    await page.getByRole('link', { name: 'Flags' }).first().click();
    await page.getByRole('switch', { name: 'BETA is on' }).click();
    await dialog.getByRole('textbox', { name: 'What is it for?' }).fill('The demo is now');
    await dialog.getByRole('button', { name: 'Publish without review' }).click();
    await expect(page.getByRole('switch', { name: 'BETA is on' })).toBeChecked();
    await page.goto(new URL('/flags/BETA?tab=history', page.url()).href);
    await expect(page.getByRole('tabpanel')).toContainText(/Without review.*The demo is now/s);
  });
});
