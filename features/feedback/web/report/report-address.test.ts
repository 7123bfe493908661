import { describe, expect, it } from 'vitest';
import { webAddress } from './report-address.tsx';

describe('BUG-8: the address of a report is a link only where it leads to a page', () => {
  it('BUG-8: http and https', () => {
    expect(webAddress('https://app.example.org/map?x=1#here')).toBe('https://app.example.org/map?x=1#here');
    expect(webAddress('http://localhost:4000')).toBe('http://localhost:4000/');
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.org/1',
    '//example.org/without-a-scheme',
    '/people',
    'the page with the map',
    '',
  ])('BUG-8: %s stays text', (text) => expect(webAddress(text)).toBeNull());
});
