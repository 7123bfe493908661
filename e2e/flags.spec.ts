import { expectAccessible } from './accessible.ts';
import { expect, test } from './fixtures.ts';

test('FLAG-3 FLAG-8: a flag is created, found, edited, switched and deleted on its screen', async ({
  signIn,
}) => {
  const key = `JOURNEY_${Date.now()}`;
  const page = await signIn('operator');
  await page.getByRole('link', { name: 'Flags' }).first().click();

  await test.step('creates one, after its mistakes are pointed out', async () => {
    await page.getByRole('button', { name: 'New flag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Key').fill('has spaces');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(dialog.getByRole('alert')).toContainText('letters, digits');
    await dialog.getByLabel('Key').fill(key);
    await dialog.getByLabel('Description').fill('made on a journey');
    await dialog
      .getByLabel('Rules')
      .fill('[{"condition": {"roles": {"$elemMatch": {"$wrong": 1}}}, "force": true}]');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(dialog.getByRole('alert')).toContainText('/0/condition');
    await dialog
      .getByLabel('Rules')
      .fill('[{"condition": {"roles": {"$elemMatch": {"$eq": "operator"}}}, "force": true}]');
    await dialog.getByRole('button', { name: 'Create flag' }).click();
    await expect(dialog).toHaveCount(0);
  });

  await test.step('finds it; the search is in the address', async () => {
    await page.getByRole('searchbox').fill('journey');
    await expect(page).toHaveURL(/search=journey/);
    await expect(page.getByRole('row', { name: new RegExp(key) })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('searchbox')).toHaveValue('journey');
  });

  await test.step('turns it on after one question', async () => {
    const row = page.getByRole('row', { name: new RegExp(key) });
    await row.getByRole('switch').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn it on' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(row.getByRole('switch')).toBeChecked();
  });

  await test.step('edits its value', async () => {
    await page.getByRole('button', { name: new RegExp(key) }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type').selectOption('json');
    await dialog.getByLabel('Value for everyone else').fill('{"limit": 3}');
    await dialog.getByLabel('Rules').fill('[]');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Change the type' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('row', { name: new RegExp(key) })).toContainText('"limit": 3');
  });

  await test.step('deletes it after one question', async () => {
    await page.getByRole('button', { name: new RegExp(key) }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete flag' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(2);
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete flag' }).click();
    await expect(page.getByRole('row', { name: new RegExp(key) })).toHaveCount(0);
  });
});

test('FLAG-3: what depends on a flag is named before it is turned off, gets another type, or is deleted', async ({
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

  await test.step('another type: the conditions and the right are named; Escape goes back to the form', async () => {
    await row.getByRole('button', { name: new RegExp(parent) }).click();
    await dialog.getByLabel('Type').selectOption('string');
    await dialog.getByLabel('Value for everyone else').fill('yes');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    const question = dialog.last();
    await expect(question).toContainText(`Change the type of ${parent}?`);
    await expect(question).toContainText(`${child}, rule 1, asks for: {"value":true}`);
    await expect(question).toContainText(`Nobody has the right FF_${parent} any more`);
    await expect(question).toContainText(/connected with Portico itself/);
    await expectAccessible(page, 'another type', question);
    await expect(question.getByRole('button', { name: 'Keep the type' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(1);
    await expect(dialog.getByLabel('Value for everyone else')).toHaveValue('yes');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await question.getByRole('button', { name: 'Change the type' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row).toContainText('yes');
  });

  await test.step('a flag that came to depend on it while it was asked is named before it counts', async () => {
    await row.getByRole('switch').click();
    await expect(dialog).toContainText('2 flags');
    const late = `LATE_${at}`;
    await api.createFlag(late, { rules: asks(parent) });
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog.getByRole('alert')).toContainText('nothing was changed');
    await expect(dialog).toContainText(`3 flags that are on depend on it and change with it:`);
    await expect(dialog).toContainText(late);
    await dialog.getByRole('button', { name: 'Turn it off' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(row.getByRole('switch')).not.toBeChecked();
  });

  await test.step('deleting it is not offered while rules use it', async () => {
    await row.getByRole('button', { name: new RegExp(parent) }).click();
    await dialog.getByRole('button', { name: 'Delete flag' }).click();
    const question = dialog.last();
    await expect(question).toContainText(
      `It cannot be deleted while the rules of 2 flags ask for it: ${child} and`,
    );
    await expect(question.getByRole('button', { name: 'Delete flag' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(1);
    await page.keyboard.press('Escape');
  });
});

test('FLAG-3: warnings about what is evaluated otherwise than it reads are shown after saving, and beside the flag', async ({
  api,
  signIn,
}) => {
  const { key } = await api.createFlag(`ODD_${Date.now()}`);
  const page = await signIn('operator', { at: `/flags?flag=${key}` });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Rules').fill('[{"conditon": {"id": "x"}, "force": true}]');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('A part of it is not evaluated as it reads.')).toBeVisible();
  await page.getByRole('button', { name: new RegExp(key) }).click();
  await expect(dialog).toContainText('At /0/conditon: is not known here');
  await expectAccessible(page, 'warnings of a flag', dialog);
});

test('FLAG-4: of two people who change one flag the second sees a conflict or its end, and nothing is lost', async ({
  api,
  signIn,
}) => {
  const { key } = await api.createFlag(`SHARED_${Date.now()}`);
  const page = await signIn('operator', { at: `/flags?flag=${key}` });
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Description').fill('mine');
  await api.switchFlag(key, false);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Somebody else changed this flag');
  await expect(dialog.getByLabel('Description')).toHaveValue('mine');
  await dialog.getByRole('button', { name: 'Keep what I typed' }).click();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);

  await test.step('one that is deleted meanwhile stays open with what was typed, and asks once before it closes', async () => {
    await page.getByRole('button', { name: new RegExp(key) }).click();
    await dialog.getByLabel('Description').fill('still mine');
    await api.deleteFlag(key);
    await expect(async () => {
      // As a page returns from the background: a list that is no longer fresh is loaded again.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
      await expect(dialog.getByRole('alert')).toContainText('Somebody else deleted or revoked this', {
        timeout: 500,
      });
    }).toPass({ timeout: 15_000 });
    await expect(dialog.getByLabel('Description')).toHaveValue('still mine');
    await expect(dialog.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await expect(page.getByRole('row', { name: new RegExp(key) })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toHaveCount(0);
  });
});

test('FLAG-8 MAINT-2: ten tabs of one browser work over HTTP/1.1, and each follows at once', async ({
  api,
  signIn,
  installation,
}) => {
  const page = await signIn(await api.person('Tabea', ['member']));
  const tabs = [page];
  for (let count = 1; count < 10; count += 1) {
    const tab = await page.context().newPage();
    await tab.goto(installation.url);
    await expect(tab.getByRole('heading', { level: 1 })).toContainText('Tabea');
    tabs.push(tab);
  }
  await api.setMaintenance({ text: 'Ten tabs, one stream.', severity: 'INFO' });
  for (const tab of tabs) await expect(tab.getByText('Ten tabs, one stream.').first()).toBeVisible();

  await test.step('the tab that holds the stream closes, and the others go on', async () => {
    await page.close();
    await tabs[1]?.bringToFront();
    await api.setMaintenance({ text: 'And one is gone.', severity: 'INFO' });
    for (const tab of tabs.slice(1)) await expect(tab.getByText('And one is gone.').first()).toBeVisible();
  });
});
