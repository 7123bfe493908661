import { expect, it } from 'vitest';
import { etagOf, namesEtag } from './prepared-answers.ts';

it('RIGHT-1: a tag is strong, the same for the same content and another one for another', () => {
  expect(etagOf('["A"]')).toMatch(/^"[\w-]{27}"$/);
  expect(etagOf('["A"]')).toBe(etagOf(Buffer.from('["A"]')));
  expect(etagOf('["A"]')).not.toBe(etagOf('["B"]'));
});

it.each([
  [undefined, false],
  ['', false],
  ['"other"', false],
  ['this', false],
  ['"this"', true],
  ['W/"this"', true],
  ['"other", "this"', true],
  ['"other",W/"this"', true],
  ['*', true],
])('RIGHT-1: If-None-Match %j names the tag: %j', (header, named) => {
  expect(namesEtag(header, '"this"')).toBe(named);
});
