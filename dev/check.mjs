// npm run check: format, lint, types, unused code, size budgets, tidiness. One line for each check, and the
// whole output of a failed one.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb, install, node, requireNode, root } from './prepare.mjs';
import { overBudget } from './sizes.mjs';
import { untidiness } from './tidiness.mjs';

/**
 * @typedef {{ passed: boolean, output: string }} Outcome
 *
 * @type {readonly (readonly [name: string, run: () => Outcome | Promise<Outcome>])[]}
 */
const checks = [
  ['lint', program('node_modules/oxlint/bin/oxlint')],
  ['imports', program('dev/imports.ts')],
  ['format', program('node_modules/oxfmt/bin/oxfmt', '--check', '.')],
  ...['contract', 'server', 'web', 'dev', 'bench', 'e2e'].map(
    (folder) =>
      /** @type {const} */ ([
        `types: ${folder}`,
        program('node_modules/typescript/bin/tsc', '--project', folder),
      ]),
  ),
  ['unused code', program('node_modules/knip/bin/knip.js', '--no-progress')],
  ['size budgets', () => outcome(overBudget())],
  ['tidiness', () => outcome(untidiness())],
];

/**
 * Runs the checks, two at a time, and prints the result of each.
 *
 * @param {readonly string[]} [names] of those to run; left out: all
 * @returns {Promise<{ passed: number, failed: number, failures: readonly string[] }>}
 */
export async function runChecks(names) {
  const waiting = checks.filter(([name]) => names === undefined || names.includes(name));
  let passedChecks = 0;
  /** @type {string[]} */
  const failures = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const [name, runCheck] = check;
      const { passed, output } = await runCheck();
      console.log(passed ? `ok      ${name}` : `failed  ${name}\n${output.trimEnd()}\n`);
      if (passed) passedChecks += 1;
      else failures.push(name);
    }
  };
  await Promise.all([worker(), worker()]);
  return { passed: passedChecks, failed: failures.length, failures };
}

/**
 * @param {string} script from the repository's root
 * @param {readonly string[]} args
 * @returns {() => Promise<Outcome>}
 */
function program(script, ...args) {
  return () =>
    new Promise((done) => {
      const options = { cwd: root, maxBuffer: Infinity };
      execFile(node, [join(root, script), ...args], options, (error, output, errors) =>
        done({ passed: error === null, output: output + errors || `${error?.message}` }),
      );
    });
}

/**
 * @param {readonly string[]} complaints
 * @returns {Outcome}
 */
function outcome(complaints) {
  return { passed: complaints.length === 0, output: complaints.join('\n') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode();
  if (!(await install()) || !(await buildWeb())) process.exit(1);
  const { failed } = await runChecks();
  process.exitCode = failed === 0 ? 0 : 1;
}
