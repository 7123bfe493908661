import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('FLAG-15: a guard is put on a ramp, and what it took back is said and resumed', async ({
  signIn,
  api,
}) => {
  const key = `GUARDED_${Date.now()}`;
  const shop = `Shop ${Date.now()}`;
  const { id: project } = await api.addProject(shop);
  const ramp = { steps: [{ coverage: 0.2, minutes: 60 }, { coverage: 1 }] };
  const rule = {
    force: true,
    hashAttribute: 'id',
    schedule: { from: Date.now() - 7_200_000, zone: 'UTC' },
  };
  await api.createFlag(key, { enabled: true, rules: [{ ...rule, ramp }] });
  const page = await signIn('operator', { at: `/flags/${key}` });
  const card = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move rule/ }) });

  await test.step('puts a guard on the ramp, by keyboard', async () => {
    await card.getByRole('button', { name: 'Edit' }).press('Enter');
    await card.getByRole('button', { name: 'Step back when errors increase' }).press('Enter');
    const guard = page.getByRole('group', { name: 'Step back when errors increase' });
    await guard.getByRole('combobox', { name: 'Errors in' }).selectOption(shop);
    await guard.getByRole('textbox', { name: 'At least so many' }).fill('4');
    await expect(card).toContainText(
      `back one step if ${shop} has 4 errors within 30 minutes, 2 times as many as before`,
    );
    await expectAccessible(page, 'the guard of a ramp');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${key} saved`)).toBeVisible();
  });

  await test.step('reads that it was taken back, on the overview too, and resumes it', async () => {
    const guard = { project, events: 4, factor: 2, minutes: 30 };
    const at = Date.now() - 60_000;
    const held = { ...ramp, guard, anchor: { step: 0, since: at }, paused: at, held: 5 };
    await api.changeFlag(key, { rules: [{ ...rule, ramp: held }] });
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page
      .getByRole('listitem')
      .filter({ hasText: `A ramp of flag ${key} was taken back` })
      .getByRole('link')
      .click();
    await expect(card).toContainText('Taken back to 20% after 5 errors; waits for a person');
    await card.getByRole('button', { name: /^Resume the ramp/ }).press('Enter');
    await expect(card).toContainText('At 20% now, 100% on');
    await page.getByRole('tab', { name: 'History' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('Rule 1: resumed at 20%');
    await expect(page.getByRole('tabpanel')).toContainText(
      'Rule 1: taken back to 20%, since errors increased',
    );
  });
});
