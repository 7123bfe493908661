import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './prepare.mjs';
import { readPlaywright, readVitest } from './reports.ts';

const counts = { numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 };
const stats = { expected: 2, skipped: 1 };

it('START-2: counts what the unit tests report', () => {
  const passed = { fullName: 'a sum adds', status: 'passed', failureMessages: [] };
  const file = {
    name: join(root, 'dev/a.test.ts'),
    status: 'passed',
    message: '',
    assertionResults: [passed],
  };
  expect(readVitest({ ...counts, testResults: [file] })).toEqual({
    passed: 3,
    failed: 0,
    skipped: 2,
    failures: [],
  });
});

it('START-2: names each unit test that failed, with the beginning of its message', () => {
  const long = [
    'AssertionError: \u001b[31mexpected 1\u001b[39m',
    ...Array.from({ length: 50 }, () => 'at x'),
  ];
  const test = { fullName: 'a sum adds', status: 'failed', failureMessages: [long.join('\n')] };
  const file = { name: join(root, 'dev/a.test.ts'), status: 'failed', message: '', assertionResults: [test] };
  const { failed, failures } = readVitest({ ...counts, testResults: [file] });
  expect(failed).toBe(1);
  const lines = failures.join('\n').split('\n');
  expect(lines.slice(0, 2)).toEqual(['dev/a.test.ts › a sum adds', '  AssertionError: expected 1']);
  expect(lines.length).toBeLessThan(20);
});

it('START-2: names a file of unit tests that could not be loaded', () => {
  const file = {
    name: 'dev/a.test.ts',
    status: 'failed',
    message: 'SyntaxError: x\n    at f (/x/node_modules/y.js:1:1)',
    assertionResults: [],
  };
  expect(readVitest({ ...counts, testResults: [file] })).toMatchObject({
    failed: 1,
    failures: ['dev/a.test.ts\n  SyntaxError: x'],
  });
});

it('START-2: names each browser test that failed, however deep it stands; one that passed in a second try has failed', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'a.spec.ts',
    line: 7,
    tests: [{ status, results: [{ status, errors: message === undefined ? [] : [{ message }] }] }],
  });
  const inner = { specs: [spec('opens', 'unexpected', 'no\n\n  page'), spec('closes', 'expected')] };
  const report = {
    stats,
    suites: [{ specs: [spec('stays', 'flaky', 'late')], suites: [inner] }],
    errors: [],
  };
  expect(readPlaywright(report)).toEqual({
    passed: 2,
    failed: 2,
    skipped: 1,
    failures: ['e2e/a.spec.ts:7 › stays\n  late', 'e2e/a.spec.ts:7 › opens\n  no\n    page'],
  });
});

it('START-2: reports why the browser tests could not run at all', () => {
  const report = { stats, suites: [], errors: [{ message: 'no browser' }] };
  expect(readPlaywright(report)).toMatchObject({ failed: 1, failures: ['the browser tests\n  no browser'] });
});
