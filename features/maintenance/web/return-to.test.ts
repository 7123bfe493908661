import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { returnTo, returnAddressOf } from './return-to.ts';

const origin = 'https://portico.test';
const from = (wanted: string) => `?${new URLSearchParams({ from: wanted })}`;

describe('MAINT-3: the way back', () => {
  it('MAINT-3: leads to where people were, with query and fragment', () => {
    for (const path of ['/', '/flags', '/flags?q=a%20b&x=1#top', '/people/ü', '/?from=/x']) {
      expect(returnTo(from(path))).toBe(path);
    }
    expect(returnTo('')).toBe('/');
    expect(returnTo('?other=1')).toBe('/');
  });

  it('GATE-2: is the page’s own address where it stands in the place of an application’s page', () => {
    const wayBack = (address: string) => returnAddressOf(new URL(address, origin));
    expect(wayBack('/reports?x=1#top')).toBe(`${origin}/reports?x=1#top`);
    expect(wayBack(`${origin}//evil.test`)).toBe(`${origin}//evil.test`);
    expect(wayBack('/system-maintenance?from=/flags')).toBe('/flags');
    expect(wayBack('/system-maintenance?from=/flags#top')).toBe('/flags#top');
    expect(wayBack('/system-maintenance?from=%2Fflags%23own#top')).toBe('/flags#own');
  });

  it.each([
    'https://evil.test/',
    '//evil.test/',
    String.raw`/\evil.test`,
    String.raw`\\evil.test`,
    '/\t/evil.test',
    '/\n/evil.test',
    '\t//evil.test',
    ' //evil.test',
    'javascript:alert(1)',
    'flags',
    '',
    '/system-maintenance',
    '/system-maintenance?from=/flags',
  ])('MAINT-3: leads home instead of to %j', (wanted) => {
    expect(returnTo(from(wanted))).toBe('/');
  });

  it('MAINT-3: never leaves the origin', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '\t',
      '\n',
      ' ',
      'evil.test',
      'javascript:',
      '%2f',
    );
    const wish = fc.oneof(
      fc.string(),
      fc.webUrl(),
      fc.array(pieces).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(wish, (wanted) => {
        const target = new URL(returnTo(from(wanted)), `${origin}/system-maintenance`);
        expect(target.origin).toBe(origin);
      }),
      { numRuns: 2000 },
    );
  });
});
