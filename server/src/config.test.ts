import { objectStoreLocationForm } from './platform/object-store/object-store-location.ts';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, type Config } from './config.ts';
import { startProcess } from './testing/child-process.ts';
import { freshDatabase } from './testing/fresh-database.ts';

type Environment = Record<string, string>;

function errorOf(environment: Environment): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no error';
}

const https = { PUBLIC_URL: 'https://portico.example.org' };
const flagHost = { FLAGS_HOST: 'https://flags.example.org', FLAGS_CLIENT_KEY: 'sdk-1' };

describe('the configuration', () => {
  it('START-1: needs nothing at all', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      origin: 'http://localhost:3000',
      basePath: '',
      publicUrl: 'http://localhost:3000',
      upstreams: [],
      registered: { rights: [], flags: [] },
      dataDir: resolve('./data'),
      database: { engine: 'sqlite', dataDir: resolve('./data') },
      allowClockBehind: false,
      production: true,
      strictTransport: 'host',
      trustProxy: false,
      internalHosts: [],
      authCheckSecrets: [],
      authCheckHeader: null,
      localFlags: [],
      flagsHost: null,
      geoserver: null,
      geoserverDevelopUrl: null,
      feedbackOrigins: ['http://localhost:3000'],
      feedbackWithoutSignIn: false,
      faults: 'own',
      apiToken: null,
      operator: null,
      oidc: null,
      mail: null,
      sessionIdleMs: 12 * 3_600_000,
      sessionMaxMs: 7 * 24 * 3_600_000,
      logLevel: 'info',
      auditLog: null,
      metrics: null,
      backup: { folder: null, time: null, zone: null, keep: null, verifyWeekly: null, passphrase: null },
      backupStore: null,
      files: null,
      rateLimitScale: 1,
      stopDelayMs: 5_000,
    } satisfies Config);
  });

  it('AUD-1 START-5: takes a place for the log of the audit where something can be written', async () => {
    const { dataDir } = await freshDatabase('sqlite');
    const file = join(dataDir, 'audit.log');
    expect(readConfig({ AUDIT_LOG: 'stdout' }).auditLog).toBe('stdout');
    expect(readConfig({ AUDIT_LOG: file }).auditLog).toEqual({ file });
    writeFileSync(file, '');
    expect(readConfig({ AUDIT_LOG: file }).auditLog).toEqual({ file });
    for (const wrong of [dataDir, join(dataDir, 'nowhere/audit.log'), join(file, 'x')]) {
      expect(errorOf({ AUDIT_LOG: wrong })).toBe(
        `AUDIT_LOG holds ${JSON.stringify(wrong)}; expected stdout, or the path of a file that can be written.`,
      );
    }
  });

  it('START-5: takes an empty variable for one that is not set', () => {
    const names = [
      'HOST',
      'PORT',
      'PUBLIC_URL',
      'BASE_PATH',
      'DATA_DIR',
      'DATABASE_URL',
      'TRUST_PROXY',
      'LOCAL_FLAGS',
      'FLAGS_HOST',
      'LOG_LEVEL',
    ];
    expect(
      readConfig(
        Object.fromEntries(
          names.flatMap((name) => [
            [name, ''],
            [`${name}_FILE`, ''],
          ]),
        ),
      ),
    ).toEqual(readConfig({}));
  });

  it.each<[Environment, Partial<Config>]>([
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{}, { metrics: null }],
    [{ METRICS_PORT: '9464' }, { metrics: { port: 9464, host: '127.0.0.1', token: null } }],
    [
      { METRICS_PORT: '9464', METRICS_HOST: '::', METRICS_TOKEN: 'a'.repeat(32) },
      { metrics: { port: 9464, host: '::', token: 'a'.repeat(32) } },
    ],
    [
      { METRICS_TOKEN: 'a'.repeat(32) },
      { metrics: { port: null, host: '127.0.0.1', token: 'a'.repeat(32) } },
    ],
    [{ HOST: 'portico.internal' }, { host: 'portico.internal' }],
    [{ PORT: '8080' }, { port: 8080, publicUrl: 'http://localhost:8080' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PUBLIC_URL: 'https://portico.example.org/' }, { publicUrl: 'https://portico.example.org' }],
    [{ PUBLIC_URL: 'https://portico.example.org:443' }, { publicUrl: 'https://portico.example.org' }],
    [{ PUBLIC_URL: 'http://127.0.0.1:81' }, { publicUrl: 'http://127.0.0.1:81' }],
    [{ PUBLIC_URL: 'http://[::1]:81' }, { publicUrl: 'http://[::1]:81' }],
    [
      { PUBLIC_URL: 'http://portico.lan', ALLOW_INSECURE_PUBLIC_URL: 'true' },
      { publicUrl: 'http://portico.lan' },
    ],
    [
      { PUBLIC_URL: 'http://portico.lan', NODE_ENV: 'development' },
      { publicUrl: 'http://portico.lan', production: false },
    ],
    [
      { BASE_PATH: '/portico' },
      { origin: 'http://localhost:3000', basePath: '/portico', publicUrl: 'http://localhost:3000/portico' },
    ],
    [{ UPSTREAM_URL: 'http://app:3000' }, { publicUrl: 'http://localhost:3000/portico' }],
    [{ UPSTREAM_URL: 'http://app:3000', BASE_PATH: '/a' }, { basePath: '/a' }],
    [{ UPSTREAM_URL: 'http://app:3000', PUBLIC_URL: 'https://x.example/a' }, { basePath: '/a' }],
    [{ BASE_PATH: '/~a/b.c-_/...' }, { basePath: '/~a/b.c-_/...' }],
    [
      { PUBLIC_URL: 'https://x.example/a/b/' },
      {
        origin: 'https://x.example',
        basePath: '/a/b',
        publicUrl: 'https://x.example/a/b',
        feedbackOrigins: ['https://x.example'],
      },
    ],
    [{ PUBLIC_URL: 'https://x.example/a', BASE_PATH: '/a' }, { publicUrl: 'https://x.example/a' }],
    [{ PUBLIC_URL: 'https://x.example', BASE_PATH: '/a' }, { publicUrl: 'https://x.example/a' }],
    [{ NODE_ENV: 'test' }, { production: true }],
    [
      { DATA_DIR: '/srv/portico' },
      { dataDir: '/srv/portico', database: { engine: 'sqlite', dataDir: '/srv/portico' } },
    ],
    [
      { DATABASE_URL: 'postgres://u:p@db:5432/portico' },
      { database: { engine: 'postgres', url: 'postgres://u:p@db:5432/portico' } },
    ],
    [
      { DATABASE_URL: 'postgres://pooler/portico', DATABASE_DIRECT_URL: 'postgres://db/portico' },
      {
        database: {
          engine: 'postgres',
          url: 'postgres://pooler/portico',
          directUrl: 'postgres://db/portico',
        },
      },
    ],
    [
      { DATABASE_URL: 'postgresql://db/portico' },
      { database: { engine: 'postgres', url: 'postgresql://db/portico' } },
    ],
    [{ TRUST_PROXY: 'false' }, { trustProxy: false }],
    [{ TRUST_PROXY: '0' }, { trustProxy: false }],
    [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
    [
      { TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8, 192.168.1.1' },
      { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8', '192.168.1.1'] },
    ],
    [{ LOCAL_FLAGS: 'DARK_MODE, new.thing ,DARK_MODE' }, { localFlags: ['DARK_MODE', 'new.thing'] }],
    [flagHost, { flagsHost: { host: 'https://flags.example.org', clientKey: 'sdk-1', remoteEval: false } }],
    [
      { ...flagHost, FLAGS_REMOTE_EVAL: '1' },
      { flagsHost: { host: 'https://flags.example.org', clientKey: 'sdk-1', remoteEval: true } },
    ],
    [
      { GEOSERVER_URL: 'http://geo:8080/geoserver' },
      { geoserver: { url: new URL('http://geo:8080/geoserver'), single: false } },
    ],
    [
      { GEOSERVER_URL: 'http://geo/cgi-bin/mapserv?' },
      { geoserver: { url: new URL('http://geo/cgi-bin/mapserv?'), single: true } },
    ],
    [
      { GEOSERVER_DEVELOP_URL: 'http://geo.example.org:8080' },
      { geoserverDevelopUrl: 'http://geo.example.org:8080' },
    ],
    [
      { OPERATOR_EMAIL: 'Ada@Example.org', OPERATOR_PASSWORD: 'seven green lanterns' },
      { operator: { email: 'ada@example.org', password: 'seven green lanterns' } },
    ],
    [
      { SESSION_IDLE_HOURS: '0.5', SESSION_MAX_DAYS: '1' },
      { sessionIdleMs: 1_800_000, sessionMaxMs: 86_400_000 },
    ],
    [{ SENTRY_DSN: 'off' }, { faults: 'off' }],
    [
      { SENTRY_DSN: 'https://0123abc@errors.example.org:8443/base/7' },
      { faults: { dsn: 'https://0123abc@errors.example.org:8443/base/7' } },
    ],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ RATE_LIMIT_SCALE: '1000' }, { rateLimitScale: 1000 }],
  ])('START-5: takes %j', (environment, expected) => {
    expect(readConfig({ ...environment })).toMatchObject(expected);
  });

  it.each<[Environment, string]>([
    [
      { HOST: 'not a host' },
      'HOST holds "not a host"; expected the address or host name to listen on, such as 127.0.0.1 or 0.0.0.0.',
    ],
    [{ HOST: 'http://0.0.0.0' }, 'HOST holds "http://0.0.0.0"; expected the address'],
    ...['999.1.1.1', '::zz', '1.2.3'].map((host): [Environment, string] => [
      { HOST: host },
      `HOST holds "${host}"; expected the address`,
    ]),
    [{ PORT: 'http' }, 'PORT holds "http"; expected a whole number from 0 to 65535.'],
    [{ PORT: '65536' }, 'PORT holds "65536"; expected a whole number'],
    [{ PORT: '-1' }, 'PORT holds "-1"; expected a whole number'],
    [{ PORT: '80.5' }, 'PORT holds "80.5"; expected a whole number'],
    [{ PORT: '0x50' }, 'PORT holds "0x50"; expected a whole number'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV holds "prod"; expected production, development, test.'],
    [
      { PUBLIC_URL: 'portico.example.org' },
      'PUBLIC_URL holds "portico.example.org"; expected an origin such as https://portico.example.org, or with the path of BASE_PATH as in https://example.org/portico.',
    ],
    [
      { PUBLIC_URL: 'https://x.example/portico', BASE_PATH: '/other' },
      'BASE_PATH holds "/other"; expected /portico, since PUBLIC_URL ends with that, or nothing.',
    ],
    [
      { BASE_PATH: 'portico' },
      'BASE_PATH holds "portico"; expected a path such as /portico: segments of letters, digits, - . _ and ~, ' +
        'with a slash before each and none at the end.',
    ],
    ...[
      '/',
      '/a/',
      '//a',
      '/a//b',
      '/.',
      '/a/..',
      '/a/../b',
      '/a b',
      '/%61',
      '/ä',
      '/a?b',
      '/a;b',
      '/a\\b',
    ].map((path): [Environment, string] => [
      { BASE_PATH: path },
      `BASE_PATH holds ${JSON.stringify(path)}; expected`,
    ]),
    ...['/../a', '/%61', '/a//b', '/a b', '//'].map((path): [Environment, string] => [
      { PUBLIC_URL: `https://x.example${path}` },
      `PUBLIC_URL holds "https://x.example${path}"; expected an origin`,
    ]),
    [{ PUBLIC_URL: 'https://x.example/?a' }, 'PUBLIC_URL holds "https://x.example/?a"; expected an origin'],
    [{ PUBLIC_URL: 'ftp://x.example' }, 'PUBLIC_URL holds "ftp://x.example"; expected an origin'],
    [{ PUBLIC_URL: 'https://' }, 'PUBLIC_URL holds "https://"; expected an origin'],
    [{ PUBLIC_URL: 'two\nlines' }, 'PUBLIC_URL holds "two\\nlines"; expected an origin'],
    ...['ftp://geo/x', 'geo', 'http://geo/#x'].map((url): [Environment, string] => [
      { GEOSERVER_URL: url },
      `GEOSERVER_URL holds "${url}"; expected the address of the map server`,
    ]),
    [{ GEOSERVER_URL: 'http://a:b@geo/' }, 'GEOSERVER_URL holds "(an address with a password)"; expected'],
    [{ ALLOW_INSECURE_PUBLIC_URL: 'yes' }, 'ALLOW_INSECURE_PUBLIC_URL holds "yes"; expected true or false.'],
    [
      { TRUST_PROXY: 'true' },
      'TRUST_PROXY holds "true"; expected a number of hops, or addresses and ranges such as 10.0.0.0/8, separated by commas.',
    ],
    [{ TRUST_PROXY: '1.2.3' }, 'TRUST_PROXY holds "1.2.3"; expected'],
    [{ TRUST_PROXY: 'abc' }, 'TRUST_PROXY holds "abc"; expected'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY holds "10.0.0.0/33"; expected'],
    [{ TRUST_PROXY: 'fd00::/129' }, 'TRUST_PROXY holds "fd00::/129"; expected'],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, 'TRUST_PROXY holds "10.0.0.0/8/8"; expected'],
    [{ TRUST_PROXY: 'loopback,' }, 'TRUST_PROXY holds "loopback,"; expected'],
    [
      { LOCAL_FLAGS: 'ok, not ok' },
      'LOCAL_FLAGS holds "ok, not ok"; expected flag keys separated by commas.',
    ],
    [{ FLAGS_HOST: 'flags' }, 'FLAGS_HOST holds "flags"; expected an origin'],
    [
      { FLAGS_HOST: 'https://flags.example.org' },
      'FLAGS_CLIENT_KEY is not set; expected the client key at FLAGS_HOST.',
    ],
    [
      { FLAGS_CLIENT_KEY: 'sdk-1' },
      'FLAGS_HOST is not set; expected the origin of the flag host, since FLAGS_CLIENT_KEY is set.',
    ],
    [
      { ...flagHost, FLAGS_CLIENT_KEY: 'a/b' },
      'FLAGS_CLIENT_KEY holds "a/b"; expected letters, digits, - and _.',
    ],
    [{ ...flagHost, FLAGS_REMOTE_EVAL: 'maybe' }, 'FLAGS_REMOTE_EVAL holds "maybe"; expected true or false.'],
    [{ GEOSERVER_DEVELOP_URL: 'geo' }, 'GEOSERVER_DEVELOP_URL holds "geo"; expected an origin'],
    [
      { OPERATOR_EMAIL: 'ada@example.org' },
      'OPERATOR_PASSWORD is not set; expected a password, since OPERATOR_EMAIL is set.',
    ],
    [
      { OPERATOR_PASSWORD: 'seven green lanterns' },
      'OPERATOR_EMAIL is not set; expected an email address, since OPERATOR_PASSWORD is set.',
    ],
    [
      { OPERATOR_EMAIL: 'ada', OPERATOR_PASSWORD: 'seven green lanterns' },
      'OPERATOR_EMAIL holds "ada"; expected an email address,',
    ],
    ...[
      'on',
      'https://errors.example.org/7',
      'https://k@errors.example.org/',
      'https://k@e.example.org/7?a',
    ].map((dsn): [Environment, string] => [
      { SENTRY_DSN: dsn },
      `SENTRY_DSN holds "${dsn}"; expected off, or the DSN of another project`,
    ]),
    [{ SESSION_IDLE_HOURS: '0' }, 'SESSION_IDLE_HOURS holds "0"; expected a number from 0.01 to 8760.'],
    [{ SESSION_MAX_DAYS: 'week' }, 'SESSION_MAX_DAYS holds "week"; expected a number from 0.01 to 365.'],
    [{ SESSION_MAX_DAYS: ' ' }, 'SESSION_MAX_DAYS holds " "; expected a number'],
    [{ SESSION_MAX_DAYS: 'Infinity' }, 'SESSION_MAX_DAYS holds "Infinity"; expected a number'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL holds "loud"; expected fatal, error, warn, info, debug, silent.'],
    [{ RATE_LIMIT_SCALE: '0' }, 'RATE_LIMIT_SCALE holds "0"; expected a number'],
    [{ METRICS_PORT: '70000' }, 'METRICS_PORT holds "70000"; expected'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT holds "3000"; expected another port than PORT'],
    [{ METRICS_HOST: '0.0.0.0' }, 'METRICS_PORT is not set; expected the port of the metrics'],
    [{ METRICS_PORT: '1', METRICS_HOST: 'metrics.local' }, 'METRICS_HOST holds "metrics.local"; expected'],
    [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN holds "(a secret)"; expected at least 32'],
  ])('START-5: refuses %j in one line that names what is wrong', (environment, start) => {
    const message = errorOf(environment);
    expect(message.slice(0, start.length)).toBe(start);
    expect(message).toMatch(/^[^\n]+; expected [^\n]+\.$/);
  });

  it.each<[Environment, name: string]>([
    [{ DATABASE_URL: 'mysql://u:hunter2@db/portico' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://u:hunter2@db:port/portico' }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://u:hunter2@db/x', DATABASE_URL_FILE: '/nowhere' }, 'DATABASE_URL'],
    [{ DATABASE_DIRECT_URL: 'mysql://u:hunter2@db/x' }, 'DATABASE_DIRECT_URL'],
    [{ OPERATOR_EMAIL: 'ada@example.org', OPERATOR_PASSWORD: 'hunter2' }, 'OPERATOR_PASSWORD'],
    [
      {
        OPERATOR_EMAIL: 'ada@example.org',
        OPERATOR_PASSWORD: 'hunter2-hunter2',
        OPERATOR_PASSWORD_FILE: '/nowhere',
      },
      'OPERATOR_PASSWORD',
    ],
    [{ PUBLIC_URL: 'https://u:hunter2@portico.example.org' }, 'PUBLIC_URL'],
    [{ ...flagHost, FLAGS_HOST: 'https://u:hunter2@flags.example.org' }, 'FLAGS_HOST'],
    [{ SENTRY_DSN: 'https://u:hunter2@errors.example.org/7' }, 'SENTRY_DSN'],
  ])('START-5: repeats no secret: %j', (environment, name) => {
    const message = errorOf(environment);
    expect(message).toContain(`${name} holds "(a`);
    expect(message).not.toContain('hunter2');
  });

  it.each([
    'http://portico.example.org',
    'http://localhost.example.org',
    'http://10.0.0.1',
    'http://127.0.0.1.example.org',
  ])('START-5: refuses to start in production on %s', (publicUrl) => {
    expect(errorOf({ PUBLIC_URL: publicUrl })).toBe(
      `PUBLIC_URL holds "${publicUrl}"; expected an https address (or localhost) while NODE_ENV is production; ` +
        'ALLOW_INSECURE_PUBLIC_URL=true allows it all the same.',
    );
  });

  it('START-5: reads each variable from a file too, without the line break at its end', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const values: Environment = {
      HOST: '0.0.0.0',
      PORT: '8080',
      NODE_ENV: 'development',
      ...https,
      ALLOW_INSECURE_PUBLIC_URL: 'true',
      DATA_DIR: '/srv/portico',
      DATABASE_URL: 'postgres://u:p@db/portico',
      TRUST_PROXY: '1',
      LOCAL_FLAGS: 'DARK_MODE',
      ...flagHost,
      FLAGS_REMOTE_EVAL: 'true',
      GEOSERVER_DEVELOP_URL: 'https://geo.example.org',
      OPERATOR_EMAIL: 'ada@example.org',
      OPERATOR_PASSWORD: ' seven green lanterns ',
      SESSION_IDLE_HOURS: '1',
      SESSION_MAX_DAYS: '1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT_SCALE: '2',
    };
    const files = Object.entries(values).map(([name, value], index) => {
      const file = join(dataDir, name);
      writeFileSync(file, `${value}${['\n', '\r\n', ''][index % 3]}`);
      return [`${name}_FILE`, file];
    });
    expect(readConfig(Object.fromEntries(files))).toEqual(readConfig(values));
    expect(readConfig(values).operator?.password).toBe(' seven green lanterns ');
  });

  it('START-5: refuses a variable that is given twice, and a file that cannot be read', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const file = join(dataDir, 'port');
    writeFileSync(file, '8080');
    expect(errorOf({ PORT: '80', PORT_FILE: file })).toBe(
      'PORT holds "80"; expected only one of PORT and PORT_FILE.',
    );
    expect(errorOf({ PORT_FILE: dataDir })).toBe(
      `PORT_FILE holds "${dataDir}"; expected the path of a file that can be read.`,
    );
    writeFileSync(file, 'eighty\n');
    expect(errorOf({ PORT_FILE: file })).toMatch(/^PORT holds "eighty"; expected a whole number/);
  });
});

describe('what a proxy and programs in front of the installation need', () => {
  const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0+/=';

  it('GATE-9, API-4: is read, also two secrets of which one replaces the other', () => {
    expect(
      readConfig({
        AUTH_CHECK_SECRET: `${secret}, ${secret}2`,
        AUTH_CHECK_HEADER: 'X-Original-URL',
        INTERNAL_HOSTS: 'Portico.default.svc,10.0.0.3,::1',
      }),
    ).toMatchObject({
      authCheckSecrets: [secret, `${secret}2`],
      authCheckHeader: 'x-original-url',
      internalHosts: ['portico.default.svc', '10.0.0.3', '[::1]'],
    });
  });

  it.each([
    ['AUTH_CHECK_SECRET', 'short'],
    ['AUTH_CHECK_SECRET', `${secret},`],
    ['AUTH_CHECK_SECRET', `${secret} with a space`],
    ['AUTH_CHECK_HEADER', 'X-Forwarded-Host'],
    ['INTERNAL_HOSTS', 'portico:3000'],
    ['INTERNAL_HOSTS', 'https://portico'],
    ['INTERNAL_HOSTS', '*.svc'],
  ])('START-5: is refused where it is none: %s=%s', (name, value) => {
    const error = errorOf({ [name]: value });
    expect(error).toMatch(new RegExp(`^${name} holds .*; expected `));
    expect(error.includes(secret)).toBe(false);
  });
});

describe('the object store of files', () => {
  it('STORE-2 START-5: is read with its credentials, which no error repeats', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const file = join(dataDir, 'secret');
    writeFileSync(file, 'secret of the key\n');
    const FILES_URL = 's3://files/portico?endpoint=https://s3.example.org&region=eu-central-1';
    const keys = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY_FILE: file };
    expect(readConfig({ FILES_URL, ...keys }).files).toEqual({
      bucket: 'files',
      prefix: 'portico/',
      endpoint: 'https://s3.example.org',
      region: 'eu-central-1',
      accessKey: 'key',
      secretKey: 'secret of the key',
    });
    expect(readConfig(keys).files).toBeNull();
    expect(errorOf({ FILES_URL })).toMatch(/^S3_ACCESS_KEY_ID is not set; expected .* FILES_URL is set/);
    const withSecret = errorOf({ FILES_URL: 's3://key:hunter2@files?endpoint=https://s3.example.org' });
    expect(withSecret).toBe(
      `FILES_URL holds "(an address with a password)"; expected ${objectStoreLocationForm}.`,
    );
  });
});

