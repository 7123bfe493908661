import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { readUpstreams } from './config-upstreams.ts';
import { plainGuard } from './platform/http/paths.ts';
import { freshDatabase } from './testing/fresh-database.ts';

const reports = { name: 'reports', url: 'http://reports:4000', path: '/reports/' };

function read(environment: Record<string, string>) {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

const errorOf = (file: unknown) =>
  read({ UPSTREAMS: typeof file === 'string' ? file : JSON.stringify(file) }) as string;

it('GATE-1: takes one application by its address, and a list of them with defaults by a file', async () => {
  expect(readConfig({ UPSTREAM_URL: 'http://app:3000' }).upstreams).toEqual([
    {
      name: 'application',
      url: new URL('http://app:3000'),
      host: null,
      path: '/',
      stripPath: false,
      keepHost: true,
      audience: 'application',
      timeoutMs: 60_000,
      identityHeaders: {},
      clientHeaders: [],
      rules: [],
    },
  ]);
  const { dataDir } = await freshDatabase('sqlite');
  const file = join(dataDir, 'upstreams.json');
  const rules = [
    { path: '/reports/api', access: 'token' },
    { path: '/reports/all', right: 'REPORTS_ALL' },
  ];
  const rights = [{ right: 'REPORTS_ALL', label: 'All reports', area: 'Reports' }];
  const other = { ...reports, name: 'other', host: 'Other.example.org', keepHost: false, timeoutSeconds: 5 };
  writeFileSync(file, JSON.stringify({ upstreams: [{ ...reports, rules }, other], rights }));
  const { upstreams, registered } = readConfig({ UPSTREAMS_FILE: file });
  expect(upstreams[0]?.rules).toEqual([
    { ...plainGuard, path: '/reports/api', access: 'token' },
    { ...plainGuard, path: '/reports/all', right: 'REPORTS_ALL' },
  ]);
  expect(upstreams[1]).toMatchObject({ host: 'other.example.org', audience: 'other', timeoutMs: 5_000 });
  expect(registered).toEqual({ rights: [{ ...rights[0], description: '' }], flags: [] });
  writeFileSync(file, '{');
  expect(read({ UPSTREAMS_FILE: file })).toMatch(`UPSTREAMS_FILE ${file} at / holds`);
});

it.each([
  [{}, '/upstreams', 'a list of applications'],
  [[], '/', 'an object with the list'],
  [{ upstreams: [] }, '/upstreams', 'at least one application'],
  [{ upstreams: [{ ...reports, url: 'ftp://reports' }] }, '/upstreams/0/url', 'an origin'],
  [{ upstreams: [{ ...reports, url: 'http://reports/x' }] }, '/upstreams/0/url', 'an origin'],
  [{ upstreams: [{ ...reports, url: 'http://u:p@reports' }] }, '/upstreams/0/url', 'an origin'],
  [{ upstreams: [{ ...reports, host: 'a:80' }] }, '/upstreams/0/host', 'a host name without a port'],
  [{ upstreams: [{ ...reports, path: '/a/../b' }] }, '/upstreams/0/path', 'a path that begins with /'],
  [{ upstreams: [{ ...reports, path: '/a%2Fb' }] }, '/upstreams/0/path', 'a path that begins with /'],
  [{ upstreams: [{ ...reports, cutPath: true }] }, '/upstreams/0', 'no such name'],
  [
    { upstreams: [{ ...reports, path: '/', stripPath: true }] },
    '/upstreams/0/stripPath',
    'a path other than / to cut off',
  ],
  [
    { upstreams: [{ ...reports, identityHeaders: { Host: 'id' } }] },
    '/upstreams/0/identityHeaders/Host',
    'the name of a header about people',
  ],
  [
    { upstreams: [{ ...reports, identityHeaders: { 'X-User': 'mail' } }] },
    '/upstreams/0/identityHeaders/X-User',
    'one of id, email',
  ],
  [
    { upstreams: [{ ...reports, identityHeaders: { 'X-User': 'id', X_USER: 'email' } }] },
    '/upstreams/0/identityHeaders/X_USER',
    'a header that stands here once',
  ],
  [
    { upstreams: [{ ...reports, clientHeaders: ['X-Portico-Email'] }] },
    '/upstreams/0/clientHeaders/0',
    'the name of a header about people',
  ],
  [{ upstreams: [{ ...reports, name: 'portico' }] }, '/upstreams/0/audience', 'another audience'],
  [{ upstreams: [{ ...reports, audience: 'map-server' }] }, '/upstreams/0/audience', 'another audience'],
  [{ upstreams: [{ ...reports, path: '/reports./' }] }, '/upstreams/0/path', 'parts that end in a dot'],
  [{ upstreams: [reports, reports] }, '/upstreams/1/name', 'a name of its own'],
  [
    { upstreams: [reports, { ...reports, name: 'b', path: '/reports' }] },
    '/upstreams/1/path',
    'no other application',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/x' }] }] },
    '/upstreams/0/rules/0/path',
    'a path below /reports/',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reportsx' }] }] },
    '/upstreams/0/rules/0/path',
    'a path below',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a', access: 'all' }] }] },
    '/upstreams/0/rules/0/access',
    '"public"',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a', access: 'public', right: 'A' }] }] },
    '/upstreams/0/rules/0',
    'no right',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a', access: 'token', tokenHeader: 'Cookie' }] }] },
    '/upstreams/0/rules/0/tokenHeader',
    'a header for tokens alone',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a', askPassword: true }] }] },
    '/upstreams/0/rules/0',
    'takes no token',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a' }, { path: '/reports/A/' }] }] },
    '/upstreams/0/rules/1/path',
    'no other rule',
  ],
  [
    { upstreams: [{ ...reports, rules: [{ path: '/reports/a', right: 'reader' }] }] },
    '/upstreams/0/rules/0/right',
    'the name of a right',
  ],
  [
    { upstreams: [reports], rights: [{ right: 'A', label: '', area: 'B' }] },
    '/rights/0/label',
    'a text of 1 to 100',
  ],
  [{ upstreams: [reports], flags: [{ key: 'a b', value: true }] }, '/flags/0/key', "a flag's key"],
  ['not json', '/', 'JSON'],
])('GATE-1 GATE-4: a mistake in %j stops the start with its place %s', (file, at, expected) => {
  const message = errorOf(file);
  expect(message).toContain(`UPSTREAMS at ${at} holds `);
  expect(message).toContain(expected);
});

it('GATE-1: names the place of a mistake, however deep what stands there is', () => {
  const nested = (text: string) => text.replace('_', '['.repeat(60_000) + ']'.repeat(60_000));
  expect(readUpstreams(nested('{"upstreams":[_]}'))).toMatchObject({ at: '/upstreams/0', found: 'a list' });
  expect(readUpstreams(nested('_'))).toMatchObject({ at: '/', found: 'a list' });
});

it('GATE-1: refuses an address together with a list, and one that is more than an origin', () => {
  expect(read({ UPSTREAM_URL: 'http://app:3000/x' })).toMatch('the origin of the application');
  expect(read({ UPSTREAM_URL: 'http://app', UPSTREAMS: '{}' })).toMatch('nothing, since UPSTREAMS lists');
});

it('GATE-1: refuses a file of which a part would be read as another one', () => {
  expect(errorOf('{"upstreams":[{"name":"a","url":"http://a:1","path":"/a/","path":"/"}]}')).toMatch(
    /\/upstreams\/0\/path.*each name once/,
  );
  expect(errorOf('{"upstreams":[],"flags":[{"key":"A","value":9007199254740993}]}')).toContain(
    '/flags/0/value',
  );
});
