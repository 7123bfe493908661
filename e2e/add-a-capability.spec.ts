import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, signInQuickly, test, watchConsole } from './fixtures.ts';
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
    // A reader who forgets a manifest is told its list; without a right or an action of the contract nothing compiles.
    const manifests = lists.slice(1);
    const followed = manifests.map((list) => [join(copy, list), readFileSync(join(copy, list))] as const);
    for (const list of manifests) cpSync(join(root, list), join(copy, list));
    const complaints = await node([vitest, 'run', 'dev/features.test.ts']).then(() => '', String);
    for (const list of manifests) expect(complaints).toContain(`${list} does not have an import of`);
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

/** A fenced block of a document: a whole new file, or lines (`+`) next to lines that are there. */
type Block = { path: string; kind: 'file' | 'change'; text: string };

/**
 * Copies the working tree, as git knows it, to a folder with the packages that are installed here. Of the tests, it
 * copies only `tests`, which are run there.
 */
function copyRepository(root: string, to: string, tests: readonly string[]): void {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const isCopied = (name: string) =>
    existsSync(join(root, name)) && (!/\.(?:test|spec)\.tsx?$/.test(name) || tests.includes(name));
  for (const file of listed.split('\0').filter((name) => name !== '' && isCopied(name)))
    cpSync(join(root, file), join(to, file));
  const modules = join(to, 'node_modules');
  mkdirSync(modules);
  // Links each package, not node_modules itself, in which builds and runners write to `.cache` and the like.
  for (const name of readdirSync(join(root, 'node_modules')).filter((each) => /^(?!\.)|^\.bin$/.test(each)))
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

/**
 * Follows a document block by block, as a reader would who copies each to its place. Answers the files it
 * made and changed.
 */
function followDocument(document: string, root: string): { made: string[]; changed: string[] } {
  const made = new Set<string>();
  const changed = new Set<string>();
  for (const { path, kind, text } of blocksOf(document)) {
    const file = join(root, path);
    if (kind === 'file') {
      if (existsSync(file)) throw new Error(`${path} is there already.`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      made.add(path);
    } else {
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, changedText(path, before, text));
      changed.add(path);
    }
  }
  return { made: [...made], changed: [...changed] };
}

function blocksOf(document: string): Block[] {
  return [...document.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].map(
    ([, language, path = '', text = '']) => ({
      path,
      kind: language === 'diff' ? 'change' : 'file',
      text,
    }),
  );
}

function changedText(path: string, before: string, change: string): string {
  const lines = change.trimEnd().split('\n');
  const known = lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
  const after = lines.map((line) => line.slice(1));
  const [head, ...rest] = before.split(`${known.join('\n')}\n`);
  if (head === undefined || rest.length !== 1)
    throw new Error(`These lines stand ${rest.length} times in ${path}, not once:\n${known.join('\n')}`);
  return `${head}${after.join('\n')}\n${rest.join('')}`;
}
