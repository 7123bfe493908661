import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, signInQuickly, test, watchConsole } from './fixtures.ts';
import { copyRepository, followDocument } from './follow-document.ts';
import { claimed, operator, startInstallation } from './installation.ts';

const root = join(import.meta.dirname, '..');
const runFile = promisify(execFile);
const tsc = 'node_modules/typescript/bin/tsc';
const vitest = 'node_modules/vitest/vitest.mjs';
/** What a new capability has a part in. */
const existing = [
  'web/src/app/catalogue.test.ts',
  'web/src/app/navigation/navigation.test.ts',
  'dev/features.test.ts',
  'features/erasure/server/erasure.test.ts',
];

test('API-1 LOOK-3 RIGHT-5 AUD-1: the document that adds a capability, followed to the letter, adds one that works', async ({
  browser,
}) => {
  // Types, tests and a build of the web take long on a busy machine.
  test.setTimeout(600_000);
  const copy = mkdtempSync(join(tmpdir(), 'portico-capability-'));
  try {
    copyRepository(root, copy, existing);
    const { made, changed } = followDocument(
      readFileSync(join(root, 'docs/add-a-capability.md'), 'utf8'),
      copy,
    );
    const lists = ['contract', 'server', 'web'].map((side) => `${side}/src/features.ts`);
    expect(changed.toSorted()).toEqual(lists);
    expect(made).toContain('features/links/contract/links.ts');
    const node = async (args: string[], env: Record<string, string> = {}) => {
      const options = { cwd: copy, env: { ...process.env, ...env } };
      await runFile(process.execPath, args, options).catch((error: unknown) => {
        const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${args.join(' ')} fails:\n${stdout}${stderr}`, { cause: error });
      });
    };
    // A reader who forgets the lists is told each of them.
    const followed = lists.map((list) => [join(copy, list), readFileSync(join(copy, list))] as const);
    for (const list of lists) cpSync(join(root, list), join(copy, list));
    const complaints = await node([vitest, 'run', 'dev/features.test.ts']).then(() => '', String);
    for (const list of lists) expect(complaints).toContain(`${list} does not have an import of`);
    for (const [list, text] of followed) writeFileSync(list, text);
    // The document changes the application alone: its other pages are those that are built here already.
    cpSync(join(root, 'web/dist'), join(copy, 'web/dist'), { recursive: true });
    const how = '{ emptyOutDir: false, minify: false, sourcemap: false }';
    const build = `import('vite').then((vite) => vite.build({ root: 'web', build: ${how} }))`;
    await Promise.all([
      ...['server', 'web'].map((part) => node([tsc, '--singleThreaded', '--project', part])),
      node(['-e', build], { NODE_ENV: 'development' }),
      node(['dev/imports.ts']),
    ]);
    const report = join(copy, 'tests.json');
    // Of the erasure, what the new table has a part in; of the screens, the new ones.
    const others = '(?:erasing a person|the screen /(?!(?:manage-)?links ))';
    const names = ['-t', `^(?!.*${others})|leaves the person in no column.*to keep`];
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    await node(
      [vitest, 'run', '--maxWorkers=1', 'features/links/server', ...existing, ...names, ...reporters],
      {
        TEST_ENGINE: 'sqlite',
      },
    );
    // A name that no test has any more would pass, too.
    const ran = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { title: string; status: string }[] }[];
    };
    const passed = ran.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed')
      .map(({ title }) => title);
    for (const part of [
      'reach every member',
      'leaves the person in no column',
      'LOOK-3',
      'the screen /manage-links',
    ])
      expect(
        passed.filter((title) => title.includes(part)),
        part,
      ).not.toEqual([]);

    const installation = await startInstallation(claimed, copy);
    try {
      const open = async (path: string) => {
        const context = await browser.newContext();
        const errors = watchConsole(context);
        const page = await context.newPage();
        await signInQuickly(page, installation.url, operator);
        await page.goto(installation.url + path);
        return { page, errors };
      };
      const [reader, writer] = [await open('/links'), await open('/manage-links')];
      await expect(reader.page.getByRole('heading', { name: 'No links yet' })).toBeVisible();
      await writer.page.getByRole('button', { name: 'Add a link' }).click();
      const dialog = writer.page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Handbook');
      await dialog.getByLabel('Address').fill('http://handbook.example.org');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(dialog.getByRole('alert')).toContainText('an address that begins with https://');
      await dialog.getByLabel('Address').fill('https://handbook.example.org');
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(writer.page.getByRole('row', { name: /Handbook/ })).toBeVisible();
      // The other browser loads the list again.
      const link = reader.page.getByRole('link', { name: 'Handbook' });
      await expect(link).toHaveAttribute('href', 'https://handbook.example.org');
      await writer.page.getByRole('button', { name: 'Remove' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await expect(link).toHaveCount(0);
      await writer.page.goto(`${installation.url}/audit`);
      await expect(writer.page.getByText('removed the link “Handbook”').first()).toBeVisible();
      expect([...reader.errors, ...writer.errors]).toEqual([]);
      for (const { page } of [reader, writer]) await page.context().close();
    } finally {
      await installation.stop();
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
