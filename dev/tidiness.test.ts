import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { untidiness } from './tidiness.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-tidiness-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

it.each([
  ['const file = "/home/anna/portico/x.ts";', 'a path of one machine'],
  ['see file:///Users/anna/portico', 'a path of one machine'],
  ['PATH=/usr/bin:/root/.bin', 'a path of one machine'],
  ['const drive = "C:\\Users\\anna";', 'a path of one machine'],
  ['// oxlint-disable-next-line no-console', 'a silenced rule'],
  ['// @ts-ignore', 'a silenced rule'],
])('finds in %j %s', (line, fault) => {
  write('server/src/a.ts', `const first = 1;\n${line}\n`);
  expect(untidiness(folder)).toEqual([expect.stringMatching(`server/src/a.ts:2: ${fault}`)]);
});

it('leaves addresses and templates alone', () => {
  write(
    'server/src/a.ts',
    'const a = "https://example.com/home/x";\nconst b = `${base}/root/y`;\nconst c = "./work/z";\n',
  );
  expect(untidiness(folder)).toEqual([]);
});

it('looks at no file that git ignores', () => {
  write('.gitignore', 'node_modules/\nweb/dist/\n*.log\n');
  for (const file of ['node_modules/a.js', 'web/dist/a.js', 'start.log']) write(file, '/home/anna/x');
  expect(untidiness(folder)).toEqual([]);
});

it.each(['server/src/utils.ts', 'web/src/helpers/date.ts', 'contract/src/types.ts'])(
  'refuses the name %s',
  (file) => {
    write(file, '');
    expect(untidiness(folder)).toEqual([expect.stringContaining(`${file}: the name of a kind`)]);
  },
);

it('finds download addresses and missing platforms in the lockfile', () => {
  const packages = {
    'node_modules/tool': { version: '1.0.0', resolved: 'https://registry.example/tool.tgz' },
    'node_modules/fast': {
      version: '1.0.0',
      optionalDependencies: { 'fast-linux': '1.0.0', 'fast-darwin': '1.0.0' },
    },
    'node_modules/fast-linux': { version: '1.0.0' },
    'node_modules/@portico/web': { resolved: 'web', link: true },
  };
  write('package-lock.json', JSON.stringify({ packages }));
  expect(untidiness(folder)).toEqual([
    'package-lock.json: node_modules/tool names a download address',
    expect.stringContaining('fast-darwin'),
  ]);
});

it('finds a tool of the tests in what npm start runs', () => {
  write('package.json', JSON.stringify({ devDependencies: { tool: '1.0.0', '@a/tool': '1.0.0' } }));
  write(
    'features/orders/web/order-list.tsx',
    "import { a } from '@a/tool/part';\nimport { b } from 'tools';\n",
  );
  write('server/src/main.ts', "import 'tool';\n");
  for (const file of ['server/src/main.test.ts', 'server/src/testing/app.ts', 'e2e/fixtures.ts'])
    write(file, "import { tool } from 'tool';\n");
  expect(untidiness(folder).toSorted()).toEqual([
    'features/orders/web/order-list.tsx: @a/tool is a tool of the tests, which npm start does not install',
    'server/src/main.ts: tool is a tool of the tests, which npm start does not install',
  ]);
});
