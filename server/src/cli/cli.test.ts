import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptInvitation } from '#features/identity-provider/contract/identity-provider.ts';
import { getMaintenanceStatus } from '#features/maintenance/contract/maintenance.ts';
import { getMaintenance, setMaintenance } from '#features/maintenance/contract/settings.ts';
import { listMaintenanceHistory, planWindow, startWindow } from '#features/maintenance/contract/windows.ts';
import { rightCatalogue } from '#contract/features.ts';
import { getPermissions } from '#features/permissions/contract/own-access.ts';
import { listRoles } from '#features/permissions/contract/administration.ts';
import { listPeople } from '#features/people/contract/people.ts';
import { getProfile } from '#features/profile/contract/profile.ts';
import { writeBlocked } from '#features/directory/server/people.store.ts';
import { setRolesOf } from '#features/permissions/server/permissions.store.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { openBrowser } from '../testing/browser.ts';
import { compiled, startProcess } from '../testing/child-process.ts';
import { environmentOf, runInside } from '../testing/command-line.ts';
import { oneEngine, freshDatabase } from '../testing/fresh-database.ts';
import { movableClock } from '../testing/movable-clock.ts';
import { addPerson, addToken } from '../testing/people.ts';
import { programOf } from '../testing/program.ts';

const password = 'seven green lanterns';
const allRights = rightCatalogue.map((entry) => entry.right).toSorted();

type Ended = { code: number; out: string; errors: string };

/** Runs the command line in a process of its own, as `npm run portico -- …` does. */
function portico(args: string[], environment: Record<string, string>, input = ''): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = execFile(
      process.execPath,
      [programOf('cli.ts'), ...args],
      { env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compiled, ...environment } },
      (error, out, errors) => {
        if (error !== null && typeof error.code !== 'number') fail(error);
        else done({ code: typeof error?.code === 'number' ? error.code : 0, out, errors });
      },
    );
    child.stdin?.end(input);
  });
}

/** The same where the system takes no byte more into any file. */
async function withoutSpaceForFiles(args: string[], environment: Record<string, string>): Promise<Ended> {
  const child = startProcess('cli.ts', args, environment, 'pipe', 0);
  const code = (await child.ended) ?? -1;
  await child.closed;
  return { code, out: child.lines.join('\n'), errors: child.errors.join('\n') };
}

/** The same within this process, which is quicker. */
async function inside(...how: Parameters<typeof runInside>): Promise<Ended> {
  const { code, out, errors } = await runInside(...how);
  return { code, out: out && `${out}\n`, errors: errors && `${errors}\n` };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'portico-cli-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const environmentFor = ({ config, place }: TestApp): Record<string, string> => ({
  PUBLIC_URL: config.publicUrl,
  ...environmentOf(place),
});

function auditOf(app: TestApp) {
  return app.database.read
    .selectFrom('audit')
    .select(['actor_kind', 'actor_id', 'actor_name', 'action', 'subject', 'before', 'after'])
    .where('actor_kind', '=', 'command-line')
    .execute();
}

async function accept(app: TestApp, link: string): Promise<number> {
  const token = new URL(link).hash.slice(1);
  return (await app.call(acceptInvitation, { body: { token, firstName: 'Ada', lastName: 'King', password } }))
    .status;
}

async function signIn(app: TestApp, email: string): Promise<{ accessToken: string }> {
  const browser = openBrowser(app.url);
  expect((await browser.signIn({ email, password })).problem).toBeNull();
  return { accessToken: (await browser.renew()).body.accessToken };
}

const ownRights = (app: TestApp, person: { accessToken: string }) =>
  app.call(getPermissions, { params: { userId: 'current' } }, person);

