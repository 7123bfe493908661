import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { relatedTests } from './related.ts';

const files = {
  'contract/src/orders.ts': '',
  'server/src/app.ts': "import './features/orders/orders.store.ts';",
  'server/src/testing/app.ts': "import '../app.ts';",
  'server/src/testing/contract-routes.ts': '',
  'server/src/routes.test.ts': "import './testing/app.ts';\nimport './testing/contract-routes.ts';",
  'server/src/far.test.ts': "import './testing/app.ts';",
  'server/src/features.ts': '',
  'server/src/features/erasure/erasure.test.ts': "import '../../features.ts';",
  'server/src/platform/database/schema.ts': '',
  'web/src/app/catalogue.ts': '',
  'web/src/app/catalogue.test.ts': "import './catalogue.ts';",
  'server/src/features/orders/total.ts': '',
  'server/src/features/orders/orders.store.ts': "import './total.ts';\nimport '@portico/contract/orders';",
  'server/src/features/orders/orders.test.ts': "import '../../testing/app.ts';",
  'server/src/features/orders/total.test.ts': "import './total.ts';",
  'server/src/features/bills/bill.test.ts': "import './bill.ts';",
  'server/src/features/bills/bill.ts': "export const late = () => import('../orders/total.ts');",
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-related-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each<[changed: string, tests: string[]]>([
  [
    'server/src/features/orders/total.ts',
    [
      'server/src/features/orders/orders.test.ts',
      'server/src/features/orders/total.test.ts',
      'server/src/features/bills/bill.test.ts',
    ],
  ],
  ['server/src/features/bills/bill.test.ts', ['server/src/features/bills/bill.test.ts']],
  ['contract/src/orders.ts', ['server/src/routes.test.ts']],
  ['server/src/app.ts', ['server/src/far.test.ts', 'server/src/routes.test.ts']],
  ['server/src/platform/database/schema.ts', ['server/src/features/erasure/erasure.test.ts']],
  ['web/src/features/orders/texts/de.json', ['web/src/app/catalogue.test.ts']],
  ['docs/orders.md', []],
])(
  'START-2: to a change of %s belong the tests beside it and those that reach it past the whole application',
  (changed, tests) => {
    expect(relatedTests(folder, [changed]).toSorted()).toEqual(tests.toSorted());
  },
);

it('START-2: the nearest test comes first', () => {
  const tests = relatedTests(folder, ['server/src/features/orders/total.ts']);
  expect(tests.at(-1)).toBe('server/src/features/bills/bill.test.ts');
});

it('START-2: tests of all routes come before the neighbours of what has changed', () => {
  const changed = ['contract/src/orders.ts', 'server/src/features/orders/orders.routes.ts'];
  expect(relatedTests(folder, changed)[0]).toBe('server/src/routes.test.ts');
});
