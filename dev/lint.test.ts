import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forbiddenImports, importCircles } from './imports.ts';

// A small installation laid out like this repository, linted with this repository's own configuration: each
// forbidden example must be reported with the message that explains the right way, and allowed ones must not
// be reported.
const root = resolve(import.meta.dirname, '..');

const folders = ['contract', 'server', 'web', 'dev', 'bench', 'e2e'];

/** What the examples below import; every import resolves, as it does in the real tree. */
const neighbours = {
  'server/package.json': '{ "type": "module" }',
  'contract/src/flags.ts': 'export const flag = 1;\nexport type Flag = number;\n',
  'server/src/app.ts': 'export const app = 1;\n',
  'server/src/config.ts':
    'export type Config = { port: number };\nexport const port = process.env["PORT"];\n',
  'server/src/platform/time/clock.ts': 'export const now = () => Date.now();\n',
  'server/src/testing/boot.ts': "import { app } from '../app.ts';\nexport const booted = app;\n",
  'server/src/features/flags/flags.store.ts': 'export const store = 1;\nexport type Reader = number;\n',
  'server/src/features/session/subject.ts': 'export const signedIn = 1;\n',
  'server/src/features/people/person.ts': 'export type Person = number;\n',
  'web/src/app/shell.ts': 'export const shell = 1;\n',
  'web/src/platform/calls/call.ts': 'export const call = 1;\n',
  'web/src/ui/button.ts': 'export const button = 1;\n',
  'web/src/features/session/subject.ts': 'export const subject = 1;\n',
  'web/src/features/maintenance/console/screen.ts': 'export const screen = 1;\n',
  'web/src/features/flags/use-flags.ts': 'export const useFlags = 1;\nexport type Flags = number;\n',
};

type Example = readonly [title: string, file: string, code: string, message: RegExp];

const contractOnly = /imports its schema library only/;
const platformKnowsNoFeature = /platform knows no feature/;
const withoutCircles = /imports the platform and other features, without circles/;
const onlyExports = /Only the contract and what a package lists under "exports"/;

