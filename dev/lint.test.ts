import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFaults } from './imports.ts';

// A small installation laid out like this repository, linted with this repository's own configuration: each
// forbidden example must be reported with the message that explains the right way, and allowed ones must not
// be reported.
const root = resolve(import.meta.dirname, '..');

const folders = ['contract', 'server', 'web', 'features', 'dev', 'bench', 'e2e'];

/** What the examples below import; every import resolves, as it does in the real tree. */
const neighbours = {
  'contract/src/route.ts': 'export const route = 1;\n',
  'features/flags/contract/flags.ts': 'export const flag = 1;\nexport type Flag = number;\n',
  'server/src/app.ts': 'export const app = 1;\n',
  'server/src/ground.ts': 'export type Ground = { port: number };\nexport const ground = 1;\n',
  'server/src/config.ts':
    'export type Config = { port: number };\nexport const port = process.env["PORT"];\n',
  'server/src/platform/time/clock.ts': 'export const now = () => Date.now();\n',
  'server/src/testing/boot.ts': "import { app } from '../app.ts';\nexport const booted = app;\n",
  'features/flags/server/flags.store.ts': 'export const store = 1;\nexport type Reader = number;\n',
  'web/src/app/shell.ts': 'export const shell = 1;\n',
  'web/src/platform/calls/call.ts': 'export const call = 1;\n',
  'web/src/ui/button.ts': 'export const button = 1;\n',
  'features/maintenance/web/console/screen.ts': 'export const screen = 1;\n',
  'features/flags/web/use-flags.ts': 'export const useFlags = 1;\nexport type Flags = number;\n',
};

type Example = readonly [title: string, file: string, code: string, message: RegExp];

const contractOnly = /imports its schema library only/;
const platformKnowsNoFeature = /The platform, the configuration and the core know no feature/;
const passedIn = /ground\.ts passes in the rest/;
const theType = /A feature takes the type/;
const ofTheWeb = /It belongs to the web/;
const ofTheServer = /It belongs to the server/;
const late = /nothing of the console, whose parts load late/;

/** One forbidden import for each rule of ARCHITECTURE.md, "Who may import whom". */
const importsToRefuse: readonly Example[] = [
  ['the contract imports a package', 'contract/src/a1.ts', "import 'kysely';", contractOnly],
  [
    'the contract imports a package with a scope',
    'contract/src/a2.ts',
    "import '@fastify/static';",
    contractOnly,
  ],
  ['the contract imports from Node', 'features/flags/contract/a3.ts', "import 'node:fs';", contractOnly],
  ['the contract imports the server', 'contract/src/a4.ts', "import '#server/app.ts';", contractOnly],
  [
    'the contract of a capability imports its server',
    'features/flags/contract/a5.ts',
    "import type { Reader } from '#features/flags/server/flags.store.ts';\nexport type Given = Reader;",
    contractOnly,
  ],
  [
    'the platform imports a feature',
    'server/src/platform/b1.ts',
    "import '#features/flags/server/flags.store.ts';",
    platformKnowsNoFeature,
  ],
  [
    'the platform imports a type of a feature',
    'server/src/platform/time/b2.ts',
    "import type { Reader } from '#features/flags/server/flags.store.ts';\nexport type Given = Reader;",
    platformKnowsNoFeature,
  ],
  [
    'the platform imports the configuration',
    'server/src/platform/time/b3.ts',
    "import '../../config.ts';",
    platformKnowsNoFeature,
  ],
  ['a feature imports the application', 'features/flags/server/b4.ts', "import '#server/app.ts';", passedIn],
  [
    'a feature loads the application late',
    'features/flags/server/b5.ts',
    "export const late = () => import('#server/app.ts');",
    passedIn,
  ],
  [
    'a feature imports what only tests use',
    'features/flags/server/b6.ts',
    "import '#server/testing/boot.ts';",
    passedIn,
  ],
  [
    'a feature reads the configuration itself',
    'features/flags/server/b7.ts',
    "import '#server/config.ts';",
    theType,
  ],
  [
    'a feature takes a value of the ground',
    'features/flags/server/b8.ts',
    "import '#server/ground.ts';",
    theType,
  ],
  [
    'the configuration takes a type from a feature',
    'server/src/config-mail.ts',
    "import type { Reader } from '#features/flags/server/flags.store.ts';\nexport type Given = Reader;",
    platformKnowsNoFeature,
  ],
  [
    'web/ui imports the platform',
    'web/src/ui/c1.ts',
    "import '../platform/calls/call.ts';",
    /imports nothing local/,
  ],
  [
    'web/ui imports the contract',
    'web/src/ui/c2.ts',
    "import '#contract/route.ts';",
    /imports nothing local/,
  ],
  [
    'web/platform imports a piece of the interface',
    'web/src/platform/c3.ts',
    "import '../ui/button.ts';",
    /web\/platform knows the contract only/,
  ],
  [
    'web/platform imports a type of a feature',
    'web/src/platform/calls/c4.ts',
    "import type { Flags } from '#features/flags/web/use-flags.ts';\nexport type Given = Flags;",
    /web\/platform knows the contract only/,
  ],
  [
    'a web feature imports the shell',
    'features/flags/web/c5.ts',
    "import '#web/app/shell.ts';",
    /A web feature imports/,
  ],
  ['the web imports from Node', 'web/src/platform/c6.ts', "import 'node:fs';", ofTheServer],
  ['the web imports a package of the server', 'features/people/web/c7.ts', "import 'fastify';", ofTheServer],
  [
    'what every page carries imports the router',
    'features/maintenance/web/banner.tsx',
    "import '@tanstack/react-router';",
    late,
  ],
  [
    'what every page carries imports the query cache',
    'web/src/ui/c8.ts',
    "import '@tanstack/react-query';",
    late,
  ],
  [
    'what every page carries imports a part of its console',
    'features/maintenance/web/notice.ts',
    "import './console/screen.ts';",
    late,
  ],
  [
    'what every page carries imports a part of the console of another',
    'features/session/web/c9.ts',
    "import '#features/maintenance/web/console/screen.ts';",
    late,
  ],
  ['the server imports the web', 'server/src/d1.ts', "import '#web/ui/button.ts';", ofTheWeb],
  [
    'a feature imports its web',
    'features/flags/server/d2.ts',
    "import '#features/flags/web/use-flags.ts';",
    ofTheWeb,
  ],
  ['the server imports a package of the web', 'features/flags/server/d3.ts', "import 'react';", ofTheWeb],
  [
    'the server imports part of a package of the web',
    'server/src/d4.ts',
    "import '@tanstack/react-query';",
    ofTheWeb,
  ],
  ['the web imports the server', 'web/src/d5.ts', "import '#server/app.ts';", ofTheServer],
  [
    'a feature imports its server',
    'features/flags/web/d6.ts',
    "import '#features/flags/server/flags.store.ts';",
    ofTheServer,
  ],
];

