import { expect, it } from 'vitest';
import { requirementFaults } from './requirements.mjs';

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

it('finds an id without an entry, once a file, also where the document is missing', () => {
  expect(requirementFaults(new Map([['README.md', 'SES-1 and SES-1 again']]))).toEqual([
    'README.md: SES-1 has no entry in docs/requirements.md',
  ]);
});

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
