import { expect, it } from 'vitest';
import { requirementFaults } from './requirements.ts';

const document = 'docs/requirements.md';
const written = '- **SES-1** Signing in leads back to where the person was going.\n';
const proof = "it('SES-1: leads back', () => {});";

it('accepts an id that is written down and named by a test', () => {
  const texts = new Map([
    [document, written],
    ['server/src/sign-in.test.ts', proof],
    ['server/src/sign-in.ts', '// See SES-1, UTF-8 and SHA-256.'],
  ]);
  expect(requirementFaults(texts)).toEqual([]);
});

it('finds an id without an entry, once a file', () => {
  const texts = new Map([
    [document, written],
    ['server/src/sign-in.test.ts', proof],
    ['README.md', 'SES-2 and SES-2 again'],
  ]);
  expect(requirementFaults(texts)).toEqual(['README.md: SES-2 has no entry in docs/requirements.md']);
});

// Put together here, so that the check of this repository does not find it in this file.
const one = ['ANN', 1].join('-');

it.each([
  `it('${one}: are shown', () => {});`,
  `test("${one} are shown", () => {});`,
  `it('SES-1, ${one}: are shown', () => {});`,
  `describe('${one}: announcements', () => {});`,
  `it.each(kinds)(\n    \`${one}: of each kind\`, () => {});`,
])('finds the id of a new area that begins a title and has no entry, and its other citations: %s', (test) => {
  const texts = new Map([
    [document, written],
    ['server/src/sign-in.test.ts', proof],
    ['server/src/announcements.test.ts', test],
    ['server/src/announcements.ts', `// See ${one}.`],
  ]);
  expect(requirementFaults(texts)).toEqual([
    `server/src/announcements.test.ts: ${one} has no entry in docs/requirements.md`,
    `server/src/announcements.ts: ${one} has no entry in docs/requirements.md`,
  ]);
});

it('finds an id of a title where the document is missing', () => {
  expect(requirementFaults(new Map([['server/src/sign-in.test.ts', proof]]))).toEqual([
    'server/src/sign-in.test.ts: SES-1 has no entry in docs/requirements.md',
  ]);
});

it.each(['UTF-8 names stay', 'SHA-256 names a file', 'RFC-7: is no area', 'SES-1: reads UTF-16'])(
  'takes the name of a standard for no id: %s',
  (title) => {
    const texts = new Map([
      [document, written],
      ['server/src/sign-in.test.ts', `${proof}\nit('${title}', () => {});`],
      ['README.md', 'UTF-8, UTF-16, SHA-1, RFC-7'],
    ]);
    expect(requirementFaults(texts)).toEqual([]);
  },
);

it('finds an entry that no test names', () => {
  const texts = new Map([
    [document, written],
    ['server/src/sign-in.ts', '// SES-1'],
  ]);
  expect(requirementFaults(texts)).toEqual(['docs/requirements.md: no test names SES-1']);
});

it('takes an id without a text for no entry', () => {
  const texts = new Map([
    [document, '- **SES-1**\n'],
    ['server/src/sign-in.test.ts', proof],
  ]);
  expect(requirementFaults(texts)).toEqual([
    'server/src/sign-in.test.ts: SES-1 has no entry in docs/requirements.md',
  ]);
});
