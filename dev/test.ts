// npm test: every check and every test, with one total. The end of its output lists what failed, and its last
// line is `N passed, N failed, N skipped`; its exit status agrees (START-2). With arguments it runs the tests
// that they name, those of e2e/ in a browser, and nothing else; with `--related` the types and unit tests
// that belong to what has changed since main.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, ensureHeadlessShell, installFromDebian, mayInstall } from './browser.ts';
import { runChecks } from './check.ts';
import { makeScratch } from './scratch.ts';
import { buildServer, buildWeb, cache, node, run } from './prepare.mjs';
import { relatedToChanges } from './related.ts';
import { readPlaywright, readVitest, type Sum } from './reports.ts';

/** Debian's packages of proxies (GATE-5) and of a map server (MAP-2), by a file that each package installs. */
const foreign: Record<string, string> = {
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/bin/caddy': 'caddy',
  '/usr/lib/cgi-bin/mapserv': 'cgi-mapserver',
};
const nothing: Sum = { passed: 0, failed: 0, skipped: 0, failures: [] };
const filter = process.argv.slice(2);
const reports = join(cache, 'reports');

const scratch = makeScratch();
const sums = await everything();
const total = (what: 'passed' | 'failed' | 'skipped') => sums.reduce((count, sum) => count + sum[what], 0);
const sum = { passed: total('passed'), failed: total('failed'), skipped: total('skipped') };
// On Debian as root, all that a test needs can be installed, so that no test may be skipped (START-2).
const mayNotSkip = filter.length === 0 && mayInstall() && sum.skipped > 0;
process.exitCode = sum.failed === 0 && !mayNotSkip ? 0 : 1;
if (mayNotSkip)
  console.log('failed  nothing may be skipped on Debian as root; what could not be installed is named above');
for (const failure of sums.flatMap(({ failures }) => failures)) console.log(`failed  ${failure}`);
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);

async function everything(): Promise<Sum[]> {
  if (filter[0] === '--related') return related();
  const built = (await buildWeb()) ? [] : [failed('the web could not be built')];
  if (filter.length > 0) return [...built, ...(await named(filter))];
  // Where one of these packages cannot be installed, its test is skipped.
  const missing = Object.entries(foreign).flatMap(([file, name]) => (existsSync(file) ? [] : [name]));
  if (missing.length > 0 && mayInstall()) await installFromDebian(...missing);
  return [...built, await runChecks(), await unitTests([]), await browserTests([])];
}

async function named(files: readonly string[]): Promise<Sum[]> {
  const isOfBrowser = (file: string) => /(?:^|\/)e2e\//.test(file);
  const { yes, no } = Object.groupBy(files, (file) => (isOfBrowser(file) ? 'yes' : 'no'));
  return [...(no ? [await unitTests(no)] : []), ...(yes ? [await browserTests(yes)] : [])];
}

async function related(): Promise<Sum[]> {
  const { types, tests, left } = relatedToChanges();
  const sums = [await runChecks(['imports', ...types.map((name) => `types: ${name}`)])];
  if (tests.length > 0) sums.push(await unitTests(tests));
  if (left.length > 0) console.log(`${left.length} test files further away are left to npm test`);
  return sums;
}

function unitTests(files: readonly string[]): Promise<Sum> {
  const report = freshReport('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files];
  return runner('the unit tests', report, args, {}, readVitest);
}

async function browserTests(files: readonly string[]): Promise<Sum> {
  try {
    const report = freshReport('playwright.json');
    const browser = await ensureBrowser();
    const settings = {
      CHROMIUM: browser,
      HEADLESS_SHELL: await ensureHeadlessShell(browser),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files];
    return await runner('the browser tests', report, args, settings, readPlaywright);
  } catch (error) {
    return failed(`the browser tests: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Runs a test runner and counts the results in its report. A runner that crashes, or finds nothing to run, counts
 * as a failure of its own, because no test in its report shows that.
 */
async function runner(
  name: string,
  report: string,
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
  read: (report: unknown) => Sum,
): Promise<Sum> {
  if (!(await buildServer())) return failed('the server could not be bundled');
  const status = await run(node, args, { ...settings, TMPDIR: scratch, BUNDLED_SERVER: 'yes' });
  const sum = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : nothing;
  if (sum.passed + sum.failed === 0) return failed(`${name}: nothing ran`);
  if (status === 0 || sum.failed > 0) return sum;
  const fault = failed(`${name}: the runner itself failed, with status ${status}`);
  return { ...sum, failed: 1, failures: [...sum.failures, ...fault.failures] };
}

function failed(failure: string): Sum {
  return { ...nothing, failed: 1, failures: [failure] };
}

function freshReport(name: string): string {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}
