import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('FLAG-17: a document is chosen, its differences are read in words, and it is imported', async ({
  signIn,
}) => {
  const stamp = Date.now();
  const [key, other] = [`IMPORTED_${stamp}`, `LEFT_OUT_${stamp}`];
  const page = await signIn('operator', { at: '/flags' });
  const dialog = page.getByRole('dialog');
  const flag = (defaultValue: string) => ({
    key,
    type: 'string',
    description: '',
    defaultValue,
    enabled: true,
    forSignedOut: false,
    killSwitch: false,
    rules: [],
    tags: [],
  });
  const bad = {
    ...flag('x'),
    key: other,
    rules: [{ condition: { id: { $inGroup: 'grp_missing' } }, force: 'y' }],
  };
  const file = (flags: object[]) => ({
    name: 'flags.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ portico: 'flags', flags, segments: [] })),
  });
  const open = page.getByRole('button', { name: 'Import and export' });

  await test.step('says what does not come in, and imports the rest', async () => {
    await open.click();
    await dialog.getByRole('textbox', { name: 'Or paste JSON' }).fill('{');
    await dialog.getByRole('button', { name: 'Show what changes' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('This is no JSON.');
    await dialog.getByLabel('Choose a file').setInputFiles(file([flag('old'), bad]));
    await expect(dialog.getByRole('status')).toContainText('1 new, 0 changed, 0 the same.');
    await expect(dialog.getByRole('listitem').filter({ hasText: other })).toContainText(
      'does not pass the checks',
    );
    await expectAccessible(page, 'the preview of an import');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(dialog.getByRole('status')).toHaveText('Imported: 1 new, 0 changed.');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect(page.getByRole('row').filter({ hasText: key })).toBeVisible();
  });

  await test.step('shows a change in words, and saves all flags as a file', async () => {
    await open.click();
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export all flags' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^portico-flags-.*\.json$/);
    await dialog.getByLabel('Choose a file').setInputFiles(file([flag('new')]));
    await expect(dialog.getByRole('listitem').filter({ hasText: key })).toContainText('old');
    await expect(dialog.getByRole('listitem').filter({ hasText: key })).toContainText('new');
  });

  await test.step('of a large import shows 100 flags, those that change first', async () => {
    const many = Array.from({ length: 120 }, (_, at) => ({ ...flag('a'), key: `NEW_${at}` }));
    await dialog.getByRole('button', { name: 'Choose another' }).click();
    await dialog.getByLabel('Choose a file').setInputFiles(file([...many, flag('new')]));
    const rows = dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem');
    await expect(rows).toHaveCount(101);
    await expect(rows.first()).toContainText(key);
    await expect(rows.last()).toHaveText('21 more');
  });
});
