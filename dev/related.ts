// Finds the unit tests that belong to a change, for `npm test -- --related`.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, posix, resolve, sep } from 'node:path';

/** The most test files of one run, so that it takes about a minute. */
const mostFiles = 12;
/** What a test names that checks every declaration of a kind, and the changed files of this kind. */
const surveys = [
  ['contract-routes.ts', /(?:^|\/)contract\/|\.routes\.ts$|\/feature\.ts$|^server\/src\/app\.ts$/],
  ['personal-data.ts', /\.store\.ts$|\/schema\.ts$|\/migrations\/|\/server\/feature\.ts$/],
  ['catalogue.ts', /\/texts\/|\/web\/feature\.ts$/],
] as const;

/**
 * The test files that belong to a change, the nearest first: those that changed, those that check every route,
 * table or text where one of these changed, those in the folder of a changed file, and those of its capability.
 *
 * @param folder the repository
 * @param changed paths from the repository
 */
export function relatedTests(folder: string, changed: readonly string[]): string[] {
  const wanted = surveys.filter(([, kind]) => changed.some((file) => kind.test(file)));
  const folders = new Set(changed.map((file) => posix.dirname(file)));
  const capabilities = new Set(changed.map(capabilityOf));
  const distanceOf = (test: string) => {
    if (changed.includes(test)) return 0;
    const text = readFileSync(join(folder, test), 'utf8');
    if (wanted.some(([name]) => text.includes(name))) return 1;
    if (folders.has(posix.dirname(test))) return 2;
    return capabilities.has(capabilityOf(test)) ? 3 : Infinity;
  };
  return globSync('{contract,server,web,dev,features}/**/*.test.{ts,tsx}', { cwd: folder })
    .map((file) => file.replaceAll(sep, '/'))
    .map((file) => ({ file, distance: file.includes('node_modules/') ? Infinity : distanceOf(file) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((one, other) => one.distance - other.distance || (one.file < other.file ? -1 : 1))
    .map(({ file }) => file);
}

/** The folder of a capability; of other files their own path, which they share with none. */
function capabilityOf(file: string): string {
  return /^features\/[^/]+/.exec(file)?.[0] ?? file;
}

/** The files that differ from the branch `main`, and those that are not committed. */
function changedFiles(folder: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const base = ['origin/main', 'main'].flatMap((branch) => {
    try {
      return [git('merge-base', 'HEAD', branch)];
    } catch {
      return [];
    }
  })[0];
  const lists = [
    git('diff', '--name-only', base ?? 'HEAD'),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return lists.flatMap((list) => list.split('\n')).filter((file) => file !== '');
}

/** The type checks and tests that belong to the changed files, and the tests that are left out. */
export function relatedToChanges(): Record<'types' | 'tests' | 'left', string[]> {
  const root = resolve(import.meta.dirname, '..');
  const changed = changedFiles(root);
  const tests = relatedTests(root, changed);
  const touched = new Set(changed.map((file) => file.split('/')[file.startsWith('features/') ? 2 : 0]));
  const packages = ['contract', 'server', 'web', 'dev', 'bench', 'e2e'];
  return {
    types: touched.has('contract') ? packages : packages.filter((name) => touched.has(name)),
    tests: tests.slice(0, mostFiles),
    left: tests.slice(mostFiles),
  };
}
