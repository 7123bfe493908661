// npm test: every check and every test, in one sum. Its last line is `N passed, N failed, N skipped`, and its exit status
// says the same (START-2). With arguments it runs the unit tests that they name, and nothing else.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser, ensureHeadlessShell } from './browser.mjs';
import { runChecks } from './check.mjs';
import { makeScratch } from './scratch.mjs';
import { buildWeb, cache, install, node, requireNode, run } from './prepare.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Sum */

const filter = process.argv.slice(2);
const reports = join(cache, 'reports');

requireNode();
const scratch = makeScratch();
const sums = await everything();
const [passed, failed, skipped] = [total('passed'), total('failed'), total('skipped')];
process.exitCode = failed === 0 ? 0 : 1;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);

/** @returns {Promise<Sum[]>} */
async function everything() {
  const broken = { passed: 0, failed: 1, skipped: 0 };
  if (!(await install())) return [broken];
  const built = (await buildWeb()) ? [] : [broken];
  if (filter.length > 0) return [...built, await unitTests(filter)];
  return [...built, await checks(), await unitTests([]), await browserTests()];
}

/** @param {keyof Sum} what */
function total(what) {
  return sums.reduce((sum, { [what]: count }) => sum + count, 0);
}

/** @returns {Promise<Sum>} */
async function checks() {
  return { ...(await runChecks()), skipped: 0 };
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<Sum>}
 */
function unitTests(files) {
  const report = freshReport('vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return runner(
    'the unit tests',
    report,
    ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...files],
    {},
    (json) => {
      const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = /** @type {VitestReport} */ (
        json
      );
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
    },
  );
}

/** @returns {Promise<Sum>} */
async function browserTests() {
  try {
    const report = freshReport('playwright.json');
    const browser = await ensureBrowser();
    const settings = {
      CHROMIUM: browser,
      HEADLESS_SHELL: await ensureHeadlessShell(browser),
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    };
    const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json'];
    return await runner('the browser tests', report, args, settings, (json) => {
      const { expected, unexpected, flaky, skipped } = /** @type {PlaywrightReport} */ (json).stats;
      return { passed: expected, failed: unexpected + flaky, skipped };
    });
  } catch (error) {
    console.log(`failed  the browser tests: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * Runs a test runner and counts what its report says. A runner that breaks down, or finds nothing to run, is a failure of
 * its own: no test in its report would say so.
 *
 * @param {string} name
 * @param {string} report
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} settings
 * @param {(json: unknown) => Sum} count
 * @returns {Promise<Sum>}
 */
async function runner(name, report, args, settings, count) {
  const status = await run(node, args, { ...settings, TMPDIR: scratch });
  const sum = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 };
  if (sum.passed + sum.failed === 0) console.log(`failed  ${name}: nothing ran`);
  else if (status !== 0 && sum.failed === 0)
    console.log(`failed  ${name}: the runner itself failed, with status ${status}`);
  else return sum;
  return { ...sum, failed: sum.failed + 1 };
}

/** @param {string} name */
function freshReport(name) {
  mkdirSync(reports, { recursive: true });
  const path = join(reports, name);
  rmSync(path, { force: true });
  return path;
}

/**
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number } }} PlaywrightReport
 */
