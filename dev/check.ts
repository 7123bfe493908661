// npm run check: format, lint, types, unused code, size budgets, tidiness. One line for each check, and the
// whole output of a failed one.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { buildWeb, node, root } from './prepare.mjs';
import type { Sum } from './reports.ts';
import { overBudget } from './sizes.ts';
import { untidiness } from './tidiness.ts';

/** Each check returns what is wrong, or an empty text. */
const checks: readonly (readonly [name: string, run: () => string | Promise<string>])[] = [
  ['lint', program('node_modules/oxlint/bin/oxlint')],
  ['imports', program('dev/imports.ts')],
  ['format', program('node_modules/oxfmt/bin/oxfmt', '--check', '.')],
  ...['contract', 'server', 'web', 'dev', 'bench', 'e2e'].map(
    (folder) =>
      [
        `types: ${folder}`,
        // Two checks run at a time: the compiler's own threads would do some of the work twice.
        program('node_modules/typescript/bin/tsc', '--singleThreaded', '--project', folder),
      ] as const,
  ),
  ['unused code', program('node_modules/knip/bin/knip.js', '--no-progress')],
  ['size budgets', () => overBudget().join('\n')],
  ['tidiness', () => untidiness().join('\n')],
];

/**
 * Runs the checks, two at a time, and prints the result of each.
 *
 * @param names the checks to run; left out: all
 */
export async function runChecks(names?: readonly string[]): Promise<Sum> {
  const waiting = checks.filter(([name]) => names === undefined || names.includes(name));
  let passed = 0;
  const failures: string[] = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const [name, runCheck] = check;
      const faults = await runCheck();
      console.log(faults === '' ? `ok      ${name}` : `failed  ${name}\n${faults.trimEnd()}\n`);
      if (faults === '') passed += 1;
      else failures.push(name);
    }
  };
  await Promise.all([worker(), worker()]);
  return { passed, failed: failures.length, skipped: 0, failures };
}

function program(script: string, ...args: readonly string[]): () => Promise<string> {
  return () =>
    new Promise((done) => {
      const options = { cwd: root, maxBuffer: Infinity };
      execFile(node, [join(root, script), ...args], options, (error, output, errors) =>
        done(error === null ? '' : output + errors || error.message),
      );
    });
}

if (import.meta.main) {
  if (!(await buildWeb())) process.exit(1);
  const { failed } = await runChecks();
  process.exitCode = failed === 0 ? 0 : 1;
}