describe('a start with a bad value', () => {
  const start = (environment: Environment) => startProcess('main.ts', [], environment);

  it('START-5: ends with that one line and a failure status', async () => {
    const main = start({ PORT: 'http' });
    expect(await main.ended).toBe(1);
    expect(main.errors).toEqual(['PORT holds "http"; expected a whole number from 0 to 65535.']);
    expect(main.lines).toEqual([]);
  });

  it('START-5: also for a data folder that cannot be made', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    const taken = join(dataDir, 'file');
    writeFileSync(taken, '');
    for (const path of [taken, join(taken, 'below')]) {
      const main = start({ DATA_DIR: path, PORT: '0' });
      expect(await main.ended).toBe(1);
      expect(main.errors).toEqual([expect.stringContaining(`DATA_DIR holds "${path}"; expected a folder`)]);
    }
  });

  it('START-5: also for a database that cannot be reached, without its password', async () => {
    const { dataDir } = await freshDatabase('sqlite', 'nothing');
    mkdirSync(join(dataDir, 'data'));
    const main = start({
      DATA_DIR: join(dataDir, 'data'),
      DATABASE_URL: 'postgres://portico:hunter2@127.0.0.1:1/portico',
      PORT: '0',
    });
    expect(await main.ended).toBe(1);
    expect(main.errors).toEqual([expect.stringContaining('DATABASE_URL')]);
    expect(main.errors.join('')).not.toContain('hunter2');
  });
});
