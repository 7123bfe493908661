import { describe, expect, it } from 'vitest';
import { type UpstreamsFile, readUpstreams } from '#server/config-upstreams.ts';
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
      { name: 'jobs', url: 'http://app:3000', path: '/jobs', rules: [{ path: '/jobs', right: 'JOBS' }] },
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

  it.each(['/JOBS/x', '/%6aobs', '//jobs', '/jobs;v=1/x'])(
    'is not the outer one of two at one server for a path that may be read as one of the inner: %s',
    (target) => {
      expect(place('/jobs/x')).toBe('jobs session JOBS');
      expect(place(target)).toBe('ambiguous');
    },
  );

  it('is found in bounded time, whatever the path is made of', () => {
    const { user } = process.cpuUsage();
    for (const [before, many, after] of [
      ['/%2541', ':', ''],
      ['/%2541', '.', 'x'],
      ['/a', ':', '/$b'],
      ['/%41', '%20/+%20', 'x'],
    ])
      find(`${before}${many?.repeat(50_000)}${after}`, 'a');
    // Seconds of work where each of them is a new beginning.
    expect(process.cpuUsage().user - user).toBeLessThan(5_000_000);
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
    '/wiki/Foo%E2%80%A6',
    '/wiki/A%EF%BC%8FB%EF%BC%9Ac',
    '/wiki/C%23/x',
    '/wiki/%C3%A9t%C3%A9',
    '/caf%E9',
    '/wiki/%F0%9F%98%80',
    '/files/My%20doc%20',
    '/v1/items:batch',
    '/x/100%',
    '/c++',
  ])('is that of every path where no other one is near: %s', (target) => {
    expect(place(target)).toBe('application session');
  });

  it('is none where a path could be under two rights, of which the caller may hold one', () => {
    const { upstreams: two } = readUpstreams(
      JSON.stringify({
        upstreams: [
          {
            name: 'shop',
            url: 'http://shop:1',
            rules: [
              { path: '/a', right: 'ALL_OF_IT' },
              { path: '/a/b', right: 'PART_OF_IT' },
            ],
          },
        ],
      }),
    ) as UpstreamsFile;
    const findTwo = createFindUpstream(two);
    expect(findTwo('/a/b/c', 'x')).toMatchObject({ rule: { right: 'PART_OF_IT' } });
    expect(findTwo('/a/B/c', 'x')).toMatchObject({ refused: 'ambiguous' });
    expect(findTwo('/A/x', 'x')).toMatchObject({ rule: { right: 'ALL_OF_IT' } });
  });

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

  it.each([
    '/ADMIN/x',
    '/%61dmin',
    '//admin',
    '/admin;jsessionid=1/x',
    '/;x/admin/',
    '/admin/a%2fb',
    '/admin.',
    '/admin./x',
    '/admin%2e',
    '/admin. ./x'.replace(' ', '%20'),
    '/admin%20',
    '/%20admin/x',
    '/admin+',
    '/admin::$DATA',
    '/admin:$I30:$INDEX_ALLOCATION/x',
    '/admin%3a%24data',
  ])('guards in every way to write it: %s', (target) => {
    expect(place(target)).toBe('application session ADMIN');
  });

  it.each([
    ['/OPEN/a', 'application session'],
    ['/%6fpen/a', 'application session'],
    ['//open/a', 'application session'],
    ['/open/INNER', 'application session'],
    ['/open//inner/x', 'application session'],
    ['/API/x', 'application session'],
    ['/open./a', 'application session'],
    ['/open%20/a', 'application session'],
    ['/open::$DATA', 'application session'],
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
    '/admin%0a',
    '/admin%09',
    '/x%0d%0ay',
    '/x%7f',
    '/x%250ay',
    '/%c1%a1dmin',
    '/%25c1%25a1dmin',
    '/%e0%81%a1dmin',
    '/%f0%80%81%a1dmin',
    '/%u0061dmin',
    '/%25u0061dmin',
    '/x/...',
    '/open/%e2%80%a5/admin',
    '/open%ef%bc%8f%ef%bc%8e%ef%bc%8e%ef%bc%8fadmin',
    '/%ef%bd%81dmin',
    '/adm%c4%b1n',
    '/adm%c4%b0n',
    '/%c3%a1dmin',
    '/ad%e2%80%8bmin',
    '/ad%c2%admin',
    '/ad%ffmin',
    '/admin%c2%a0',
    '/admin%c2%85',
    '/admin%ef%bc%8fx',
    '/admin%ef%bc%9bx/y',
    '/admin%3fx',
    '/admin%2523/x',
    'http://other.example.org/',
    'http://www.example.org@other.example.org/',
    '*',
    'other.example.org:443',
    'admin',
  ])('is refused where servers could read it in two ways: %s', (target) => {
    expect(place(target)).toBe('ambiguous');
  });
});

describe('GATE-1: a path that WebDAV names in addition to that of the request', () => {
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
    ['/jobs/x', true],
    ['//www.example.org/admin/x', true],
    ['//www.example.org/other', true],
    ['http:/admin/x', true],
    ['http:admin/x', true],
    ['http:///admin/x', true],
    ['', false],
    [undefined, false],
  ])('is refused where other rules hold for it: %s', (destination, expected) => {
    const to = find('/files/x', 'www.example.org') as Destination;
    expect(reachesOtherRules(find, to, destination, 'www.example.org')).toBe(expected);
    const admin = find('/admin/x', 'www.example.org') as Destination;
    expect(reachesOtherRules(find, admin, '/admin/y', 'www.example.org')).toBe(false);
  });

  it('is read as an application knows it whose prefix is cut off', () => {
    const { upstreams: cut } = readUpstreams(
      JSON.stringify({
        upstreams: [
          {
            name: 'calendar',
            url: 'http://calendar:5232',
            path: '/calendar',
            stripPath: true,
            rules: [{ path: '/calendar/admin', right: 'ADMIN' }],
          },
          { name: 'application', url: 'http://app:3000' },
        ],
      }),
    ) as UpstreamsFile;
    const both = createFindUpstream(cut);
    const from = (path: string, destination: string) =>
      reachesOtherRules(both, both(path, 'a') as Destination, destination, 'a');
    for (const to of ['/admin/x', 'https://a/admin/x', '/ADMIN/x', '/calendar/admin/x', '//admin/x'])
      expect([to, from('/calendar/x', to)]).toEqual([to, true]);
    for (const to of ['/calendar/y', 'https://a/calendar/y', '/y'])
      expect([to, from('/calendar/x', to)]).toEqual([to, false]);
    expect(from('/calendar/admin/x', 'https://a/calendar/admin/y')).toBe(false);
  });
});
