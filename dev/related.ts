// Which unit tests a change touches: for `npm test -- --related`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { filesIn, importsOf } from './imports.ts';

/** The most test files of one run, so that it takes about a minute. */
const mostFiles = 12;
const testFile = /\.test\.tsx?$/;
/** Nearly every test boots the application: a way through these does not show what a test is about. */
const hub = /^server\/src\/(app\.ts|testing\/)|^web\/src\/testing\//;
/**
 * Tests that check every declaration of a kind: those that import `reads`, where a file that fits `when` has
 * changed.
 */
const surveys = [
  {
    when: /^contract\/src\/|\.routes\.ts$|^server\/src\/app\.ts$/,
    reads: 'server/src/testing/contract-routes.ts',
  },
  { when: /\/(schema|feature)\.ts$|\/migrations\//, reads: 'server/src/features.ts' },
  { when: /\/texts\/|^web\/src\/features\/[^/]+\/feature\.ts$/, reads: 'web/src/app/catalogue.ts' },
];

/**
 * The test files that belong to a change, the nearest first: those that changed, those that check every
 * route, table or text where one of these changed, those in the folder of a changed file, and those that
 * import a changed file, directly or through others.
 *
 * @param folder the repository
 * @param changed paths from the repository
 */
export function relatedTests(folder: string, changed: readonly string[]): string[] {
  const importers = importersIn(folder);
  const distances = new Map<string, number>();
  let reached = [...changed];
  for (let distance = 0; reached.length > 0; distance += 1) {
    for (const file of reached) distances.set(file, distance);
    const onward = reached.filter((file) => distance === 0 || !hub.test(file));
    reached = [...new Set(onward.flatMap((file) => importers.get(file) ?? []))].filter(
      (file) => !distances.has(file),
    );
  }
  const folders = new Set(changed.map((file) => posix.dirname(file)));
  const surveying = new Set(
    surveys
      .filter(({ when }) => changed.some((file) => when.test(file)))
      .flatMap(({ reads }) => importers.get(reads) ?? []),
  );
  const distanceOf = (file: string) => {
    const distance = distances.get(file);
    if (distance === 0) return 0;
    if (surveying.has(file)) return 0.5;
    return folders.has(posix.dirname(file)) ? 1 : distance;
  };
  return filesIn(folder)
    .filter((file) => testFile.test(file) && distanceOf(file) !== undefined)
    .toSorted((one, other) => (distanceOf(one) ?? 0) - (distanceOf(other) ?? 0));
}

/** Who imports each file. */
function importersIn(folder: string): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const file of filesIn(folder)) {
    for (const { source } of importsOf(file, readFileSync(join(folder, file), 'utf8'))) {
      const target = targetOf(file, source);
      if (target !== null) importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  }
  return importers;
}

function targetOf(file: string, source: string): string | null {
  if (source.startsWith('.')) return posix.join(posix.dirname(file), source);
  const [, rules = 'src/', name] = /^@portico\/contract\/(rules\/)?(.+)$/.exec(source) ?? [];
  return name === undefined ? null : `contract/${rules}${name}.ts`;
}

/** What differs from the branch `main` where that is another one, and what is not committed. */
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

if (import.meta.main) {
  const root = resolve(import.meta.dirname, '..');
  const changed = changedFiles(root);
  const tests = relatedTests(root, changed);
  const touched = new Set(changed.map((file) => file.split('/')[0]));
  const packages = ['contract', 'server', 'web', 'dev', 'bench', 'e2e'];
  console.log(
    JSON.stringify({
      types: touched.has('contract') ? packages : packages.filter((name) => touched.has(name)),
      tests: tests.slice(0, mostFiles),
      left: tests.slice(mostFiles),
    }),
  );
}