/** One forbidden import for each rule of ARCHITECTURE.md, "Who may import whom". */
const importsToRefuse: readonly Example[] = [
  ['1. the contract imports a package', 'contract/src/a1.ts', "import 'kysely';", contractOnly],
  ['1. the contract imports the full zod', 'contract/src/a2.ts', "import 'zod';", contractOnly],
  ['1. the contract imports from Node', 'contract/src/a3.ts', "import 'node:fs';", contractOnly],
  [
    '1. the contract imports the server',
    'contract/src/a4.ts',
    "import '../../server/src/app.ts';",
    /may not import/,
  ],
  [
    '1. the contract imports a rule',
    'contract/src/a5.ts',
    "import '../rules/wall-time.ts';",
    /The contract declares/,
  ],
  ['1. a rule imports a package', 'contract/rules/a6.ts', "import 'kysely';", contractOnly],
  [
    '2. the platform imports a feature',
    'server/src/platform/b1.ts',
    "import { store } from '../features/flags/flags.store.ts';",
    platformKnowsNoFeature,
  ],
  [
    '2. the platform imports a type of a feature',
    'server/src/platform/b2.ts',
    "import type { Reader } from '../features/flags/flags.store.ts';",
    platformKnowsNoFeature,
  ],
  [
    '2. the platform imports the configuration',
    'server/src/platform/b3.ts',
    "import { port } from '../config.ts';",
    platformKnowsNoFeature,
  ],
  [
    '2. a feature imports the composition root',
    'server/src/features/session/b7.ts',
    "import { app } from '../../app.ts';",
    withoutCircles,
  ],
  [
    '2. a feature reads the configuration itself',
    'server/src/features/session/b9.ts',
    "import { port } from '../../config.ts';",
    withoutCircles,
  ],
  [
    '2. the configuration takes a type from a feature',
    'server/src/config-mail.ts',
    "import type { Reader } from './features/flags/flags.store.ts';\nexport type Given = Reader;",
    /Every feature may import the configuration/,
  ],
  [
    '2. a feature imports what only tests use',
    'server/src/features/session/b8.ts',
    "import { booted } from '../../testing/boot.ts';",
    /may not import/,
  ],
  [
    '2. a type of the composition root named in place',
    'server/src/features/session/b11.ts',
    "export type App = typeof import('../../app.ts');",
    withoutCircles,
  ],
  [
    '3. web/ui imports the platform',
    'web/src/ui/c1.ts',
    "import { call } from '../platform/call.ts';",
    /imports nothing local/,
  ],
  [
    '3. web/ui imports the contract',
    'web/src/ui/c2.ts',
    "import { flag } from '@portico/contract/flags';",
    onlyExports,
  ],
  [
    '3. web/platform imports a piece of the interface',
    'web/src/platform/c3.ts',
    "import { button } from '../ui/button.ts';",
    /web\/platform knows the contract only/,
  ],
  [
    '3. web/platform imports a feature',
    'web/src/platform/c4.ts',
    "import { useFlags } from '../features/flags/use-flags.ts';",
    /web\/platform knows the contract only/,
  ],
  [
    '3. a web feature imports the shell',
    'web/src/features/session/c7.ts',
    "import { shell } from '../../app/shell.ts';",
    /A web feature imports/,
  ],
  ['3. the web imports from Node', 'web/src/platform/c8.ts', "import 'node:fs';", /exists in Node only/],
  [
    '3. what every page carries imports the router',
    'web/src/features/maintenance/banner.tsx',
    "import '@tanstack/react-router';",
    /no router and no query cache/,
  ],
  [
    '3. what every page carries imports the query cache',
    'web/src/ui/c9.ts',
    "import '@tanstack/react-query';",
    /no router and no query cache/,
  ],
  [
    '3. what every page carries imports a part of the console',
    'web/src/features/maintenance/notice.ts',
    "import './console/screen.ts';",
    /the console's parts load late/,
  ],
  [
    '4. the server imports the web',
    'server/src/d1.ts',
    "import '../../web/src/ui/button.ts';",
    /may not import/,
  ],
  ['4. the web imports the server', 'web/src/d2.ts', "import '../../server/src/app.ts';", /may not import/],
  [
    '4. the web imports an export of the server',
    'web/src/d3.ts',
    "import '@portico/server/app';",
    onlyExports,
  ],
  ['4. the server imports the web package', 'server/src/d4.ts', "import '@portico/web/embed';", onlyExports],
  [
    '5. a barrel inside a feature',
    'server/src/features/flags/e1.ts',
    "export * from './flags.store.ts';",
    /No barrels/,
  ],
  [
    '5. a name passed on',
    'web/src/features/flags/e2.ts',
    "export { useFlags } from './use-flags.ts';",
    /No barrels/,
  ],
  ['5. a type passed on', 'contract/src/e3.ts', "export type { Flag } from './flags.ts';", /No barrels/],
  [
    '5. the contract entered by path',
    'server/src/platform/e4.ts',
    "import { flag } from '../../../contract/src/flags.ts';",
    /reached through its exports/,
  ],
  [
    '5. the server entered by path from outside',
    'dev/e5.ts',
    "import { store } from '../server/src/features/flags/flags.store.ts';",
    /entered by its exports only/,
  ],
];

/** What the rules are meant to leave alone. */
const importsToAllow: readonly (readonly [title: string, file: string, code: string])[] = [
  [
    'the contract takes its schema library and itself',
    'contract/src/ok1.ts',
    "import 'zod/mini';\nimport './flags.ts';",
  ],
  ['a rule takes the contract', 'contract/rules/wall-time.ts', "import '../src/flags.ts';"],
  [
    'the platform takes the contract, packages and Node',
    'server/src/platform/ok2.ts',
    "import '@portico/contract/flags';\nimport 'kysely';\nimport 'node:fs';\nimport './clock.ts';",
  ],
  [
    'a feature takes the platform and itself',
    'server/src/features/session/ok3.ts',
    "import '../../platform/time/clock.ts';\nimport './ok4.ts';",
  ],
  [
    'a feature takes what is in others',
    'server/src/features/flags/ok14.ts',
    "import './ok15.ts';\nimport { signedIn } from '../session/subject.ts';\nimport type { Person } from '../people/person.ts';\nexport const x: Person = signedIn;",
  ],
  ['a feature takes itself', 'server/src/features/flags/ok15.ts', "import './flags.store.ts';"],
  [
    'a feature takes the type of its configuration',
    'server/src/features/session/ok12.ts',
    "import type { Config } from '../../config.ts';\nexport type Given = Pick<Config, 'port'>;",
  ],
  [
    'a feature takes packages and the contract',
    'server/src/features/session/ok4.ts',
    "import 'jose';\nimport '@portico/contract/flags';",
  ],
  [
    'the composition root takes features and platform',
    'server/src/ok5.ts',
    "import './features/flags/flags.store.ts';\nimport './platform/time/clock.ts';\nimport './config.ts';\nimport '../package.json' with { type: 'json' };",
  ],
  [
    'a test boots the real application',
    'server/src/features/session/ok6.test.ts',
    "import '../../testing/boot.ts';\nimport '../../app.ts';\nimport '../flags/flags.store.ts';",
  ],
  [
    'a web feature takes the contract, platform, ui, itself and another feature',
    'web/src/features/session/ok7.ts',
    "import '@portico/contract/flags';\nimport '../../platform/call.ts';\nimport '../../ui/button.ts';\nimport './subject.ts';\nimport '../flags/use-flags.ts';",
  ],
  ['a web feature takes packages', 'web/src/features/people/ok8.ts', "import '@tanstack/react-query';"],
  [
    'the console takes packages and the pieces of members',
    'web/src/features/maintenance/console/ok13.ts',
    "import '@tanstack/react-query';\nimport '../notice.ts';",
  ],
  [
    'web/app puts features together',
    'web/src/app/ok9.ts',
    "import '../features/flags/use-flags.ts';\nimport '../ui/button.ts';",
  ],
  [
    'an entry takes the application',
    'web/src/ok10.ts',
    "import './app/shell.ts';\nimport './features/flags/use-flags.ts';",
  ],
  [
    'what stands around takes the exports',
    'bench/ok11.ts',
    "import '@portico/server/app';\nimport 'node:http';",
  ],
];