describe('the command line', () => {
  it('CLI-1: helps with everything, without touching anything', async () => {
    const DATA_DIR = join(folder(), 'none');
    const overview = await portico(['--help'], { DATA_DIR });
    expect([overview.code, overview.errors]).toEqual([0, '']);
    for (const [name, options] of [
      ['operator create', ['--email', '--first-name', '--last-name', '--password-file', '--json']],
      ['operator reset', ['--email', '--json']],
      ['token create', ['--name', '--rights', '--expires', '--as', '--json']],
      ['maintenance status', ['--json']],
      ['maintenance on', ['--read-only', '--text', '--severity', '--until', '--json']],
      ['maintenance off', ['--json']],
      ['maintenance resume', ['--json']],
      ['backup', ['--to', '--json']],
      ['backup check', ['--from', '--json']],
      ['restore', ['--from', '--replace', '--moved', '--json']],
      ['restore finish', ['--json']],
      ['move', ['--to', '--json']],
      ['files sweep', ['--confirm', '--json']],
    ] as const) {
      expect(overview.out).toContain(name);
      const help = await inside([...name.split(' '), '--help'], { DATA_DIR });
      expect(help.code).toBe(0);
      for (const option of options) expect(help.out).toContain(option);
    }
    expect((await inside(['operator', '-h'], { DATA_DIR })).code).toBe(0);
    expect(() => statSync(DATA_DIR)).toThrow(/ENOENT/);
  });

  it.each([
    [[], /Usage:/],
    [['operator'], /Usage:/],
    [['operator', 'delete'], /no command "operator delete"/],
    [['constructor', 'name'], /no command/],
    [['operator', 'create'], /--email is missing/],
    [['operator', 'create', '--email', 'ada'], /--email holds "ada"; expected an email address/],
    [['operator', 'create', '--email', 'a@example.org', '--first-name', 'a\nb'], /--first-name/],
    [['operator', 'create', '--email', 'a@example.org', '--mail', 'x'], /--mail/],
    [['operator', 'create', '--email', 'a@example.org', 'more'], /more/],
    [['token', 'create', '--name', 'ci', '--expires', '30d'], /--rights is missing/],
    [
      ['token', 'create', '--name', 'ci', '--rights', 'FLAGS_READ,FF_X', '--expires', '30d'],
      /--rights holds "FLAGS_READ,FF_X"/,
    ],
    [['token', 'create', '--name', 'ci', '--rights', '', '--expires', '30d'], /--rights/],
    [['token', 'create', '--name', '', '--rights', 'FLAGS_READ', '--expires', '30d'], /--name/],
    ...['30', '0d', '-1d', '367d', '1m', '99999w', 'd'].map((span): [string[], RegExp] => [
      ['token', 'create', '--name', 'ci', '--rights', 'FLAGS_READ', `--expires=${span}`],
      /--expires holds/,
    ]),
    [['maintenance'], /Usage:/],
    [['maintenance', 'on', '--read-only=yes'], /--read-only/],
    [['maintenance', 'on', '--severity', 'high'], /--severity holds "high"; expected HIGH, MEDIUM, INFO/],
    [['maintenance', 'on', '--text', 'a\u202eb'], /--text holds/],
    [
      ['maintenance', 'on', '--text', 'x'.repeat(2_001)],
      /^--text holds "x{80}"… \(2001 characters\); expected at most 2000 characters/,
    ],
    ...[
      'tomorrow',
      '2026-11-21',
      '2026-11-21T22:00',
      '2026-02-30T22:00Z',
      '2026-11-21T24:00Z',
      '1969-01-01T00:00Z',
      '',
    ].map((until): [string[], RegExp] => [
      ['maintenance', 'on', `--until=${until}`],
      /--until holds .* offset/,
    ]),
    [['maintenance', 'off', 'now'], /now/],
    [['backup'], /--to is missing/],
    [['backup', 'all'], /all/],
    [['backup', 'check'], /--from is missing/],
    [['restore', '--from', ''], /--from holds ""/],
    [['files', 'sweep', '--confirm=yes'], /--confirm/],
    [['files'], /Usage:/],
  ] as [string[], RegExp][])('CLI-1: %j is wrong usage and does nothing', async (args, message) => {
    const readConfig = () => expect.fail('It was about to do something.');
    const { code, out, errors } = await runInside(args, readConfig);
    expect([code, out]).toEqual([2, '']);
    expect(errors).toMatch(message);
  });

  it('CLI-1: with --json the failure is JSON too, and standard output stays empty', async () => {
    const DATA_DIR = join(folder(), 'none');
    const usage = await inside(['token', 'create', '--json'], { DATA_DIR });
    expect([usage.code, usage.out]).toEqual([2, '']);
    expect(JSON.parse(usage.errors)).toEqual({ error: { code: 'USAGE', message: '--name is missing.' } });
    const failed = await portico(['operator', 'reset', '--email', 'a@example.org', '--json'], { DATA_DIR });
    expect([failed.code, failed.out]).toEqual([1, '']);
    expect(JSON.parse(failed.errors)).toMatchObject({ error: { code: 'FAILED' } });
  });

  it('CLI-1: a bad configuration and a database that is away fail with one line', async () => {
    const args = ['operator', 'create', '--email', 'a@example.org'];
    const bad = await portico(args, { DATA_DIR: folder(), PUBLIC_URL: 'nowhere' });
    expect([bad.code, bad.errors.trim().split('\n').length]).toEqual([1, 1]);
    expect(bad.errors).toMatch(/^PUBLIC_URL holds "nowhere"/);
    const away = await inside(args, {
      DATA_DIR: folder(),
      DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x',
    });
    expect([away.code, away.errors.trim().split('\n').length]).toEqual([1, 1]);
    expect(away.errors).not.toContain('hidden');
  });

  it('CLI-1: takes a data folder that is not there for a mistake, unless it creates an operator', async () => {
    const DATA_DIR = join(folder(), 'data');
    for (const args of [
      ['operator', 'reset', '--email', 'a@example.org'],
      ['token', 'create', '--name', 'ci', '--rights', 'FLAGS_READ', '--expires', '1d'],
      ['maintenance', 'status'],
      ['maintenance', 'on'],
      ['maintenance', 'off'],
    ]) {
      const ended = await inside(args, { DATA_DIR });
      expect([ended.code, ended.out]).toEqual([1, '']);
      expect(ended.errors).toContain(DATA_DIR);
      expect(() => statSync(DATA_DIR)).toThrow(/ENOENT/);
    }
    const created = await portico(['operator', 'create', '--email', 'a@example.org'], { DATA_DIR });
    expect([created.code, created.errors]).toEqual([0, expect.stringContaining('a@example.org')]);
    expect(statSync(DATA_DIR).mode & 0o777).toBe(0o700);
    expect(readdirSync(DATA_DIR)).toContain('portico.sqlite');
  });
});

