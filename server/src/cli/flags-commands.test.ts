import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runInside } from '../testing/command-line.ts';

const flag = {
  key: 'checkout',
  type: 'boolean',
  description: 'The new */ one',
  defaultValue: false,
  enabled: true,
  forSignedOut: false,
  killSwitch: false,
  rules: [{ force: true, coverage: 0.2, hashAttribute: 'id' }],
  tags: [],
};
const document = { portico: 'flags', flags: [flag, { ...flag, key: 'old-flag', rules: [] }], segments: [] };

/** A folder with these files, and a command line whose data is in it. */
function open(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-flags-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries({ 'flags.json': JSON.stringify(document), ...files })) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const data = join(folder, 'data');
  const portico = (...args: string[]) => runInside(args, { DATA_DIR: data });
  return { folder, file: join(folder, 'flags.json'), portico };
}

const start = ['operator', 'create', '--email', 'ada@example.org', '--first-name', 'Ada', '--last-name', 'L'];

it('FLAG-17, CLI-1: an import is shown, then applied, and the export of it is the same', async () => {
  const { file, portico } = open({});
  expect(await portico(...start)).toMatchObject({ code: 0 });
  const shown = await portico('flags', 'import', file);
  expect(shown).toMatchObject({ code: 0, out: 'new\tcheckout\nnew\told-flag' });
  expect(shown.errors).toContain('Nothing was imported');
  expect(JSON.parse((await portico('flags', 'export')).out)).toMatchObject({ flags: [] });
  expect((await portico('flags', 'import', '--apply', file)).errors).toContain(
    '2 flags are new, 0 are changed.',
  );
  expect(JSON.parse((await portico('flags', 'export')).out)).toEqual(document);
  writeFileSync(
    file,
    JSON.stringify({ ...document, flags: [{ ...flag, enabled: false, defaultValue: true }] }),
  );
  expect((await portico('flags', 'import', file)).out).toBe('changed\tcheckout\tdefaultValue, enabled');
  writeFileSync(file, '{');
  expect(await portico('flags', 'import', file)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('is not JSON'),
  });
});

it('FLAG-17, CLI-1: types name each flag, and refs find uses, unused flags, and fail on unknown ones', async () => {
  const { folder, file, portico } = open({
    'src/a.ts': "const x = 'checkout';\nif (gb.isOn('checkout')) go('other');\n",
    'src/node_modules/b.ts': "gb.isOn('missing')",
    'src/c.bin': "\0gb.isOn('missing')",
    'bad/d.tsx': 'useFeatureIsOn(\'gone\');\nclient.getBooleanValue<boolean>("away", false)',
  });
  await portico(...start);
  await portico('flags', 'import', '--apply', file);
  expect((await portico('flags', 'types')).out).toBe(
    [
      '/** The flags, for `new GrowthBook<AppFeatures>()`. */',
      'export type AppFeatures = {',
      '  "MAINTENANCE": boolean;',
      '  "MAINTENANCE_TEXT": string;',
      String.raw`  /** The new *\/ one */`,
      '  "checkout": boolean;',
      String.raw`  /** The new *\/ one */`,
      '  "old-flag": boolean;',
      '};',
    ].join('\n'),
  );
  const found = await portico('flags', 'refs', join(folder, 'src'));
  expect(found).toMatchObject({ code: 0, out: 'a.ts:1\tcheckout\na.ts:2\tcheckout' });
  expect(found.errors).toContain('1 of 2 flags are not named: old-flag.');
  const bad = await portico('flags', 'refs', join(folder, 'bad'));
  expect(bad).toMatchObject({ code: 1, out: 'd.tsx:1\tgone\nd.tsx:2\taway' });
  expect(bad.errors).toContain('d.tsx:1 asks for gone, which is no flag.');
});