const wait = /Wait for the result, not for a time/;
const environment = /config\.ts is the only reader of the environment/;

/** The other rules that lint enforces. */
const forbiddenHabits: readonly Example[] = [
  ['a promise nobody waits for', 'server/src/f1.ts', 'async function f() {}\nf();', /Promise/],
  ['a promise where nobody waits', 'server/src/f2.ts', '[1].forEach(async () => {});', /Promise/],
  ['any', 'server/src/f3.ts', 'export const x: any = 1;', /any/],
  [
    'a silenced type error',
    'server/src/f4.ts',
    '// @ts-expect-error wrong\nexport const x: string = 1;',
    /@ts-expect-error/,
  ],
  [
    'the environment read in a feature',
    'server/src/features/flags/f5.ts',
    "export const x = process.env['X'];",
    environment,
  ],
  [
    'the environment imported in a feature',
    'server/src/features/flags/f6.ts',
    "import { env } from 'node:process';\nexport const x = env;",
    environment,
  ],
  [
    'the console instead of the logger',
    'server/src/platform/f7.ts',
    "console.log('x');",
    /Write to the logger/,
  ],
  [
    'the time read past the clock',
    'server/src/features/flags/f8.ts',
    'export const x = Date.now();',
    /Use the clock/,
  ],
  ['a sleep in a test', 'server/src/f9.test.ts', 'await new Promise((done) => setTimeout(done, 10));', wait],
  [
    'a sleep by timers/promises in a test',
    'server/src/f10.test.ts',
    "import { setTimeout as sleep } from 'node:timers/promises';\nawait sleep(1);",
    wait,
  ],
  [
    'a sleep in a browser test',
    'e2e/f11.spec.ts',
    'export const f = (page: { waitForTimeout(ms: number): void }) => page.waitForTimeout(1);',
    wait,
  ],
  ['a default export', 'server/src/f12.ts', 'export default 1;', /named exports/],
  [
    'text outside the catalogues',
    'web/src/features/flags/f13.tsx',
    'export const F = () => <p>Hello</p>;',
    /literal/,
  ],
  [
    'a picture without a text',
    'web/src/features/flags/f14.tsx',
    'export const F = () => <img src="/x.png" />;',
    /alt/,
  ],
  [
    'a hook under a condition',
    'web/src/features/flags/f15.tsx',
    "import { useState } from 'react';\nexport function F({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}",
    /Hook/,
  ],
  ['a name in camel case', 'server/src/features/flags/fanOut.ts', 'export const x = 1;', /kebab/],
];

type Diagnostic = {
  readonly message: string;
  readonly help?: string;
  readonly code: string;
  readonly filename: string;
};

let installation = '';
let diagnostics: readonly Diagnostic[] = [];
let refusedImports: readonly string[] = [];