describe.each(oneEngine)('the command line on %s', (engine) => {
  it('CLI-1: creates an operator while a server runs, with a link that works once', async () => {
    const app = await startApp({ engine });
    const ended = await portico(
      ['operator', 'create', '--email', 'Ada@Example.org', '--first-name', 'Ada'],
      environmentFor(app),
    );
    expect(ended.code).toBe(0);
    const link = ended.out.trim();
    expect(link).toMatch(new RegExp(`^${app.config.publicUrl}/invitation#[\\w-]{43}$`));
    expect(await accept(app, link)).toBe(200);
    expect(await accept(app, link)).toBe(410);
    const ada = await signIn(app, 'ada@example.org');
    expect((await ownRights(app, ada)).body).toEqual(allRights);

    const { body } = await app.call(getProfile, { params: { userId: 'current' } }, ada);
    expect(await auditOf(app)).toEqual([
      {
        actor_kind: 'command-line',
        actor_id: null,
        actor_name: userInfo().username,
        action: 'operator.create',
        subject: body.id,
        before: null,
        after: JSON.stringify({
          email: 'ada@example.org',
          firstName: 'Ada',
          lastName: '',
          roles: ['operator'],
        }),
      },
    ]);
  });

  it('CLI-1: creates an operator without a server, with the password of a file or of standard input', async () => {
    const place = await freshDatabase(engine);
    const environment = environmentOf(place);
    const file = join(folder(), 'password');
    writeFileSync(file, `${password}\n`);
    const one = await inside(
      ['operator', 'create', '--email', 'one@example.org', '--password-file', file, '--json'],
      environment,
    );
    expect(JSON.parse(one.out)).toEqual({
      id: expect.any(String),
      email: 'one@example.org',
      firstName: '',
      lastName: '',
    });
    const two = await portico(
      ['operator', 'create', '--email', 'two@example.org', '--password-file', '-'],
      environment,
      password,
    );
    expect(two.code).toBe(0);
    const app = await startApp({ on: place });
    for (const email of ['one@example.org', 'two@example.org']) {
      expect((await ownRights(app, await signIn(app, email))).body).toEqual(allRights);
    }
    expect(
      `${one.out}${one.errors}${two.out}${two.errors}${JSON.stringify(await auditOf(app))}`,
    ).not.toContain(password);
  });

  it('CLI-1: refuses a known address and a bad password, and keeps nothing of it', async () => {
    const app = await startApp({ engine });
    const id = await addPerson(app, { email: 'ada@example.org', password });
    await addPerson(app, { email: 'elsewhere@example.org' });
    const file = join(folder(), 'password');
    for (const [args, content] of [
      [['--email', 'ada@example.org'], password],
      [['--email', 'elsewhere@example.org'], password],
      [['--email', 'bea@example.org', '--password-file', file], 'short'],
      [['--email', 'bea@example.org', '--password-file', file], 'passwordpassword'],
      [['--email', 'bea@example.org', '--password-file', `${file}.none`], ''],
    ] as [string[], string][]) {
      writeFileSync(file, content);
      const ended = await inside(['operator', 'create', ...args], environmentFor(app));
      expect([args, ended.code, ended.out]).toEqual([args, 1, '']);
    }
    const taken = ['operator', 'create', '--email', 'ada@example.org'];
    const message = `The address ada@example.org is taken by a person who signs in here. "operator reset --id ${id}" makes them an operator.`;
    expect(await inside(taken, environmentFor(app))).toEqual({ code: 1, out: '', errors: `${message}\n` });
    const json = await inside([...taken, '--json'], environmentFor(app));
    expect([json.code, json.out]).toEqual([1, '']);
    expect(JSON.parse(json.errors)).toEqual({
      error: { code: 'PERSON_EXISTS', id, email: 'ada@example.org', message },
    });
    expect(await app.database.read.selectFrom('person').select('id').execute()).toHaveLength(2);
    expect(await app.database.read.selectFrom('account').select('id').execute()).toHaveLength(1);
    expect(await auditOf(app)).toEqual([]);
  });

  it('CLI-1: lets a locked-out operator in again: role, block, guesses, password, sessions', async () => {
    // Its clock stands still, so that no wait ends by time.
    const app = await startApp({ engine, clock: movableClock() });
    const id = await addPerson(app, { email: 'ada@example.org', password, roles: ['operator'] });
    const before = await signIn(app, 'ada@example.org');
    const browser = openBrowser(app.url);
    const { path } = await browser.go('/auth/login');
    for (let guess = 0; guess < 7; guess += 1)
      await browser.submit(path, { email: 'ada@example.org', password: 'wrong' });
    expect((await browser.submit(path, { email: 'ada@example.org', password })).status).toBe(429);
    await app.database.change(async (change) => {
      await setRolesOf(change, id, ['member']);
      await writeBlocked(change, id, change.at);
    });
    expect((await ownRights(app, before)).problem?.code).toBe('PERSON_BLOCKED');

    const ended = await portico(
      ['operator', 'reset', '--email', 'Ada@example.org', '--json'],
      environmentFor(app),
    );
    const result = JSON.parse(ended.out) as { link: string };
    expect(result).toEqual({
      id,
      email: 'ada@example.org',
      link: expect.any(String),
      expiresAt: expect.any(Number),
    });
    // The server notices it within a second (START-4).
    const code = async () => (await ownRights(app, before)).problem?.code;
    await expect.poll(code).toBe('SESSION_ENDED');
    // The old password works until another one is set, and the wait after wrong guesses is over.
    expect((await browser.submit(path, { email: 'ada@example.org', password })).status).toBe(200);
    expect(await accept(app, result.link)).toBe(200);
    expect((await ownRights(app, await signIn(app, 'ada@example.org'))).body).toEqual(allRights);

    const [row] = await auditOf(app);
    expect({
      ...row,
      before: JSON.parse(row?.before ?? ''),
      after: JSON.parse(row?.after ?? ''),
    }).toMatchObject({
      action: 'operator.reset',
      subject: id,
      before: { roles: ['member'], state: 'blocked' },
      after: { roles: ['operator', 'member'], state: 'active' },
    });
    expect(JSON.stringify(row)).not.toContain(new URL(result.link).hash.slice(1));
  });

  it('CLI-1: resets only who has an account here', async () => {
    const app = await startApp({ engine });
    await addPerson(app, { email: 'elsewhere@example.org', roles: ['operator'] });
    for (const email of ['nobody@example.org', 'elsewhere@example.org']) {
      const ended = await inside(['operator', 'reset', '--email', email], environmentFor(app));
      expect([ended.code, ended.out]).toEqual([1, '']);
      expect(ended.errors).toContain(email);
    }
  });

  it('SES-9: makes an API token that the running server takes, shown once and stored as a hash', async () => {
    const app = await startApp({ engine });
    const args = [
      'token',
      'create',
      '--name',
      'nightly',
      '--rights',
      'PEOPLE_READ, FLAGS_READ',
      '--expires',
      '30d',
    ];
    const plain = await inside(args, environmentFor(app));
    expect(plain.out).toMatch(/^portico_pat_[\w-]{43}\n$/);
    expect((await app.call(listPeople, {}, { accessToken: plain.out.trim() })).status).toBe(200);

    const { token, ...shown } = JSON.parse((await inside([...args, '--json'], environmentFor(app))).out) as {
      token: string;
    };
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'nightly',
      rights: ['FLAGS_READ', 'PEOPLE_READ'],
      createdBy: null,
      expiresAt: expect.any(Number),
    });
    expect((await app.call(listRoles, {}, { accessToken: token })).status).toBe(200);
    const rows = await auditOf(app);
    expect(rows).toMatchObject([{ action: 'api-token.create' }, { action: 'api-token.create' }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(
      JSON.stringify(await app.database.read.selectFrom('api_token').selectAll().execute()),
    ).not.toContain(token);
  });

  it('MAINT-6: starts and ends maintenance while a server runs, ending what is in force, and writes it down', async () => {
    const app = await startApp({ engine });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    const status = async () => (await app.call(getMaintenanceStatus, {})).body;
    const run = (...args: string[]) => inside(['maintenance', ...args, '--json'], environmentFor(app));
    const until = '2050-01-01T00:00+01:00';
    const on = await run('on', '--text', 'New pumps', '--severity', 'INFO', '--until', until);
    expect(JSON.parse(on.out)).toMatchObject({
      mode: 'full',
      expectedEnd: Date.parse(until),
      heldOpen: false,
    });
    await expect
      .poll(status)
      .toMatchObject({ mode: 'full', text: 'New pumps', severity: 'INFO', expectedEnd: Date.parse(until) });
    expect((await inside(['maintenance', 'on', '--read-only'], environmentFor(app))).out).toBe('read-only\n');
    await expect.poll(status).toMatchObject({ mode: 'read-only', text: 'New pumps', expectedEnd: null });
    expect((await run('on', '--until', '2020-01-01T00:00Z')).errors).toContain('lies in the past');

    const window = {
      title: 'Pumps',
      text: '',
      severity: 'INFO',
      mode: 'full',
      leadMinutes: 0,
      endsByItself: false,
    } as const;
    const times = (hours: number) => ({
      startsAt: Date.now() + hours * 3_600_000,
      endsAt: Date.now() + (hours + 1) * 3_600_000,
    });
    const planned = (await app.call(planWindow, { body: { ...window, ...times(1) } }, operator)).body;
    const body = { version: planned.version };
    await app.call(startWindow, { params: { windowId: planned.id }, body }, operator);
    await app.call(planWindow, { body: { ...window, ...times(5), title: 'Tomorrow' } }, operator);
    expect(JSON.parse((await run('status')).out)).toMatchObject({
      mode: 'full',
      heldOpen: false,
      windows: [
        { title: 'Pumps', phase: 'active' },
        { title: 'Tomorrow', phase: 'scheduled' },
      ],
    });

    const off = await inside(['maintenance', 'off'], environmentFor(app));
    expect([off.code, off.out]).toEqual([0, 'off\n']);
    expect(off.errors).toMatch(/Ended: Pumps\nStill planned: Tomorrow/);
    await expect.poll(status).toMatchObject({ mode: 'off', text: '' });
    expect(existsSync(join(app.place.dataDir, 'maintenance-off'))).toBe(false);
    expect((await auditOf(app)).map(({ action }) => action)).toEqual([
      'maintenance.set',
      'maintenance.set',
      'maintenance.set',
      'maintenance-window.end',
    ]);
  });

  it('MAINT-6: ending maintenance leaves a notice alone that it has not set itself', async () => {
    const app = await startApp({ engine });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    const notice = {
      mode: 'off',
      text: 'New depot',
      severity: 'INFO',
      expectedEnd: null,
      version: 1,
    } as const;
    await app.call(setMaintenance, { body: notice }, operator);
    const run = (...args: string[]) => inside(['maintenance', ...args], environmentFor(app));
    const text = async () => (await app.call(getMaintenance, {}, operator)).body.text;
    expect((await run('off')).errors).toBe('The notice stays: INFO: New depot\n');
    await run('on');
    expect((await run('off')).errors).toBe('The notice stays: INFO: New depot\n');
    expect(await text()).toBe('New depot');
    await run('on', '--read-only', '--text', 'Down');
    await run('on');
    expect((await run('off')).errors).toBe('The notice that was set with maintenance is removed: Down\n');
    expect(await text()).toBe('');
    const { version } = (await app.call(getMaintenance, {}, operator)).body;
    await app.call(setMaintenance, { body: { ...notice, mode: 'full', version } }, operator);
    expect((await run('off')).errors).toContain('The notice stays');
  });

  it.each([
    [
      { code: 'ERR_SQLITE_ERROR', errcode: 13 },
      /^There is no room left .*: went wrong\. Make room and try again\.\n$/,
    ],
    [
      { code: 'ERR_SQLITE_ERROR', errcode: 10 },
      /^The database or the disk cannot be used now: went wrong\. .*\n$/,
    ],
    [{ code: 'ENOSPC' }, /^There is no room left .*\n$/],
  ])('CLI-1: a storage that fails (%o) is one line, without a stack', async (code, line) => {
    const ended = await inside(['token', 'list'], () => {
      throw Object.assign(new Error('went wrong'), code);
    });
    expect(ended.code).toBe(1);
    expect(ended.errors).toMatch(line);
  });

  it('MAINT-6: on a full disk an empty file will do, and goes once the database is changed; where there can be none it reports that', async () => {
    const app = await startApp({ engine });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    const close = { mode: 'full', text: 'x', severity: 'HIGH', expectedEnd: null, version: 1 } as const;
    await app.call(setMaintenance, { body: close }, operator);
    const away = { ...environmentFor(app), DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x' };
    const before = readdirSync(app.place.dataDir);
    const held = await withoutSpaceForFiles(['maintenance', 'off'], away);
    expect([held.code, held.out]).toEqual([0, 'held-open']);
    expect(held.errors).toContain('Nothing could be changed in the database: ');
    expect(readdirSync(app.place.dataDir).toSorted()).toEqual([...before, 'maintenance-off'].toSorted());
    await expect.poll(async () => (await app.call(getMaintenanceStatus, {})).body.mode).toBe('off');
    await inside(['maintenance', 'resume'], away);
    const both = await inside(['maintenance', 'off'], { ...away, DATA_DIR: '/proc/nowhere' });
    expect(both.code).toBe(1);
    expect(both.errors).toMatch(
      /maintenance-off cannot be written: .*\nNothing could be changed in the database: /,
    );
    // SQLite would be out of room as well.
    if (engine === 'sqlite') return;
    const off = await withoutSpaceForFiles(['maintenance', 'off'], environmentFor(app));
    expect([off.code, off.out]).toEqual([0, 'off']);
    expect(readdirSync(app.place.dataDir)).toEqual(before);
  });

  it('MAINT-6: ends maintenance without its database, by a file that the server sees, until it is resumed', async () => {
    const app = await startApp({ engine });
    const operator = { accessToken: await addToken(app, { rights: ['MAINTENANCE_WRITE'] }) };
    const mode = async () => (await app.call(getMaintenanceStatus, {})).body.mode;
    const close = { mode: 'full', text: 'x', severity: 'HIGH', expectedEnd: null, version: 1 } as const;
    await app.call(setMaintenance, { body: close }, operator);
    // The command line finds no database there; the server does.
    const away = { ...environmentFor(app), DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x' };
    const off = await inside(['maintenance', 'off'], away);
    expect([off.code, off.out]).toEqual([0, 'held-open\n']);
    expect(off.errors).toContain(join(app.place.dataDir, 'maintenance-off'));
    expect(off.errors).toContain('maintenance resume');
    expect(off.errors).not.toContain('hidden');
    await expect.poll(mode).toBe('off');
    const deeds = async () =>
      (await app.call(listMaintenanceHistory, {}, operator)).body.entries.map(({ deed }) => deed);
    // In force before it is recorded.
    await expect.poll(deeds).toEqual(['held-open', 'switched']);
    const settings = (await app.call(getMaintenance, {}, operator)).body;
    expect(settings).toMatchObject({ heldOpen: true, mode: 'full', inForce: { mode: 'off', text: '' } });
    const status = await inside(['maintenance', 'status'], away);
    expect([status.code, status.out]).toEqual([0, 'held-open\n']);
    const on = await inside(['maintenance', 'on'], environmentFor(app));
    expect([on.code, on.out]).toEqual([0, 'held-open\n']);

    expect((await inside(['maintenance', 'resume'], away)).out).toBe('resumed\n');
    await expect.poll(mode).toBe('full');
    expect(JSON.parse((await inside(['maintenance', 'resume', '--json'], away)).out)).toEqual({
      wasHeld: false,
    });
    expect((await inside(['maintenance', 'status'], away)).code).toBe(1);
    await expect.poll(deeds).toEqual(['let-go', 'notice', 'held-open', 'switched']);
  });

  it('SES-9: gives no token more than its person holds', async () => {
    const app = await startApp({ engine });
    const support = await addPerson(app, { email: 'support@example.org', roles: ['support'] });
    const create = (rights: string, as: string) =>
      inside(
        ['token', 'create', '--name', 'ci', '--rights', rights, '--expires', '1h', '--as', as, '--json'],
        environmentFor(app),
      );
    const more = await create('PEOPLE_READ,PEOPLE_WRITE', 'support@example.org');
    expect([more.code, more.out]).toEqual([1, '']);
    expect(more.errors).toContain('does not hold PEOPLE_WRITE');
    expect((await create('PEOPLE_READ', 'nobody@example.org')).code).toBe(1);
    expect(await app.database.read.selectFrom('api_token').select('id').execute()).toEqual([]);

    const fitting = JSON.parse((await create('PEOPLE_READ', 'Support@example.org')).out) as {
      token: string;
      createdBy: string;
    };
    expect(fitting.createdBy).toBe(support);
    expect((await app.call(listPeople, {}, { accessToken: fitting.token })).status).toBe(200);
    await app.database.change((change) => setRolesOf(change, support, []));
    expect((await app.call(listPeople, {}, { accessToken: fitting.token })).problem?.code).toBe(
      'RIGHT_MISSING',
    );
  });
});
