// Reads the reports of the two test runners into one form. Failures are named once more at the very end, because a
// run prints thousands of lines, and a log often has only the last ones.
import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from '@playwright/test/reporter';
import type { JsonTestResults } from 'vitest/node';
import { root } from './prepare.mjs';

export type Sum = {
  passed: number;
  failed: number;
  skipped: number;
  /** One text for each failure; its first line is a name. */
  failures: readonly string[];
};

/** Longer than a failed comparison needs, and short enough that ten messages fit on a screen or two. */
const linesOfMessage = 12;

/** @param report the output of Vitest's `json` reporter */
export function readVitest(report: unknown): Sum {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = report as JsonTestResults;
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = isAbsolute(name) ? relative(root, name) : name;
    const tests = assertionResults.filter((test) => test.status === 'failed');
    // A file that could not be loaded, or whose hook failed, has a message and no test of its own to blame.
    if (tests.length === 0) return status === 'failed' ? [failure(file, message)] : [];
    return tests.map((test) => failure(`${file} › ${test.fullName}`, test.failureMessages?.join('\n') ?? ''));
  });
  const skipped = numPendingTests + numTodoTests;
  return { passed: numPassedTests, failed: failures.length, skipped, failures };
}

/** As `readVitest`, for Playwright; a test that passes only at its second try counts as failed. */
export function readPlaywright(report: unknown): Sum {
  const { stats, suites, errors } = report as JSONReport;
  const ofTests = suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const messages = results.flatMap(({ errors: own }) => own.map(({ message }) => message ?? ''));
        return failure(`e2e/${file}:${line} › ${title}`, messages.join('\n'));
      }),
  );
  const ofRun = errors.map(({ message }) => failure('the browser tests', message ?? ''));
  const failures = [...ofTests, ...ofRun];
  return { passed: stats.expected, failed: failures.length, skipped: stats.skipped, failures };
}

function specsOf({ suites = [], specs }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function failure(name: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trimEnd())
    // Leaves out the lines of a stack that are not our own.
    .filter((line) => line !== '' && !/^\s+at .*(\/node_modules\/|<anonymous>)/u.test(line));
  return [name, ...lines.slice(0, linesOfMessage).map((line) => `  ${line}`)].join('\n');
}
