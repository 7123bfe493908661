import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeReturnTo } from './return-to.ts';

const origin = 'https://portico.example.org';

describe('SES-1: returnTo is same-origin or ignored', () => {
  it.each([
    ['/people?search=a#top', '/people?search=a#top'],
    ['people', '/people'],
    ['https://portico.example.org/flags', '/flags'],
    ['/a/../flags', '/flags'],
    ['/straße', '/stra%C3%9Fe'],
    ['?tab=2', '/?tab=2'],
    ['/authors', '/authors'],
    [`/${'a'.repeat(2047)}`, `/${'a'.repeat(2047)}`],
  ])('SES-1: %j leads to %j', (wanted, path) => {
    expect(safeReturnTo(wanted, { origin, basePath: '' })).toBe(path);
  });

  it.each([
    undefined,
    '',
    'https://evil.example/flags',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/\t/evil.example',
    '\thttps://evil.example',
    'https://portico.example.org@evil.example/',
    'https://portico.example.org.evil.example/',
    'http://portico.example.org/',
    'https://portico.example.org:8443/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://portico.example.org/1',
    '/auth/login?returnTo=/x',
    '/idp/session/end',
    `/${'a'.repeat(2048)}`,
    `/${'ß'.repeat(1000)}`,
  ])('SES-1: %j leads home', (wanted) => {
    expect(safeReturnTo(wanted, { origin, basePath: '' })).toBe('/');
  });

  it.each([
    ['/portico/people?a=1', '/portico/people?a=1'],
    ['/orders/7#top', '/orders/7#top'],
    // The application's own.
    ['/auth/login', '/auth/login'],
    ['/portico', '/portico'],
    ['/portico/auth/login?returnTo=/x', '/portico/'],
    ['/portico/idp', '/portico/'],
    ['/.//evil.example', '/portico/'],
    ['https://evil.example/portico/people', '/portico/'],
    [undefined, '/portico/'],
  ])('SES-1, GATE-1: below /portico %j leads to %j', (wanted, path) => {
    expect(safeReturnTo(wanted, { origin, basePath: '/portico' })).toBe(path);
  });

  it('SES-1: whatever is asked for, a browser stays on our origin', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '//',
      '.',
      '..',
      '%2f',
      '%2e',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      'https:',
      'evil.example',
      'a',
      ' ',
    );
    const wanted = fc.oneof(
      fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.webUrl(),
      fc.string(),
    );
    fc.assert(
      fc.property(wanted, (text) => {
        const path = safeReturnTo(text, { origin, basePath: '' });
        expect(path).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
        expect(new URL(path, `${origin}/auth/callback`).origin).toBe(origin);
        expect(safeReturnTo(path, { origin, basePath: '' })).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });
});
