// npm run mutants: mutation testing of the core logic; its usage is below.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommandLine } from '../command-line.ts';
import { areas, type Area } from './areas.ts';
import { equivalents } from './equivalents.ts';
import { sampleOf } from './sample.ts';
import { makeScratch } from '../scratch.ts';
import { cache, node, npm, root, run, print } from '../prepare.mjs';

type Mutant = Record<'status' | 'mutatorName' | 'replacement', string> & {
  location: { start: { line: number } };
};
type Report = { files: Record<string, { source: string; mutants: Mutant[] }> };
type Result = { noticed: number; equivalent: number; unnoticed: string[] };

// Texts, lists and patterns are data, not decisions: what they hold is proved where it is shown.
const leftOut = ['StringLiteral', 'ArrayDeclaration', 'ObjectLiteral', 'Regex'];
const folder = join(root, 'dev/mutants');
const reports = join(cache, 'mutants');

const options = {
  all: { type: 'boolean', default: false },
  percent: { type: 'string', default: '6' },
  seed: { type: 'string', default: '1' },
  engine: { type: 'string', default: 'sqlite' },
} as const;
const { values, positionals } = readCommandLine(
  { allowPositionals: true, options },
  `Usage: npm run mutants -- [AREA …] [--all | --percent N] [--seed N]

Changes the core logic one place at a time, runs the tests that reach the change, and lists the changes that no test noticed.
Installs Stryker in dev/mutants first. Takes long: with --all hours.

  --all        Every change instead of a sample
  --percent N  The size of the sample of each area (6)
  --seed N     Which sample; the same one takes the same (1)
  --engine E   On which database the tests run: sqlite, postgres or both (sqlite)

Areas; without any all of them:
${areas.map(({ name }) => `  ${name}`).join('\n')}`,
);
const chosen = areas.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !areas.some((area) => area.name === name));
if (unknown.length > 0) {
  print(`No area is named ${unknown.join(', ')}; there are ${areas.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

// Stryker has a lockfile of its own, so that starting and testing Portico does not install it.
if (!existsSync(join(folder, 'node_modules/@stryker-mutator/vitest-runner'))) {
  print('Installing Stryker …');
  if ((await npm(['ci', '--prefix', folder, '--loglevel=error'])) !== 0) process.exit(1);
}
// The sandboxes are not below node_modules, where Vitest looks for no tests.
const scratch = makeScratch();
mkdirSync(reports, { recursive: true });
const nothing = (): Result => ({ noticed: 0, equivalent: 0, unnoticed: [] });
const sum = nothing();
for (const area of chosen) {
  const result = await examine(area);
  console.log(`${area.name.padEnd(18)} ${result === null ? 'could not be examined' : inWords(result)}`);
  if (result === null) process.exitCode = 1;
  sum.noticed += result?.noticed ?? 0;
  sum.equivalent += result?.equivalent ?? 0;
  sum.unnoticed.push(...(result?.unnoticed ?? []));
}
for (const line of sum.unnoticed) console.log(`  ${line}`);
console.log(`${'all'.padEnd(18)} ${inWords(sum)}`);

/** Changes the code of an area and counts the results; null where the tests fail even without a change. */
async function examine(area: Area): Promise<Result | null> {
  const report = join(reports, `${area.name}.json`);
  const settings = join(reports, `${area.name}.settings.json`);
  rmSync(report, { force: true });
  const sample = { percent: Number(values.percent), seed: values.seed };
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length;
  const mutate = values.all ? area.code : area.code.flatMap((file) => sampleOf(file, linesOf(file), sample));
  if (mutate.length === 0) return nothing();
  writeFileSync(settings, JSON.stringify(strykerSettings(mutate, report)));
  const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const engine = values.engine === 'both' ? {} : { TEST_ENGINE: values.engine };
  const environment = { MUTANTS_TESTS: area.tests.join(','), ...engine };
  const status = await run(node, [stryker, 'run', settings], environment);
  if (status !== 0 || !existsSync(report)) return null;
  return read(JSON.parse(readFileSync(report, 'utf8')) as Report);
}

function strykerSettings(mutate: readonly string[], report: string): object {
  return {
    testRunner: 'vitest',
    plugins: [join(folder, 'node_modules/@stryker-mutator/vitest-runner/dist/src/index.js')],
    vitest: { configFile: 'dev/mutants/vitest.config.ts', related: false },
    mutate,
    // Stryker would read the editors' tsconfig.json through a part of TypeScript that TypeScript 7 does not have.
    tsconfigFile: 'none',
    mutator: { excludedMutations: leftOut },
    ignorePatterns: ['docs/pictures', 'data', 'test-results', 'dev/mutants/node_modules'],
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    tempDirName: join(scratch, 'sandboxes'),
    concurrency: 2,
    timeoutMS: 20_000,
    // The tests of the larger areas take minutes on two cores, even without a change.
    dryRunTimeoutMinutes: 30,
  };
}

function read({ files }: Report): Result {
  const result = nothing();
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split('\n');
    for (const { status, location, mutatorName, replacement } of mutants) {
      if (status === 'Ignored' || status === 'CompileError' || status === 'RuntimeError') continue;
      const line = lines[location.start.line - 1]?.trim() ?? '';
      if (status === 'Killed' || status === 'Timeout') result.noticed += 1;
      else if (equivalents[file]?.[line]?.[replacement] !== undefined) result.equivalent += 1;
      else result.unnoticed.push(`${file}:${location.start.line} ${mutatorName}: ${line} → ${replacement}`);
    }
  }
  return result;
}

function inWords({ noticed, equivalent, unnoticed }: Result): string {
  const count = noticed + unnoticed.length;
  const share = count === 0 ? '–' : `${((100 * noticed) / count).toFixed(1)} %`;
  return `${noticed} of ${count} changes noticed (${share}); ${equivalent} equivalent ones left out`;
}