/** What the rules are meant to leave alone. */
const importsToAllow: readonly (readonly [title: string, file: string, code: string])[] = [
  [
    'the contract takes its schema library and itself',
    'features/people/contract/ok1.ts',
    "import 'zod/mini';\nimport '#contract/route.ts';\nimport '#features/flags/contract/flags.ts';\nimport './ok2.ts';",
  ],
  ['a contract without imports', 'features/people/contract/ok2.ts', 'export const x = 1;'],
  [
    'the platform takes the contract, packages and Node',
    'server/src/platform/ok3.ts',
    "import '#contract/route.ts';\nimport 'kysely';\nimport 'node:fs';\nimport './time/clock.ts';",
  ],
  [
    'a feature takes the platform, packages, itself, other features and types of the core',
    'features/people/server/ok4.ts',
    "import '#server/platform/time/clock.ts';\nimport 'jose';\nimport './ok5.ts';\nimport '#features/flags/server/flags.store.ts';\nimport type { Ground } from '#server/ground.ts';\nexport type Given = Ground;",
  ],
  [
    'a feature takes the contract',
    'features/people/server/ok5.ts',
    "import '#features/flags/contract/flags.ts';",
  ],
  [
    'the composition takes features and platform',
    'server/src/ok6.ts',
    "import '#features/flags/server/flags.store.ts';\nimport './platform/time/clock.ts';\nimport './config.ts';",
  ],
  [
    'a test boots the real application',
    'features/people/server/ok7.test.ts',
    "import '#server/testing/boot.ts';\nimport '#server/app.ts';\nimport '#features/flags/server/flags.store.ts';",
  ],
  [
    'a web feature takes the contract, platform, ui, packages and other features',
    'features/people/web/ok8.ts',
    "import '#features/flags/contract/flags.ts';\nimport '#web/platform/calls/call.ts';\nimport '#web/ui/button.ts';\nimport '@tanstack/react-query';\nimport '#features/flags/web/use-flags.ts';",
  ],
  [
    'the console takes packages and the pieces of members',
    'features/maintenance/web/console/ok9.ts',
    "import '@tanstack/react-query';\nimport '../notice.ts';",
  ],
  [
    'web/app puts features together',
    'web/src/app/ok10.ts',
    "import '#features/flags/web/use-flags.ts';\nimport '../ui/button.ts';",
  ],
  ['what stands around takes both', 'bench/ok11.ts', "import '#server/app.ts';\nimport 'node:http';"],
];

