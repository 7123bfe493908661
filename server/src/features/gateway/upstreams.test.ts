import { describe, expect, it } from 'vitest';
import type { UpstreamsFile } from '../../config-upstreams.ts';
import { readUpstreams } from '../../config-upstreams.ts';
import { createFindUpstream, reachesOtherRules, type Destination } from './upstreams.ts';

const { upstreams } = readUpstreams(
  JSON.stringify({
    upstreams: [
      {
        name: 'application',
        url: 'http://app:3000',
        rules: [
          { path: '/open', access: 'public', whileClosed: true },
          { path: '/open/inner' },
          { path: '/admin', right: 'ADMIN' },
          { path: '/api', access: 'token' },
        ],
      },
      { name: 'reports', url: 'http://reports:4000', path: '/reports/' },
      { name: 'wiki', url: 'http://wiki:5000', host: 'wiki.example.org' },
    ],
  }),
) as UpstreamsFile;
const find = createFindUpstream(upstreams);

function place(target: string, host = 'www.example.org'): string {
  const found = find(target, host);
  if ('refused' in found) return found.refused;
  const { upstream, rule } = found;
  return [upstream.name, rule.access, rule.right, rule.whileClosed ? 'open' : null]
    .filter((part) => part !== null)
    .join(' ');
}

describe('GATE-1: the application of a request', () => {
  it.each([
    ['/', 'www.example.org', 'application session'],
    ['/reports', 'www.example.org', 'reports session'],
    ['/reports/2026?x=/admin', 'www.example.org', 'reports session'],
    ['/reportsx', 'www.example.org', 'application session'],
    ['/reports/', 'wiki.example.org:8443', 'wiki session'],
    ['/', 'WIKI.example.org.', 'wiki session'],
    ['/', 'wiki.example.org.evil.example', 'application session'],
    ['/', undefined, 'application session'],
  ])('is found by path and host: %s of %s', (target, host, expected) => {
    expect(place(target, host)).toBe(expected);
  });

  it('is none where no application has the path', () => {
    const [, reports] = upstreams;
    const findReports = createFindUpstream(reports === undefined ? [] : [reports]);
    expect(findReports('/other', 'a')).toMatchObject({ refused: 'unknown' });
  });

  it('is sent the target byte for byte', () => {
    const target = '/x/%41%2fb;v=1//c?q=%zz&/../';
    expect(find(target, 'a')).toMatchObject({ target });
    expect(find('http://a:80/x?y', 'A:80')).toMatchObject({ target: '/x?y' });
    expect(find('http://a?y', 'a')).toMatchObject({ target: '/?y' });
  });
});

describe('GATE-2: the rule for a path', () => {
  it.each([
    ['/open/a', 'application public open'],
    ['/open', 'application public open'],
    ['/opener', 'application session'],
    ['/open/inner/b', 'application session'],
    ['/admin', 'application session ADMIN'],
    ['/api/x', 'application token'],
  ])('is the longest: %s', (target, expected) => {
    expect(place(target)).toBe(expected);
  });

  it.each(['/ADMIN/x', '/%61dmin', '//admin', '/admin;jsessionid=1/x', '/;x/admin/', '/admin/a%2fb'])(
    'guards in every way to write it: %s',
    (target) => {
      expect(place(target)).toBe('application session ADMIN');
    },
  );

  it.each([
    ['/OPEN/a', 'application session'],
    ['/%6fpen/a', 'application session'],
    ['//open/a', 'application session'],
    ['/open/INNER', 'application session'],
    ['/open//inner/x', 'application session'],
    ['/API/x', 'application session'],
  ])('opens only what is written as the rule: %s', (target, expected) => {
    expect(place(target)).toBe(expected);
  });

  it.each([
    '/admin/../x',
    '/x/../admin',
    '/x/./y',
    '/..',
    '/open/%2e%2e/admin',
    '/open/.%2E/admin',
    '/open/..;/admin',
    '/open/%252e%252e/admin',
    '/open%2F..%2Fadmin',
    '/x%2f..',
    '/x%5c..%5cadmin',
    '/x\\..\\admin',
    '/open/%c0%ae%c0%ae/admin',
    '/%00',
    '/a%2500b',
    '/a\u0000b',
    '/a b',
    '/a#b',
    '/admin%2Fx',
    '/admin%3Bx',
    '/%2Fadmin',
    '/open%2Finner',
    '/%2561dmin',
    'http://other.example.org/',
    'http://www.example.org@other.example.org/',
    '*',
    'other.example.org:443',
    'admin',
  ])('is refused where servers could read it in two ways: %s', (target) => {
    expect(place(target)).toBe('ambiguous');
  });
});

describe('GATE-1: a path that WebDAV names beside that of the request', () => {
  it.each([
    ['https://www.example.org/other', false],
    ['https://www.example.org/admin/x', true],
    ['https://elsewhere.example.org/admin/x', true],
    ['/admin', true],
    ['admin', true],
    ['/ADMIN/x', true],
    ['/%61dmin/x', true],
    ['/x/../admin', true],
    ['/x/%2e%2e/admin', true],
    ['/open/x', true],
    ['/reports/x', false],
    ['', false],
    [undefined, false],
  ])('is refused where other rules hold for it: %s', (destination, expected) => {
    const to = find('/files/x', 'www.example.org') as Destination;
    expect(reachesOtherRules(find, to, destination, 'www.example.org')).toBe(expected);
    const admin = find('/admin/x', 'www.example.org') as Destination;
    expect(reachesOtherRules(find, admin, '/admin/y', 'www.example.org')).toBe(false);
  });
});
