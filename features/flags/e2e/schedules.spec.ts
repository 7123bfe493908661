import { expectAccessible } from '#e2e/accessible.ts';
import { dateField, expect, fillDate, test } from '#e2e/fixtures.ts';

test('FLAG-15: a rollout to a company begins on a Monday and grows, as its sentence says', async ({
  api,
  signIn,
}) => {
  const { key } = await api.createFlag(`RAMP_${Date.now()}`, { defaultValue: false, enabled: false });
  const page = await signIn('operator', { at: `/flags/${key}` });
  const rule = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move rule/ }) });

  await test.step('builds 20 % of a company from Monday, then 100 %', async () => {
    await page.getByRole('button', { name: 'Add a rollout' }).click();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await rule.getByRole('combobox', { name: 'Attribute' }).click();
    await page.keyboard.type('company');
    await page.getByLabel('Value: add').fill('ACME,');
    await page.getByRole('button', { name: 'Let it grow in steps' }).click();
    await fillDate(dateField(page, 'From'), '2035-01-01T09:00');
    await expect(rule).toContainText(
      /If company is ACME: 20% of these people, by id, from Monday,? 1 January 2035 at 09:00 \(.*\), then 1 day later 100%/,
    );
  });

  await test.step('changes the steps, and reads where a step does not grow', async () => {
    await page.getByRole('button', { name: 'Add a step' }).click();
    const second = page.getByRole('textbox', { name: 'Step 2, percent' });
    await second.fill('10');
    await expect(rule).toContainText('must grow');
    await second.fill('50');
    await page.getByRole('combobox', { name: 'Step 2, unit of time' }).selectOption('hours');
    await page.getByRole('textbox', { name: 'Step 2 lasts' }).fill('6');
    await expect(rule).toContainText('then 1 day later 50%, 6 hours later 100%');
    await expect(rule).not.toContainText('must grow');
    await expectAccessible(page, 'a ramp that is being edited');
  });

  await test.step('is told by a trial and after the save that it has not begun, and tries it at its time', async () => {
    await page.getByRole('textbox', { name: 'Value of id' }).fill('somebody');
    await expect(page.getByText('not at this time')).toBeVisible();
    const time = page.getByRole('combobox', { name: 'Time', exact: true });
    await expect(time.getByRole('option')).toHaveText([
      'Now',
      ...Array.from({ length: 3 }, () => /^[^·]*2035[^·]* · Rule 1$/),
    ]);
    await time.selectOption({ index: 1 });
    await expect(page.getByText('not at this time')).toHaveCount(0);
    await time.selectOption('Now');
    await expect(page.getByText('not at this time')).toBeVisible();
    await page.getByRole('button', { name: 'Add an attribute' }).click();
    const madeUp = page.getByRole('group', { name: 'Made-up attributes' });
    await expect(madeUp.getByRole('combobox').last()).toHaveValue('company');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${key} saved`)).toBeVisible();
    await page.reload();
    await expect(rule).toContainText('then 1 day later 50%, 6 hours later 100%');
  });

  await test.step('begins it an hour ago, pauses, resumes and ends it by keyboard, and finds that in the history', async () => {
    await rule.getByRole('button', { name: 'Edit' }).click();
    await fillDate(dateField(page, 'From'), new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(rule).toContainText('At 20% now, 50% on');
    // The answer to the press before it may come after the change itself.
    const press = async (name: RegExp) => {
      await expect(rule.getByRole('button', { name })).toBeEnabled();
      await rule.getByRole('button', { name }).press('Enter');
    };
    await press(/^Pause the ramp/);
    await expect(rule).toContainText('Paused at 20%');
    await press(/^Resume the ramp/);
    await expect(rule).toContainText('At 20% now, 50% on');
    await press(/^End the ramp/);
    await expect(rule).toContainText('At 100%, the last step');
    await page.getByRole('tab', { name: 'History' }).click();
    for (const change of ['paused at 20%', 'resumed at 20%', 'ended, 100%'])
      await expect(page.getByRole('tabpanel')).toContainText(`Rule 1: ${change}`);
  });
});

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