/** Pairs of files that import each other, each in another way, and what only `dev/imports.ts` sees. */
const circles = {
  'web/src/app/value-a.ts': "import { b } from './value-b.ts';\nexport const a = () => b;",
  'web/src/app/value-b.ts': "import { a } from './value-a.ts';\nexport const b = () => a;",
  'web/src/app/type-a.ts': "import type { B } from './type-b.ts';\nexport type A = B | null;",
  'web/src/app/type-b.ts': "import type { A } from './type-a.ts';\nexport type B = A[];",
  'features/bills/server/bill.ts': "import '#features/orders/server/total.ts';",
  'features/orders/server/total.ts': 'export const total = 1;',
  'features/orders/server/order.ts': "export const late = () => import('#features/bills/server/tax.ts');",
  'features/bills/server/tax.ts': 'export const tax = 1;',
  'features/orders/web/passing.ts': "export type { Flags } from '#features/flags/web/use-flags.ts';",
  'features/orders/web/leaving.ts': "import '../../people/web/ok8.ts';",
  'web/src/app/by-path.ts': "import '../../../features/flags/web/use-flags.ts';",
};

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
    'features/flags/server/f5.ts',
    "export const x = process.env['X'];",
    environment,
  ],
  [
    'the environment imported in a feature',
    'features/flags/server/f6.ts',
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
    'features/flags/server/f8.ts',
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
    'features/flags/web/f13.tsx',
    'export const F = () => <p>Hello</p>;',
    /literal/,
  ],
  [
    'a picture without a text',
    'features/flags/web/f14.tsx',
    'export const F = () => <img src="/x.png" />;',
    /alt/,
  ],
  [
    'a hook under a condition',
    'features/flags/web/f15.tsx',
    "import { useState } from 'react';\nexport function F({ on }: { on: boolean }) {\n  if (on) useState(1);\n  return null;\n}",
    /Hook/,
  ],
  ['a name in camel case', 'features/flags/server/fanOut.ts', 'export const x = 1;', /kebab/],
];

type Diagnostic = {
  readonly message: string;
  readonly help?: string;
  readonly code: string;
  readonly filename: string;
};

let installation = '';
let diagnostics: readonly Diagnostic[] = [];

beforeAll(() => {
  installation = mkdtempSync(join(tmpdir(), 'portico-lint-'));
  symlinkSync(join(root, 'node_modules'), join(installation, 'node_modules'));
  for (const file of ['.oxlintrc.json', 'tsconfig.base.json', 'package.json'])
    cpSync(join(root, file), join(installation, file));
  for (const folder of folders.filter((name) => name !== 'features')) {
    cpSync(join(root, folder, 'tsconfig.json'), join(installation, folder, 'tsconfig.json'));
  }
  const files = [
    ...Object.entries(neighbours),
    ...Object.entries(circles),
    ...[...importsToRefuse, ...importsToAllow, ...forbiddenHabits].map(
      ([, file, code]) => [file, code] as const,
    ),
  ];
  for (const [file, code] of files) {
    mkdirSync(dirname(join(installation, file)), { recursive: true });
    writeFileSync(join(installation, file), `${code}\n`);
  }
  diagnostics = lint(installation);
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

const messagesFor = (file: string) => reportedFor(file).map(({ message, help = '' }) => `${message} ${help}`);

describe('the import rules', () => {
  it.each(importsToRefuse)('refuse: %s', (_what, file, _code, message) => {
    expect(messagesFor(file)).toContainEqual(expect.stringMatching(message));
  });

  it.each(importsToAllow)('leave alone: %s', (_what, file) => {
    expect(messagesFor(file)).toEqual([]);
  });

  it.each(['value', 'type'])('find files that import each other: a %s', (kind) => {
    expect(messagesFor(`web/src/app/${kind}-a.ts`)).toContainEqual(expect.stringMatching(/[Cc]ycle/));
  });

  it('find circles of capabilities, names that are passed on, and paths that leave their folder', () => {
    expect(importFaults(installation).toSorted()).toEqual([
      expect.stringContaining(
        'features/orders/web/leaving.ts: ../../people/web/ok8.ts leaves features/orders/web/.',
      ),
      'features/orders/web/passing.ts passes on what another file declares. Import that where it is used.',
      'server of bills → server of orders → server of bills: move what they share below both.',
      expect.stringContaining(
        'web/src/app/by-path.ts: ../../../features/flags/web/use-flags.ts leaves web/src/.',
      ),
    ]);
  });
});

describe('lint', () => {
  it.each(forbiddenHabits)('refuses: %s', (_title, file, _code, message) => {
    expect(messagesFor(file)).toContainEqual(expect.stringMatching(message));
  });
});
