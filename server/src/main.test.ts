import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { onlyUpstream } from './config-upstreams.ts';
import { startFailure, startMessage } from './start-message.ts';
import { startProcess, type Child } from './testing/child-process.ts';
import { freshDatabase } from './testing/fresh-database.ts';
import { freePort } from './testing/free-port.ts';

type Ready = { address: string; setUpTokenFile?: string };

async function ready(server: Child): Promise<Ready> {
  return JSON.parse(await server.line(/"msg":"ready"/)) as Ready;
}

async function start(environment: Record<string, string> = {}) {
  const place = await freshDatabase('sqlite', 'nothing');
  const settings = { DATA_DIR: place.dataDir, PORT: String(await freePort()), ...environment };
  return { place, settings, server: startProcess('main.ts', [], settings) };
}

describe('the process', () => {
  it('START-6: without a terminal only the path of the token’s file is printed', async () => {
    const { place, server, settings } = await start();
    const printed = await ready(server);
    expect(printed.address).toBe(`http://127.0.0.1:${settings.PORT}`);
    expect(printed.setUpTokenFile).toBe(join(place.dataDir, 'set-up-token'));
    const token = readFileSync(printed.setUpTokenFile ?? '', 'utf8').trim();
    expect(token).toHaveLength(43);
    expect([...server.lines, ...server.errors].join('\n')).not.toContain(token);
  });

  it('RUN-2: SIGTERM ends it in good order, and the next start finds everything', async () => {
    const { place, server, settings } = await start({
      OPERATOR_EMAIL: 'olivia@example.org',
      OPERATOR_PASSWORD: 'wobbly-kettle-9-harbour',
    });
    await ready(server);
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    await server.line(/"msg":"stopped"/);
    expect(server.errors).toEqual([]);

    const again = startProcess('main.ts', [], { DATA_DIR: place.dataDir, PORT: settings.PORT });
    expect(await ready(again)).not.toHaveProperty('setUpTokenFile');
  });

  it('START-4: a second server on the same folder is refused in one line', async () => {
    const { place, server } = await start();
    await ready(server);
    const second = startProcess('main.ts', [], { DATA_DIR: place.dataDir, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    await expect
      .poll(() => second.errors)
      .toEqual([
        `Portico cannot start: Another Portico server is running on the data folder ${place.dataDir}. Stop it first, or set DATA_DIR to another folder.`,
      ]);
  });

  it('START-1: a port that is taken is reported in one line', async () => {
    const { server, settings } = await start();
    await ready(server);
    const { server: second } = await start({ PORT: settings.PORT });
    expect(await second.ended).toBe(1);
    await expect
      .poll(() => second.errors)
      .toEqual([
        `Something else listens on 127.0.0.1:${settings.PORT} already. Stop it, or set PORT to another one.`,
      ]);
  });

  it.each([
    ['no-such-host.invalid', 'HOST holds "no-such-host.invalid", a name that no address is known for'],
    // Of documentation networks (RFC 5737, RFC 3849).
    ['192.0.2.7', 'Portico cannot listen on 192.0.2.7:PORT (EADDRNOTAVAIL). Set HOST to one of'],
    ['2001:db8::1', 'Portico cannot listen on [2001:db8::1]:PORT ('],
  ])('START-5: a HOST of %s that cannot be listened on is reported in one line', async (host, expected) => {
    const { server, settings } = await start({ HOST: host, LOG_LEVEL: 'warn' });
    expect(await server.ended).toBe(1);
    await server.closed;
    expect(server.errors).toEqual([expect.stringContaining(expected.replace('PORT', settings.PORT))]);
    expect(server.lines).toEqual([]);
  });

  it('START-5: a bad value stops the start with one line', async () => {
    const { server } = await start({ SESSION_IDLE_HOURS: 'long' });
    expect(await server.ended).toBe(1);
    await expect
      .poll(() => server.errors)
      .toEqual(['SESSION_IDLE_HOURS holds "long"; expected a number from 0.01 to 8760.']);
    expect(server.lines).toEqual([]);
  });
});

describe('what is printed at a terminal', () => {
  const config = {
    publicUrl: 'http://localhost:3000',
    origin: 'http://localhost:3000',
    upstreams: [],
    dataDir: '/srv/portico',
    database: { engine: 'sqlite', dataDir: '/srv/portico' },
  } as const;
  const offer = {
    link: 'http://localhost:3000/set-up#token',
    file: '/srv/portico/set-up-token',
    expiresAt: Date.UTC(2026, 10, 22, 9),
  };

  it('START-1: is the address, the data folder, and the set-up link while there is no operator', () => {
    const text = startMessage({ config, address: 'http://127.0.0.1:3000', offer });
    expect(text).toMatch(
      /^\n {2}Portico is ready at http:\/\/localhost:3000\n\n {2}Data {6}\/srv\/portico\n {2}Set up {4}http:\/\/localhost:3000\/set-up#token\n {12}creates the first operator; works once, until 22 Nov 2026, \d\d:\d\d\n\n$/,
    );
    expect(startMessage({ config, address: 'http://127.0.0.1:3000', offer: null })).not.toContain('Set up');
  });

  it('START-1, GATE-1: names where each application is reached', () => {
    const shop = { ...onlyUpstream(new URL('http://shop:80/')), host: 'shop.localhost', path: '/a/' };
    const upstreams = [onlyUpstream(new URL('http://localhost:8080')), shop];
    const text = startMessage({
      config: { ...config, upstreams },
      address: 'http://[::1]:3000',
      offer: null,
    });
    expect(text).toContain(
      '  Forwards  http://localhost:3000/ to http://localhost:8080\n            http://shop.localhost:3000/a/ to http://shop\n',
    );
  });

  it('START-1: names where it listens behind a proxy, and the database without its password', () => {
    const postgres = {
      engine: 'postgres',
      url: 'postgres://portico:hunter2@db.internal:5432/portico',
    } as const;
    const text = startMessage({
      config: { ...config, publicUrl: 'https://portico.example.org', database: postgres },
      address: 'http://127.0.0.1:3000',
      offer: null,
    });
    expect(text).toContain('Listens   http://127.0.0.1:3000\n');
    expect(text).toContain('Database  PostgreSQL, db.internal:5432/portico\n');
    expect(text).not.toContain('hunter2');
  });

  it('START-1: a failure is one line, also where the error brings none or many', () => {
    const place = { host: '127.0.0.1', port: 80 };
    const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen' });
    expect(startFailure(refused, place)).toBe(
      'Portico may not listen on 127.0.0.1:80. Set PORT to one above 1023, or allow it this one.',
    );
    // A file that may not be read has nothing to do with HOST and PORT.
    const unreadable = Object.assign(new Error('open EACCES'), { code: 'EACCES', syscall: 'open' });
    expect(startFailure(unreadable, place)).toBe('Portico cannot start: open EACCES');
    expect(startFailure(Object.assign(new Error(''), { code: 'ECONNREFUSED' }), place)).toBe(
      'Portico cannot start: ECONNREFUSED',
    );
    expect(startFailure(new Error('one\n  two'), place)).toBe('Portico cannot start: one two');
  });
});
