import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { areas } from './areas.ts';
import { equivalents } from './equivalents.ts';

const root = join(import.meta.dirname, '../..');

it('every area names code and tests that are there', () => {
  const missing = areas.flatMap(({ code, tests }) => [
    ...code.filter((file) => !existsSync(join(root, file))),
    ...tests.filter((pattern) => globSync(pattern, { cwd: root }).length === 0),
  ]);
  expect(missing).toEqual([]);
});

it('every change that is held to be equivalent is one of a line that is there', () => {
  const gone = Object.entries(equivalents).flatMap(([file, changes]) => {
    const lines = new Set(
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .map((line) => line.trim()),
    );
    return Object.keys(changes).filter((line) => !lines.has(line));
  });
  expect(gone).toEqual([]);
});
