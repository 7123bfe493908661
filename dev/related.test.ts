import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { relatedTests } from './related.ts';

const files = {
  'server/src/routes.test.ts': "import './testing/contract-routes.ts';",
  'server/src/app.test.ts': '',
  'server/src/platform/time/clock.test.ts': '',
  'web/src/app/catalogue.test.ts': "import './catalogue.ts';",
  'features/erasure/server/erasure.test.ts':
    "const data = globSync('features/*/server/testing/personal-data.ts');",
  'features/orders/server/total.test.ts': '',
  'features/orders/server/bills/bill.test.ts': '',
  'features/orders/web/order-list.test.tsx': '',
  'features/people/server/people.test.ts': '',
};
const orders = [
  'features/orders/server/total.test.ts',
  'features/orders/server/bills/bill.test.ts',
  'features/orders/web/order-list.test.tsx',
];

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
  ['features/orders/server/total.ts', orders],
  ['features/orders/contract/orders.ts', ['server/src/routes.test.ts', ...orders.toSorted()]],
  ['features/orders/server/orders.store.ts', ['features/erasure/server/erasure.test.ts', ...orders]],
  ['features/orders/web/texts/de.json', ['web/src/app/catalogue.test.ts', ...orders.toSorted()]],
  ['features/people/server/people.test.ts', ['features/people/server/people.test.ts']],
  ['server/src/platform/time/clock.ts', ['server/src/platform/time/clock.test.ts']],
  ['server/src/app.ts', ['server/src/routes.test.ts', 'server/src/app.test.ts']],
  ['docs/orders.md', []],
])(
  'START-2: to a change of %s belong the tests of its capability, the nearest first, and those of all of its kind',
  (changed, tests) => {
    expect(relatedTests(folder, [changed])).toEqual(tests);
  },
);
