import { expect, it } from 'vitest';
import { subjectOf } from './subject.ts';

const jwt = (claims: unknown) => {
  const bytes = new TextEncoder().encode(JSON.stringify(claims));
  const payload = btoa(String.fromCharCode(...bytes));
  return `e30.${payload.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.sig`;
};

it('SES-2: reads whose token it is', () => {
  expect(subjectOf(jwt({ sub: 'ada', name: 'Zoë ÿ?>~' }))).toBe('ada');
});

it.each(['', 'opaque', 'a.b.c', jwt(null), jwt({ sub: 7 }), jwt('text')])('SES-2: of %j nothing', (token) => {
  expect(subjectOf(token)).toBe('');
});