beforeAll(() => {
  installation = mkdtempSync(join(tmpdir(), 'portico-lint-'));
  symlinkSync(join(root, 'node_modules'), join(installation, 'node_modules'));
  for (const file of ['.oxlintrc.json', 'tsconfig.base.json', 'package.json'])
    cpSync(join(root, file), join(installation, file));
  for (const folder of folders) {
    cpSync(join(root, folder, 'tsconfig.json'), join(installation, folder, 'tsconfig.json'));
  }
  const files = [
    ...Object.entries(neighbours),
    ...[...importsToRefuse, ...importsToAllow, ...forbiddenHabits].map(
      ([, file, code]) => [file, code] as const,
    ),
  ];
  for (const [file, code] of files) {
    mkdirSync(dirname(join(installation, file)), { recursive: true });
    writeFileSync(join(installation, file), `${code}\n`);
  }
  diagnostics = lint(installation);
  refusedImports = forbiddenImports(installation);
});

afterAll(() => rmSync(installation, { recursive: true, force: true }));

function lint(folder: string): readonly Diagnostic[] {
  const command = [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json', ...folders];
  try {
    execFileSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    const { stdout } = error as { stdout: string };
    return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
  }
  throw new Error('oxlint found nothing to report in an installation full of violations');
}

const reportedFor = (file: string) => diagnostics.filter(({ filename }) => filename === file);

describe('the import rules', () => {
  it.each(importsToRefuse)('refuse: %s', (_what, file, _code, message) => {
    const refusals = refusedImports.filter((line) => line.startsWith(`${file}:`));
    expect(refusals).toEqual([expect.stringMatching(message)]);
  });

  it.each(importsToAllow)('leave alone: %s', (_what, file) => {
    expect(refusedImports.filter((line) => line.startsWith(`${file}:`))).toEqual([]);
    expect(reportedFor(file)).toEqual([]);
  });
});

/** Pairs of files: three import each other, each in another way; the next does not. Then two features do, on each side. */
const pairs = {
  'web/src/app/value-a.ts': "import { b } from './value-b.ts';\nexport const a = () => b;\n",
  'web/src/app/value-b.ts': "import { a } from './value-a.ts';\nexport const b = () => a;\n",
  'web/src/app/type-a.ts': "import type { B } from './type-b.ts';\nexport type A = B | null;\n",
  'web/src/app/type-b.ts': "import type { A } from './type-a.ts';\nexport type B = A[];\n",
  'web/src/app/late-a.ts': "export const a = () => import('./late-b.ts');\n",
  'web/src/app/late-b.ts': "import { a } from './late-a.ts';\nexport const b = a;\n",
  'web/src/app/one-way-a.ts': "import { b } from './one-way-b.ts';\nexport const a = b;\n",
  'web/src/app/one-way-b.ts': 'export const b = 1;\n',
  'web/src/features/flags/one.ts': "import { b } from '../people/one.ts';\nexport const a = b;\n",
  'web/src/features/flags/two.ts': 'export type B = 1;\n',
  'web/src/features/people/one.ts': 'export const b = 1;\n',
  'server/src/features/flags/one.ts': "import { b } from '../people/one.ts';\nexport const a = b;\n",
  'server/src/features/flags/two.ts': 'export type B = 1;\n',
  'server/src/features/people/one.ts': 'export const b = 1;\n',
  'server/src/features/people/two.ts': "import type { B } from '../flags/two.ts';\nexport type A = B;\n",
  'web/src/features/people/two.ts': "import type { B } from '../flags/two.ts';\nexport type A = B;\n",
};

describe('the search for circles of imports', () => {
  it('finds files and features that import each other, also types alone, and what is loaded late', () => {
    const folder = mkdtempSync(join(tmpdir(), 'portico-circles-'));
    for (const [file, code] of Object.entries(pairs)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), code);
    }
    const circles = importCircles(folder);
    rmSync(folder, { recursive: true, force: true });
    expect(circles).toEqual([
      expect.stringContaining('server/src/features/flags, server/src/features/people import each other'),
      expect.stringContaining('web/src/app/late-a.ts, web/src/app/late-b.ts import each other'),
      expect.stringContaining('web/src/app/type-a.ts, web/src/app/type-b.ts import each other'),
      expect.stringContaining('web/src/app/value-a.ts, web/src/app/value-b.ts import each other'),
      expect.stringContaining('web/src/features/flags, web/src/features/people import each other'),
    ]);
  });
});

describe('lint', () => {
  it.each(forbiddenHabits)('refuses: %s', (_title, file, _code, message) => {
    const reports = reportedFor(file).map(({ message: what, help = '' }) => `${what} ${help}`);
    expect(reports).toContainEqual(expect.stringMatching(message));
  });
});
