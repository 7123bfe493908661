import { expectAccessible } from '#e2e/accessible.ts';
import { expect, restingBox, test } from '#e2e/fixtures.ts';

test('FLAG-3 FLAG-8 FLAG-10 FLAG-11 FLAG-14 FLAG-19: a flag is created, given rules on its page, tried, ordered, saved, found, archived and taken back', async ({
  signIn,
}) => {
  const key = `JOURNEY_${Date.now()}`;
  const page = await signIn('operator', { at: '/flags' });
  const dialog = page.getByRole('dialog');
  const rules = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Move rule/ }) });

  await test.step('creates one, and is led to its page', async () => {
    await page.getByRole('button', { name: 'New flag' }).first().click();
    await dialog.getByRole('textbox', { name: /^Key/ }).fill(key);
    await dialog.getByLabel('Description').fill('made on a journey');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(page).toHaveURL(new RegExp(`/flags/${key}$`));
    await expect(page.getByRole('heading', { level: 1, name: key })).toBeVisible();
  });

  await test.step('turns it on at once; a notification below the actions and z undo it, and a kill switch asks first', async () => {
    const flagSwitch = page.getByRole('switch');
    const undone = page.getByRole('status').filter({ hasText: 'Undone' });
    await flagSwitch.click();
    await expect(flagSwitch).toBeChecked();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    const actions = await page.locator('.screen-actions').boundingBox();
    expect((await undo.boundingBox())?.y).toBeGreaterThan((actions?.y ?? 0) + (actions?.height ?? 0) + 24);
    await undo.click();
    await expect(undone).toBeVisible();
    await expect(flagSwitch).not.toBeChecked();
    await flagSwitch.click();
    await expect(flagSwitch).toBeChecked();
    await expect(undo).toBeVisible();
    await page.keyboard.press('z');
    await expect(undone).toBeVisible();
    await expect(flagSwitch).not.toBeChecked();
    await page.getByRole('tab', { name: 'Details' }).click();
    const kill = page.getByLabel('Kill switch');
    const save = async () => {
      await kill.check();
      await page.getByRole('button', { name: 'Save changes' }).click();
      await expect(page.getByRole('region', { name: 'Not saved yet.' })).toHaveCount(0);
    };
    await save();
    await undo.click();
    await expect(undone).toBeVisible();
    await expect(kill).not.toBeChecked();
    await save();
    await flagSwitch.click();
    await dialog.getByRole('button', { name: 'Turn it on' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(flagSwitch).toBeChecked();
    await page.getByRole('tab', { name: 'Rules' }).click();
  });

  await test.step('builds a condition and a rollout, which read as sentences', async () => {
    await page.getByRole('button', { name: 'Add a rule' }).click();
    const roles = page.getByRole('combobox', { name: 'Value: add' });
    await roles.fill('operator,');
    await roles.fill('sup');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(rules.nth(0)).toContainText('If roles is operator or support');
    await rules.nth(0).getByRole('button', { name: 'or', exact: true }).last().click();
    await rules.nth(0).getByRole('combobox', { name: 'Attribute' }).last().fill('emailDomain');
    await page.getByLabel('Value: add').last().fill('example.com');
    await page.keyboard.press('Enter');
    await expect(rules.nth(0)).toContainText('If roles is operator or support or emailDomain is example.com');
    await page.getByRole('button', { name: 'Add a rollout' }).click();
    await page.getByRole('slider', { name: 'Rollout' }).fill('45');
    await expect(rules.nth(1)).toContainText('45% of everyone, by id');
  });

  await test.step('sees before it saves what that does, and who gets what by which rule', async () => {
    const bar = page.getByRole('region', { name: 'Not saved yet.' });
    await expect(bar).toContainText(/\d+ of \d+ gets? true \(\+\d+\)/);
    await bar.getByRole('button', { name: 'Who?' }).click();
    await expect(page.getByRole('dialog', { name: 'Who?' })).toContainText('false → true');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Choose a person' }).click();
    await page.getByRole('combobox', { name: 'Name or email' }).fill('operator@example.org');
    // The list gets shorter when it has searched, and the option moves.
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
    await page.getByRole('listbox').getByRole('option', { name: 'operator@example.org' }).click();
    await expect(rules.nth(0)).toContainText('decides');
    await page.getByRole('button', { name: 'Use made-up attributes' }).click();
    await page.getByRole('textbox', { name: 'Value of id' }).fill('somebody');
    await expect(rules.nth(0)).not.toContainText('decides');
    await expect(page.getByText(/falls at/)).toBeVisible();
  });

  await test.step('orders the rules by keyboard and by drag', async () => {
    const handle = (at: number) => rules.nth(at).getByRole('button', { name: /^Move rule/ });
    await handle(1).focus();
    await page.keyboard.press('ArrowUp');
    await expect(rules.nth(0)).toContainText('45% of everyone');
    await expect(handle(0)).toBeFocused();
    await page.getByRole('button', { name: 'Close' }).first().click();
    // The page scrolls back when the rule is closed: the pointer goes down at once where the handle is found.
    await expect(page.getByRole('button', { name: 'Close' })).toHaveCount(0);
    const drag = async () => {
      await handle(0).hover();
      await page.mouse.down();
      const to = await restingBox(handle(1));
      await page.mouse.move(to.x + 8, to.y + to.height + 30, { steps: 4 });
    };
    await drag();
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await expect(rules.nth(0)).toContainText('45% of everyone');
    await drag();
    await page.mouse.up();
    await expect(rules.nth(1)).toContainText('45% of everyone');
  });

  await test.step('the JSON is the same, and a mistake in it is named where it stands', async () => {
    await page.getByRole('tab', { name: 'JSON' }).click();
    const json = page.getByLabel('Definition');
    await expect(json).toHaveValue(/"coverage": 0.45/);
    const text = await json.inputValue();
    await json.fill(text.replace('"$in"', '"$inGroup"'));
    await page.getByRole('tab', { name: 'Rules' }).click();
    await expect(rules.nth(0)).toContainText('must be the id of a segment');
    await expect(rules.nth(0)).toContainText('"$inGroup"');
    await page.getByRole('tab', { name: 'JSON' }).click();
    await json.fill(text.replace('"hashAttribute"', '"conditon": 1, "hashAttribute"'));
    await page.getByRole('tab', { name: 'Rules' }).click();
  });

  await test.step('saves, and is told what is evaluated otherwise than it reads', async () => {
    // It comes with the answer of a check, and moves the bar down.
    await expect(page.getByText('is not known here').first()).toBeVisible();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText(`${key} saved`)).toBeVisible();
    await expect(page.getByText('is not known here').first()).toBeVisible();
    await expect(page.getByRole('region', { name: 'Not saved yet.' })).toHaveCount(0);
    await expectAccessible(page, 'the page of a flag');
  });

  await test.step('reads what changed, and restores an earlier version after a look at what it does', async () => {
    await page.getByRole('tab', { name: 'History' }).click();
    const versions = page
      .getByRole('tabpanel')
      .getByRole('listitem')
      .filter({ hasText: /^Version/ });
    await expect(versions).toHaveCount(10);
    await expect(versions.nth(0)).toContainText('Rule 1 added: If roles is operator or support');
    await expect(versions.nth(1)).toContainText('Turned on');
    await expect(versions.nth(2)).toContainText('Kill switch: asks before');
    await expect(versions.nth(9)).toContainText('The first version on record.');
    await expectAccessible(page, 'the history of a flag');
    await page.getByLabel('Compared with').selectOption({ index: 1 });
    await expect(versions.nth(2)).toContainText('Turned off');
    await versions
      .nth(1)
      .getByRole('button', { name: /^Restore version/ })
      .click();
    await expect(page.getByText('Check what it does, then save it.')).toBeVisible();
    await expect(rules).toHaveCount(0);
    await page
      .getByRole('region', { name: 'Not saved yet.' })
      .getByRole('button', { name: 'Discard' })
      .click();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(rules).toHaveCount(2);
  });

  await test.step('finds it in the list with what it serves; the search is in the address', async () => {
    await page.getByRole('link', { name: 'Flags' }).first().click();
    await page.getByRole('searchbox').fill('journey');
    await expect(page).toHaveURL(/search=journey/);
    const row = page.getByRole('row', { name: new RegExp(key) });
    await expect(row).toContainText('2 rules → true, otherwise false');
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('journey');
    await row.getByRole('link', { name: new RegExp(key) }).click();
  });

  await test.step('archives it after one question, and takes it back', async () => {
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Description').fill('not to be saved');
    await page.getByRole('button', { name: 'Archive flag' }).click();
    await expect(dialog).toContainText('Your changes that are not saved are lost.');
    await dialog.getByRole('button', { name: 'Archive flag' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Flags' })).toBeVisible();
    const row = page.getByRole('row', { name: new RegExp(key) });
    await expect(row).toHaveCount(0);
    await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('Archived');
    await page.getByRole('button', { name: `Restore ${key}` }).click();
    await expect(page.getByText(`${key} is restored, and off`)).toBeVisible();
    await expect(row).toHaveCount(0);
    await page.getByRole('combobox', { name: 'On', exact: true }).selectOption('On and off');
    await expect(row).toBeVisible();
  });
});

test('FLAG-3: what depends on a flag is named before it is turned off, gets another type, or is archived', async ({
  api,
  signIn,
}) => {
  const at = Date.now();
  const [parent, child, grandchild] = [`PARENT_${at}`, `CHILD_${at}`, `GRANDCHILD_${at}`];
  await api.createFlag(parent);
  const asks = (id: string) => [{ parentConditions: [{ id, condition: { value: true }, gate: true }] }];
  await api.createFlag(child, { rules: asks(parent) });
  await api.createFlag(grandchild, { rules: asks(child) });
  const page = await signIn('operator', { at: `/flags?search=${at}` });
  const row = page.getByRole('row', { name: new RegExp(parent) }).filter({ hasNotText: child });
  const dialog = page.getByRole('dialog');

  await test.step('turning it off: the question names both, and Escape leaves all as it is', async () => {
    await row.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await expect(dialog).toContainText(
      `2 flags that are on depend on it and change with it: ${child} and ${grandchild}.`,
    );
    await expectAccessible(page, 'turning off a prerequisite', dialog);
    await expect(dialog.getByRole('button', { name: 'Turn it off' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(row.getByRole('switch')).toBeChecked();
    await expect(row.getByRole('switch')).toBeFocused();
  });

  await test.step('another type: the conditions and the right are named; Escape goes back to the page', async () => {
    await row.getByRole('link', { name: new RegExp(parent) }).click();
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByLabel('Type').selectOption('string');
    await page.getByRole('tab', { name: 'Rules' }).click();
    await page.getByLabel('Value for everyone else').fill('yes');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const question = dialog;
    await expect(question).toContainText(`Change the type of ${parent}?`);
    await expect(question).toContainText(`${child}, rule 1, asks for: {"value":true}`);
    await expect(question).toContainText(`Nobody has the right FF_${parent} any more`);
    // Its own pages are no clients that someone else has to change.
    await expect(question).not.toContainText('Portico itself');
    await expectAccessible(page, 'another type', question);
    await expect(question.getByRole('button', { name: 'Keep the type' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Value for everyone else')).toHaveValue('yes');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await question.getByRole('button', { name: 'Change the type' }).click();
    await expect(dialog).toHaveCount(0);
    await page.goBack();
    await expect(row).toContainText('yes for everyone');
  });

  await test.step('a flag that came to depend on it while it was asked is named before it counts', async () => {
    await row.getByRole('switch').click();
    await expect(dialog).toContainText('2 flags');
    const late = `LATE_${at}`;
    // Live changes come at once: what is known here stays as it was until the server is asked to act.
    const known = await api.read(`/v1/flags/${parent}`);
    let asked = false;
    await page.route(`**/v1/flags/${parent}*`, (route) =>
      asked ? route.continue() : route.fulfill({ json: known }),
    );
    page.on('request', (request) => {
      asked ||= request.url().endsWith('/enabled');
    });
    await api.createFlag(late, { rules: asks(parent) });
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog.getByRole('alert')).toContainText('nothing was changed');
    await expect(dialog).toContainText(`3 flags that are on depend on it and change with it:`);
    await expect(dialog).toContainText(late);
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row.getByRole('switch')).not.toBeChecked();
  });

  await test.step('archiving it is not offered while rules use it', async () => {
    await row.getByRole('link', { name: new RegExp(parent) }).click();
    await page.getByRole('button', { name: 'Archive flag' }).click();
    await expect(dialog).toContainText(
      `It cannot be archived while the rules of 2 flags ask for it: ${child} and`,
    );
    await expect(dialog.getByRole('button', { name: 'Archive flag' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });
});

test('FLAG-4: of two people who change one flag the second sees the change, a conflict or its end, and nothing is lost', async ({
  api,
  signIn,
}) => {
  const { key } = await api.createFlag(`SHARED_${Date.now()}`);
  const page = await signIn('operator', { at: `/flags/${key}?tab=details` });
  const description = page.getByLabel('Description');
  const bar = page.getByRole('region', { name: 'Not saved yet.' });

  await test.step('a switch by another operator shows at once, and what is typed stays and can be saved', async () => {
    await description.fill('mine');
    await api.switchFlag(key, false);
    await expect(page.getByRole('switch')).not.toBeChecked();
    await expect(description).toHaveValue('mine');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(bar).toHaveCount(0);
  });

  await test.step('the same change by both is no question', async () => {
    await description.fill('the same');
    await api.changeFlag(key, { description: 'the same' });
    await expect(bar).toHaveCount(0);
  });

  await test.step('a change of the same fields is a question: theirs, or what was typed', async () => {
    await description.fill('mine again');
    await api.changeFlag(key, { description: 'theirs' });
    await expect(bar.getByRole('alert')).toContainText('Somebody else changed this meanwhile');
    await expect(description).toHaveValue('mine again');
    await bar.getByRole('button', { name: 'Keep what I typed' }).click();
    await bar.getByRole('button', { name: 'Save changes' }).click();
    await expect(bar).toHaveCount(0);
    await expect(description).toHaveValue('mine again');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(description).toHaveValue('theirs');
  });

  await test.step('one that is archived stays with what was typed, and asks once before it is left', async () => {
    await description.fill('still mine');
    await api.deleteFlag(key);
    await expect(bar.getByRole('alert')).toContainText('Somebody else deleted or revoked this');
    await expect(description).toHaveValue('still mine');
    await expect(bar.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await page.getByRole('link', { name: 'Flags' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page.getByRole('row', { name: new RegExp(key) })).toHaveCount(0);
  });
});

test('FLAG-8 MAINT-2: more tabs than a browser has connections over HTTP/1.1 work, and each follows at once', async ({
  api,
  signIn,
}) => {
  const page = await signIn(await api.person('Tabea', ['member']));
  const tabs = [page];
  for (let count = 1; count < 7; count += 1) {
    const tab = await page.context().newPage();
    await tab.goto('/');
    await expect(tab.getByRole('heading', { level: 1 })).toContainText('Tabea');
    tabs.push(tab);
  }
  await api.setMaintenance({ text: 'Seven tabs, one stream.', severity: 'INFO' });
  for (const tab of tabs) await expect(tab.getByText('Seven tabs, one stream.').first()).toBeVisible();
});
