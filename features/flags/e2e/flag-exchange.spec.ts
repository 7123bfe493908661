import { expectAccessible } from '#e2e/accessible.ts';
import { expect, test } from '#e2e/fixtures.ts';

test('FLAG-17: a document is chosen, its differences are read in words, and it is imported', async ({
  signIn,
}) => {
  const stamp = Date.now();
  const [key, other] = [`IMPORTED_${stamp}`, `LEFT_OUT_${stamp}`];
  const page = await signIn('operator');
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
  await page.getByRole('link', { name: 'Flags' }).first().click();
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
    await expect(dialog.getByRole('status')).toHaveText('Imported: 1 new flags, 0 changed.');
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
});

test('FLAG-17: the preview of a large import shows 100 flags, those that change first', async ({
  signIn,
  api,
}) => {
  await api.createFlag('ZEBRA');
  const flag = {
    type: 'string',
    description: '',
    defaultValue: 'a',
    enabled: true,
    forSignedOut: false,
    killSwitch: false,
    rules: [],
    tags: [],
  };
  const flags = [
    ...Array.from({ length: 120 }, (_, at) => ({ ...flag, key: `NEW_${at}` })),
    { ...flag, key: 'ZEBRA' },
  ];
  const page = await signIn('operator');
  await page.goto('/flags');
  await page.getByRole('button', { name: 'Import and export' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(JSON.stringify({ portico: 'flags', flags, segments: [] }));
  await dialog.getByRole('button', { name: 'Show what changes' }).click();
  const rows = dialog.getByRole('list', { name: 'What changes' }).getByRole('listitem');
  await expect(rows).toHaveCount(101);
  await expect(rows.first()).toContainText('ZEBRA');
  await expect(rows.last()).toHaveText('21 more');
});
